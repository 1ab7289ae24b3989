import { useQuery } from '@tanstack/react-query';
import { rich, text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { Time } from '../../ui/time.tsx';
import type { Allowed } from './allowed.ts';
import { useRequester } from './access-requests/access-request-queries.ts';
import { nameOf } from './member-name.ts';
import { ACCESS, HOSTED, nameOfPartner } from './partners/partner-queries.ts';
import { keys, type Role } from './organization-queries.ts';
import { roleNames } from './role-choice.tsx';

/** As long before an end as members are told of it. */
const SOON_MS = 7 * 24 * 3_600_000;
const MAX_SHOWN = 20;

type Side = typeof HOSTED | typeof ACCESS;

const READ_BY = { [HOSTED]: 'iam:partnership:read', [ACCESS]: 'iam:partner-access:read' } as const;

/** Something that ends: a membership, a role, a role on a thing, or a partnership. */
interface End {
  /** The person, or the name of the other side of a partnership. */
  readonly of: { readonly userId: string } | { readonly partner: string };
  readonly until: string;
  readonly role: string | null;
  /** Name of the thing, or its URI. */
  readonly on: string | null;
}

/** Lists what ends within a week in an organization. Shows nothing if nothing does. */
export function EndsSoon({
  tenantId,
  roles,
  partnersBy = {},
}: {
  readonly tenantId: string;
  readonly roles: readonly Role[];
  /** Permissions by which partnerships are listed too, of either side. */
  readonly partnersBy?: Partial<Allowed>;
}) {
  const sides = ([HOSTED, ACCESS] as const).filter((side) => partnersBy[READ_BY[side]]);
  const { data: ends = [] } = useQuery({
    queryKey: [...keys.members(tenantId), 'ends-soon', ...sides],
    queryFn: () => readEnds(tenantId, sides),
  });
  if (ends.length === 0) return null;
  return (
    <section className="sheet section" aria-labelledby="ends-soon">
      <h2 id="ends-soon">{text('ends-soon')}</h2>
      <ul className="list" aria-labelledby="ends-soon">
        {ends.slice(0, MAX_SHOWN).map(({ of, ...end }) => (
          <li key={JSON.stringify([of, end])}>
            {'userId' in of ? (
              <EndOfMember tenantId={tenantId} userId={of.userId} end={end} roles={roles} />
            ) : (
              <EndItem name={of.partner} what={text('ends-soon.partnership')} end={end} />
            )}
          </li>
        ))}
      </ul>
      {ends.length > MAX_SHOWN && <p className="soft small">{text('ends-soon.more')}</p>}
    </section>
  );
}

type What = Omit<End, 'of'>;

interface MemberProps {
  readonly tenantId: string;
  readonly userId: string;
  readonly end: What;
  readonly roles: readonly Role[];
}

function EndOfMember({ tenantId, userId, end, roles }: MemberProps) {
  const { data: member } = useRequester(tenantId, userId);
  const [what = ''] = end.role === null ? [text('ends-soon.membership')] : roleNames(roles, [end.role]);
  return <EndItem name={nameOf(member ?? { name: null, email: null, userId })} what={what} end={end} />;
}

interface ItemProps {
  readonly name: string;
  readonly what: string;
  readonly end: What;
}

function EndItem({ name, what, end: { on, until } }: ItemProps) {
  return (
    <div className="item plain">
      <span className="what">
        <strong>{name}</strong>
        <span className="small">{what}</span>
        {on !== null && <code className="small">{on}</code>}
      </span>
      <span className="end wraps small">
        <span>{rich('ends-soon.until', { time: () => <Time value={until} /> })}</span>
      </span>
    </div>
  );
}

async function readEnds(tenantId: string, sides: readonly Side[]): Promise<End[]> {
  const expiring = new Date(Date.now() + SOON_MS).toISOString();
  const params = { path: { id: tenantId }, query: { expiring, limit: 100 } };
  const [members, assignments, ...partnerships] = await Promise.all([
    gatehouse.get('/api/v1/iam/tenants/{id}/members', { params }),
    gatehouse.get('/api/v1/iam/tenants/{id}/assignments', { params }),
    ...sides.map((side) => readPartnerships(tenantId, side)),
  ]);
  const ofMembers = members.data.items.flatMap(({ userId, until, roleEnds }): End[] => [
    ...(until === null ? [] : [{ of: { userId }, until, role: null, on: null }]),
    ...roleEnds.map((role) => ({ of: { userId }, until: role.until, role: role.key, on: null })),
  ]);
  const onThings = assignments.data.items.flatMap(({ userId, until, role, on, name }): End[] =>
    until === null ? [] : [{ of: { userId }, until, role, on: name ?? on }],
  );
  return [...ofMembers, ...onThings, ...partnerships.flat()]
    .filter(({ until }) => until < expiring)
    .toSorted((a, b) => (a.until < b.until ? -1 : 1));
}

/** Reads the ends of active partnerships of one side. */
async function readPartnerships(tenantId: string, side: Side): Promise<End[]> {
  const found: End[] = [];
  let cursor: string | undefined;
  do {
    const params = { path: { id: tenantId }, query: { limit: 100, ...(cursor && { cursor }) } };
    const { items, nextCursor } = (await gatehouse.get(side, { params })).data;
    for (const one of items)
      if (one.status === 'active' && one.until !== null)
        found.push({
          of: { partner: 'host' in one ? one.host.name : nameOfPartner(one) },
          until: one.until,
          role: null,
          on: null,
        });
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}
