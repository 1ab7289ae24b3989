import { useQuery } from '@tanstack/react-query';
import { rich, text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { Time } from '../../ui/time.tsx';
import { useRequester } from './access-requests/access-request-queries.ts';
import { nameOf } from './member-name.ts';
import { keys, type Role } from './organization-queries.ts';
import { roleNames } from './role-choice.tsx';

/** As long before an end as members are told of it. */
const SOON_MS = 7 * 24 * 3_600_000;
const MAX_SHOWN = 20;

/** Something that ends: a membership, a role, or a role on a thing. */
interface End {
  readonly userId: string;
  readonly until: string;
  readonly role: string | null;
  /** Name of the thing, or its URI. */
  readonly on: string | null;
}

/** Lists what ends within a week in an organization. Shows nothing if nothing does. */
export function EndsSoon({
  tenantId,
  roles,
}: {
  readonly tenantId: string;
  readonly roles: readonly Role[];
}) {
  const { data: ends = [] } = useQuery({
    queryKey: [...keys.members(tenantId), 'ends-soon'],
    queryFn: () => readEnds(tenantId),
  });
  if (ends.length === 0) return null;
  return (
    <section className="sheet section" aria-labelledby="ends-soon">
      <h2 id="ends-soon">{text('ends-soon')}</h2>
      <ul className="list" aria-labelledby="ends-soon">
        {ends.slice(0, MAX_SHOWN).map((end) => (
          <li key={`${end.userId} ${end.role} ${end.on}`}>
            <EndItem tenantId={tenantId} end={end} roles={roles} />
          </li>
        ))}
      </ul>
      {ends.length > MAX_SHOWN && <p className="soft small">{text('ends-soon.more')}</p>}
    </section>
  );
}

interface ItemProps {
  readonly tenantId: string;
  readonly end: End;
  readonly roles: readonly Role[];
}

function EndItem({ tenantId, end: { userId, until, role, on }, roles }: ItemProps) {
  const { data: member } = useRequester(tenantId, userId);
  const [name] = role === null ? [text('ends-soon.membership')] : roleNames(roles, [role]);
  return (
    <div className="item plain">
      <span className="what">
        <strong>{nameOf(member ?? { name: null, email: null, userId })}</strong>
        <span className="small">{name}</span>
        {on !== null && <code className="small">{on}</code>}
      </span>
      <span className="end small">{rich('ends-soon.until', { time: () => <Time value={until} /> })}</span>
    </div>
  );
}

async function readEnds(tenantId: string): Promise<End[]> {
  const expiring = new Date(Date.now() + SOON_MS).toISOString();
  const params = { path: { id: tenantId }, query: { expiring, limit: 100 } };
  const [members, assignments] = await Promise.all([
    gatehouse.get('/api/v1/iam/tenants/{id}/members', { params }),
    gatehouse.get('/api/v1/iam/tenants/{id}/assignments', { params }),
  ]);
  const ofMembers = members.data.items.flatMap(({ userId, until, roleEnds }): End[] => [
    ...(until === null ? [] : [{ userId, until, role: null, on: null }]),
    ...roleEnds.map((role) => ({ userId, until: role.until, role: role.key, on: null })),
  ]);
  const onThings = assignments.data.items.flatMap(({ userId, until, role, on, name }): End[] =>
    until === null ? [] : [{ userId, until, role, on: name ?? on }],
  );
  return [...ofMembers, ...onThings]
    .filter(({ until }) => until < expiring)
    .toSorted((a, b) => (a.until < b.until ? -1 : 1));
}
