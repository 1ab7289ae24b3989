import { useMutation } from '@tanstack/react-query';
import { text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { Button } from '../../ui/button.tsx';
import { toCsv } from '../../ui/csv.ts';
import { download } from '../../ui/download.ts';
import { explain } from '../../ui/explain.ts';
import { useToast } from '../../ui/toast.tsx';
import type { Member, MemberFilter } from './organization-queries.ts';

/** Most members of one file: fifty requests, far below the rate limit. */
const MAX_MEMBERS = 5_000;
const PAGE_SIZE = 100;
const HEAD = ['name', 'email', 'userId', 'roles', 'status', 'source', 'joinedAt', 'lastActiveAt', 'until'];

/** Rows of a CSV file, in the order of {@link HEAD}. */
const rowOf = (member: Member): string[] => {
  const { name, email, userId, roles, status, source, joinedAt, lastActiveAt, until } = member;
  return [name ?? '', email ?? '', userId, roles.join(' '), status, source, joinedAt].concat(
    lastActiveAt ?? '',
    until ?? '',
  );
};

export const saveMembers = (members: readonly Member[]): void =>
  download(
    `members-${new Date().toISOString().slice(0, 10)}.csv`,
    'text/csv',
    toCsv([HEAD, ...members.map(rowOf)]),
  );

interface Props {
  readonly tenantId: string;
  readonly filter: MemberFilter;
}

/** Saves the members that the filter shows as a CSV file. */
export function MemberExport({ tenantId, filter }: Props) {
  const say = useToast();
  const save = useMutation({
    mutationFn: async () => {
      const members: Member[] = [];
      let cursor: string | undefined;
      do {
        const { data } = await gatehouse.get('/api/v1/iam/tenants/{id}/members', {
          params: { path: { id: tenantId }, query: { ...filter, limit: PAGE_SIZE, cursor } },
        });
        members.push(...data.items);
        cursor = data.nextCursor ?? undefined;
      } while (cursor !== undefined && members.length < MAX_MEMBERS);
      saveMembers(members);
      return { count: members.length, isWhole: cursor === undefined };
    },
    onSuccess: ({ count, isWhole }) =>
      say(text(isWhole ? 'members.exported' : 'members.export-capped', { count })),
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
