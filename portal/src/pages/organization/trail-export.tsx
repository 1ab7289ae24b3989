import { useMutation } from '@tanstack/react-query';
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
const HEAD = ['createdAt', 'actor', 'actorId', 'action', 'subject', 'subjectName', 'id'];

interface Props {
  readonly tenantId: string;
  readonly filter: TrailFilter;
  /** Name of a person, also of the reader. */
  readonly nameOf: (userId: string) => string;
  /** Name of what an event is about; null if it is unknown. */
  readonly nameOfSubject: (subject: string) => string | null;
}

/** Saves the events that the filter shows as a CSV file. */
export function TrailExport({ tenantId, filter, nameOf, nameOfSubject }: Props) {
  const say = useToast();
  const save = useMutation({
    mutationFn: async () => {
      const rows: string[][] = [];
      let cursor: string | undefined;
      do {
        const { data } = await gatehouse.get('/api/v1/iam/tenants/{id}/audit-events', {
          params: { path: { id: tenantId }, query: { ...filter, limit: PAGE_SIZE, cursor } },
        });
        for (const { createdAt, actorId, action, subject, id } of data.items) {
          const subjectName = (subject !== null && nameOfSubject(subject)) || '';
          rows.push([createdAt, nameOf(actorId), actorId, action, subject ?? '', subjectName, id]);
        }
        cursor = data.nextCursor ?? undefined;
      } while (cursor !== undefined && rows.length < MAX_EVENTS);
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
