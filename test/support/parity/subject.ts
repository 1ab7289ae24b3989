import type { SubjectPlan } from './plan.js';
import { newId, type Caller, type World } from './world.js';

/** Collections of one entity in each tenant, which has the id of the tenant. */
export const OF_THE_TENANT: readonly string[] = ['tenants', 'sign-in-policies'];

export interface Subject {
  readonly module: string;
  readonly collection: string;
  readonly id: string;
}

/** Returns the subject of a plan: an existing entity, or an id that no entity has. */
export function subjectOf(
  world: World,
  caller: Caller,
  { module, collection, place, number }: SubjectPlan,
): Subject {
  const owner = collection === 'people' ? 'platform' : 'iam';
  const ids = place === 'nonexistent' ? [] : idsOf(world, caller, collection, place === 'foreign');
  const id = ids[number % Math.max(1, ids.length)] ?? newId();
  return {
    module: module === 'own' ? owner : module,
    collection,
    id: place === 'own, in lower case' ? id.toLowerCase() : id,
  };
}

function idsOf(world: World, { user, tenant }: Caller, collection: string, isForeign: boolean): string[] {
  const own = tenant ?? world.tenants[0]!;
  const { id, members, roles, invitations } = isForeign ? world.tenants.find((other) => other !== own)! : own;
  if (OF_THE_TENANT.includes(collection)) return [id];
  if (collection === 'members') return [...members.keys()];
  if (collection === 'roles') return [...roles.keys()];
  if (collection === 'invitations') return [...invitations.keys()];
  if (collection === 'satellites') return [...world.satellites.keys()];
  if (collection === 'people') return world.users.map((person) => person.id);
  const owned =
    collection === 'identities'
      ? [...world.identities].map(([identity, { userId }]) => ({ id: identity, userId }))
      : collection === 'sessions'
        ? [...world.sessions.values()]
        : [];
  return owned.filter(({ userId }) => (userId !== user.id) === isForeign).map((thing) => thing.id);
}
