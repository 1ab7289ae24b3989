import { gatehouse } from '../../session/gatehouse.ts';
import { CsvExport, EXPORT_PAGE_SIZE, saveCsv } from '../../ui/csv-export.tsx';
import type { Member, MemberFilter } from './organization-queries.ts';

const HEAD = ['name', 'email', 'userId', 'roles', 'status', 'source', 'joinedAt', 'lastActiveAt', 'until'];

/** Rows of a CSV file, in the order of {@link HEAD}. */
const rowOf = (member: Member): string[] => {
  const { name, email, userId, roles, status, source, joinedAt, lastActiveAt, until } = member;
  return [name ?? '', email ?? '', userId, roles.join(' '), status, source, joinedAt].concat(
    lastActiveAt ?? '',
    until ?? '',
  );
};

export const saveMembers = (members: readonly Member[]): void => saveCsv('members', HEAD, members.map(rowOf));

interface Props {
  readonly tenantId: string;
  readonly filter: MemberFilter;
}

/** Saves the members that the filter shows as a CSV file. */
export function MemberExport({ tenantId, filter }: Props) {
  return (
    <CsvExport
      readPage={async (cursor) => {
        const { data } = await gatehouse.get('/api/v1/iam/tenants/{id}/members', {
          params: { path: { id: tenantId }, query: { ...filter, limit: EXPORT_PAGE_SIZE, cursor } },
        });
        return data;
      }}
      save={saveMembers}
      saved={['members.exported', 'members.export-capped']}
    />
  );
}
