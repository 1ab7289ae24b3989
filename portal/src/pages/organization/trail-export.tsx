import type { components } from '@gatehouse/client';
import { gatehouse } from '../../session/gatehouse.ts';
import { CsvExport, EXPORT_PAGE_SIZE, saveCsv } from '../../ui/csv-export.tsx';
import type { TrailFilter } from './organization-queries.ts';

/**
 * `impersonatorId` and `ticket` are of events in which support acted as the person, the last three
 * of what a role on a thing allowed, or a partnership.
 */
const HEAD = [
  'createdAt',
  'actor',
  'actorId',
  'action',
  'subject',
  'subjectName',
  'id',
  'impersonatorId',
  'ticket',
  'byRole',
  'byThing',
  'byPartnership',
];

type TrailEvent = components['schemas']['AuditEventResponse'];

/** Row of a CSV file, in the order of {@link HEAD}. */
const rowOf = (event: TrailEvent): string[] => {
  const { createdAt, actorId, actorName, action, subject, subjectName, id } = event;
  const { impersonatorId = '', ticket = '', by } = event;
  const names = [actorName ?? '', actorId, action, subject ?? '', subjectName ?? ''];
  return [createdAt, ...names, id, impersonatorId, ticket, by?.role ?? '', by?.on ?? '', by?.via ?? ''];
};

interface Props {
  readonly tenantId: string;
  readonly filter: TrailFilter;
}

/** Saves the events that the filter shows as a CSV file. */
export function TrailExport({ tenantId, filter }: Props) {
  return (
    <CsvExport
      readPage={async (cursor) => {
        const { data } = await gatehouse.get('/api/v1/iam/tenants/{id}/audit-events', {
          params: { path: { id: tenantId }, query: { ...filter, limit: EXPORT_PAGE_SIZE, cursor } },
        });
        return data;
      }}
      save={(events) => saveCsv('audit-trail', HEAD, events.map(rowOf))}
      saved={['trail.exported', 'trail.export-capped']}
    />
  );
}
