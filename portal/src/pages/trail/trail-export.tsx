import { CsvExport, EXPORT_PAGE_SIZE, saveCsv } from '../../ui/csv-export.tsx';
import type { TrailEvent } from '../../ui/trail.tsx';

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

/** Columns of the platform's trail only. */
const HEAD_OF_PLATFORM = ['organization', 'organizationId'];

/** Row of a CSV file, in the order of {@link HEAD}. */
const rowOf = (event: TrailEvent): string[] => {
  const { createdAt, actorId, actorName, action, subject, subjectName, id } = event;
  const { impersonatorId = '', ticket = '', by } = event;
  const names = [actorName ?? '', actorId, action, subject ?? '', subjectName ?? ''];
  return [createdAt, ...names, id, impersonatorId, ticket, by?.role ?? '', by?.on ?? '', by?.via ?? ''];
};

/** Row of a CSV file of the platform's trail. */
const rowOfPlatform = (event: TrailEvent): string[] => [
  ...rowOf(event),
  event.tenantName ?? '',
  event.tenantId ?? '',
];

interface Props {
  readonly isOfPlatform?: boolean;
  readonly readPage: (
    cursor: string | undefined,
    limit: number,
  ) => Promise<{ readonly items: readonly TrailEvent[]; readonly nextCursor: string | null }>;
}

/** Saves the events that the filter shows as a CSV file. */
export const TrailExport = ({ isOfPlatform = false, readPage }: Props) => (
  <CsvExport
    readPage={(cursor) => readPage(cursor, EXPORT_PAGE_SIZE)}
    save={(events) =>
      isOfPlatform
        ? saveCsv('audit-trail', [...HEAD, ...HEAD_OF_PLATFORM], events.map(rowOfPlatform))
        : saveCsv('audit-trail', HEAD, events.map(rowOf))
    }
    saved={['trail.exported', 'trail.export-capped']}
  />
);
