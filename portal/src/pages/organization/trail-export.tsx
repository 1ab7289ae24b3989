import { useMutation } from '@tanstack/react-query';
import type { components } from '@gatehouse/client';
import { text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { Button } from '../../ui/button.tsx';
import { toCsv } from '../../ui/csv.ts';
import { download } from '../../ui/download.ts';
import { explain } from '../../ui/explain.ts';
import { useToast } from '../../ui/toast.tsx';
import type { TrailFilter } from './organization-queries.ts';

/** Most events of one file: fifty requests, far below the rate limit. */
const MAX_EVENTS = 5_000;
const PAGE_SIZE = 100;
/** The last two are of events in which support acted as the person. */
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
];

type TrailEvent = components['schemas']['AuditEventResponse'];

interface Props {
  readonly tenantId: string;
  readonly filter: TrailFilter;
}

/** Saves the events that the filter shows as a CSV file. */
export function TrailExport({ tenantId, filter }: Props) {
  const say = useToast();
  const save = useMutation({
    mutationFn: async () => {
      const events: TrailEvent[] = [];
      let cursor: string | undefined;
      do {
        const { data } = await gatehouse.get('/api/v1/iam/tenants/{id}/audit-events', {
          params: { path: { id: tenantId }, query: { ...filter, limit: PAGE_SIZE, cursor } },
        });
        events.push(...data.items);
        cursor = data.nextCursor ?? undefined;
      } while (cursor !== undefined && events.length < MAX_EVENTS);
      const rows = events.map((event) => {
        const { createdAt, actorId, actorName, action, subject, subjectName, id } = event;
        const { impersonatorId = '', ticket = '' } = event;
        const names = [actorName ?? '', actorId, action, subject ?? '', subjectName ?? ''];
        return [createdAt, ...names, id, impersonatorId, ticket];
      });
      const name = `audit-trail-${new Date().toISOString().slice(0, 10)}.csv`;
      download(name, 'text/csv', toCsv([HEAD, ...rows]));
      return { count: rows.length, isWhole: cursor === undefined };
    },
    onSuccess: ({ count, isWhole }) =>
      say(text(isWhole ? 'trail.exported' : 'trail.export-capped', { count })),
    onError: (error) => {
      const { title, text: detail } = explain(error);
      say(`${title}. ${detail}`);
    },
  });
  return (
    <Button isPending={save.isPending} onPress={() => save.mutate()}>
      {text('trail.export')}
    </Button>
  );
}
