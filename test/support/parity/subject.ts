import type { SubjectPlan } from './plan.js';
import { newId, type Asker, type World } from './world.js';

export interface Subject {
  readonly module: string;
  readonly collection: string;
  readonly id: string;
}

/** The subject that a plan means in a world: what there is at that moment, or an id that nothing has. */
export function subjectOf(
  world: World,
  asker: Asker,
  { module, collection, place, number }: SubjectPlan,
): Subject {
  const ids = place === 'nowhere' ? [] : idsOf(world, asker, collection, place === 'elsewhere');
  const id = ids[number % Math.max(1, ids.length)] ?? newId();
  return { module, collection, id: place === 'here, in lower case' ? id.toLowerCase() : id };
}

function idsOf(world: World, { user, tenant }: Asker, collection: string, elsewhere: boolean): string[] {
  const here = tenant ?? world.tenants[0]!;
  const { id, members, roles, invitations } = elsewhere
    ? world.tenants.find((other) => other !== here)!
    : here;
  if (collection === 'tenants') return [id];
  if (collection === 'members') return [...members.keys()];
  if (collection === 'roles') return [...roles.keys()];
  if (collection === 'invitations') return [...invitations.keys()];
  if (collection === 'satellites') return [...world.satellites.keys()];
  const owned =
    collection === 'identities'
      ? [...world.identities].map(([identity, { userId }]) => ({ id: identity, userId }))
      : collection === 'sessions'
        ? [...world.sessions.values()]
        : [];
  return owned.filter(({ userId }) => (userId !== user.id) === elsewhere).map((thing) => thing.id);
}
