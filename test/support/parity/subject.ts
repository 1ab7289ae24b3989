import type { SubjectPlan } from './plan.js';
import { hostOf, newId, PLATFORM, type Caller, type Tenant, type World } from './world.js';

/** Collections of one entity in each tenant, which has the id of the tenant. */
export const OF_THE_TENANT: readonly string[] = [
  'tenants',
  'sign-in-policies',
  'support-access',
  'brandings',
  'things',
  'decisions',
  'key-policies',
  'client-registries',
];

/** Modules of the collections that are not of `iam`; of both, for one that both declare. */
const OWNERS: Readonly<Record<string, string | readonly string[]>> = {
  overview: ['iam', 'platform'],
  things: 'access',
  decisions: 'access',
  questions: 'platform',
  people: 'platform',
  operators: 'platform',
  organizations: 'platform',
  trail: 'platform',
  jobs: 'platform',
  subscriptions: 'webhooks',
  deliveries: 'webhooks',
  events: 'webhooks',
  'operator-webhooks': 'webhooks',
};

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
  const ids = place === 'nonexistent' ? [] : idsOf(world, caller, collection, place === 'foreign');
  const id = ids[number % Math.max(1, ids.length)] ?? newId();
  const owners = [OWNERS[collection] ?? 'iam'].flat();
  return {
    module: module === 'own' ? owners[number % owners.length]! : module,
    collection,
    id: place === 'own, in lower case' ? id.toLowerCase() : id,
  };
}

function idsOf(world: World, { user, tenant }: Caller, collection: string, isForeign: boolean): string[] {
  const own = tenant ?? world.tenants[0]!;
  const named = isForeign ? hostOf(world, own) : own;
  const { id, members, roles, invitations, domains, connections, serviceAccounts, apiKeys, trustRules } =
    named;
  if (OF_THE_TENANT.includes(collection)) return [id];
  if (collection === 'members') return [...members.keys()];
  if (collection === 'roles') return [...roles.keys()];
  if (collection === 'invitations') return [...invitations.keys()];
  if (collection === 'connections') return [...connections.keys()];
  if (collection === 'domains') return [...domains];
  if (collection === 'setup-links') return [...named.setupLinks];
  if (collection === 'access-requests') return idsOfRequests(named);
  if (collection === 'stations') return [...named.stations];
  if (collection === 'partnerships') return [...named.partnerships];
  if (collection === 'partner-accesses') return idsOfPartnerAccess(world, named);
  if (collection === 'trust-rules') return [...trustRules.keys()];
  if (collection === 'api-keys') return [...apiKeys.keys()];
  if (collection === 'service-accounts') return [...serviceAccounts.keys()];
  if (collection === 'satellites') return [...world.satellites.keys()];
  if (collection === 'apis') return [...world.apis];
  if (collection === 'organizations') return world.tenants.map((organization) => organization.id);
  if (collection === 'operators') return [...world.operators.keys()];
  if (collection === 'people') return world.users.map((person) => person.id);
  if (collection === 'directories') return idsOfDirectories(world, own, isForeign);
  if (OWNERS[collection] === 'webhooks') return idsOfWebhooks(world, own, collection, isForeign);
  const owned =
    collection === 'identities'
      ? [...world.identities].map(([identity, { userId }]) => ({ id: identity, userId }))
      : collection === 'sessions'
        ? [...world.sessions.values()]
        : [];
  return owned.filter(({ userId }) => (userId !== user.id) === isForeign).map((thing) => thing.id);
}

/** Lists the requests of members, for roles that there are. */
export function idsOfRequests({ requests, members, roles }: Tenant): string[] {
  return [...requests]
    .filter(([, { userId, roleId }]) => members.has(userId) && roles.has(roleId))
    .map(([id]) => id);
}

/** Lists what the other tenant offers, or has offered, to one. */
export function idsOfPartnerAccess(world: World, partner: Tenant | null): string[] {
  const { partnerships, partnershipId } = hostOf(world, partner);
  return partnerships.has(partnershipId) ? [partnershipId] : [];
}

/** Lists the directories of the tenant, or those of other tenants. */
export function idsOfDirectories(
  { directories }: World,
  tenant: Tenant | null,
  isForeign: boolean,
): string[] {
  return [...directories].filter(([, one]) => (one.tenantId !== tenant?.id) === isForeign).map(([id]) => id);
}

/**
 * Lists subjects among subscriptions and deliveries: of the tenant or, for operators, the platform.
 * A subscription also stands for all of its deliveries.
 */
export function idsOfWebhooks(
  { subscriptions, deliveries }: World,
  tenant: Tenant | null,
  collection: string,
  isForeign: boolean,
): string[] {
  const owner = collection === 'operator-webhooks' ? PLATFORM : tenant?.id;
  const isListed = (tenantId: string) => (tenantId !== owner) === isForeign;
  const listedSubscriptions = [...subscriptions].filter(([, tenantId]) => isListed(tenantId));
  const listedDeliveries = [...deliveries].filter(([, { tenantId }]) => isListed(tenantId));
  if (collection === 'subscriptions') return listedSubscriptions.map(([id]) => id);
  if (!['deliveries', 'operator-webhooks'].includes(collection)) return [];
  return [...listedSubscriptions, ...listedDeliveries].map(([id]) => id);
}
