import type { AbilityRegistry } from '../../../src/ability/index.js';
import { seesRequest } from './access-requests.js';
import { ARCHIVED } from './facts.js';
import { findWeakness, NOT_OWN, TOO_LONG_AGO } from './proof.js';
import { OPERATOR_ABOVE, SCOPES } from './scopes.js';
import {
  idsOfDirectories,
  idsOfPartnerAccess,
  idsOfRequests,
  idsOfWebhooks,
  OF_THE_TENANT,
  type Subject,
} from './subject.js';
import { findShortfall } from './sign-in.js';
import { holds, isForPeople, mayClient, SENSITIVE, thingsWith, type Caller, type World } from './world.js';

export interface Check {
  readonly caller: Caller;
  readonly scope: string;
  readonly subject: Subject | null;
  /** The tenant that a path names next to the subject. */
  readonly pathTenant?: string;
}

export interface Decision {
  readonly allowed: boolean;
  readonly code?: string;
  readonly reason?: string;
}

const REASONS = {
  unknown_scope: 'There is no such permission.',
  tenant_required: 'Select an organization first.',
  scope_not_held: 'Your roles do not include this permission.',
  subject_mismatch: 'The subject is not of the type this permission applies to.',
  subject_not_found: 'The subject does not exist in this organization.',
  authentication_insufficient: TOO_LONG_AGO,
};
/** Reason of `scope_not_held` for who holds the scope on other things. */
export const ON_OTHER_THINGS = 'Your roles include this permission for other things only.';
/** Reason of `scope_not_held` for a client without the scope, whatever the user holds. */
export const OF_THE_CLIENT = 'This application does not have this permission. Try it in the main app.';
export const CODES = [...Object.keys(REASONS), 'state_forbids'];
/** Reasons of `scope_not_held` for a service account, and for a limited key. */
export const OF_PEOPLE = 'This is for people. A service account cannot do it.';
export const OF_THE_KEY = 'This key does not have this permission. The roles of its account may.';
const LEAVE = 'iam:tenant:leave';

/** Scopes that require two factors of each caller, whether or not they have a second one. */
const BY_TWO_FACTORS = [
  'platform:audit:read',
  'platform:decision:read',
  'platform:import:create',
  'platform:impersonation:end',
  'platform:impersonation:start',
  'platform:job:read',
  'platform:job:retry',
  'platform:overview:read',
  'platform:permission:read',
  'platform:permission:register',
  'platform:permission:remove',
  'platform:tenant:archive',
  'platform:tenant:export',
  'platform:tenant:limit',
  'platform:tenant:read',
  'platform:tenant:restore',
  'platform:operator:read',
  'platform:operator:create',
  'platform:operator:remove',
  'platform:operator:update',
  'platform:person:end-sessions',
  'platform:person:erase',
  'platform:person:export',
  'platform:person:keep',
  'platform:person:keep-authenticators',
  'platform:person:read',
  'platform:person:require-new-password',
  'platform:person:resend-mail',
  'platform:person:reset-authenticators',
  'platform:person:restore',
  'platform:person:send-password-reset',
  'platform:person:suspend',
];

/** Scopes of operators that those of the role `support` hold. */
const OF_SUPPORT = [
  'platform:audit:read',
  'platform:job:read',
  'platform:overview:read',
  'platform:permission:read',
  'platform:tenant:read',
  'iam:satellite:read',
  'iam:api:read',
  'webhooks:operator-webhook:read',
  'platform:operator:read',
  'platform:person:end-sessions',
  'platform:person:keep-authenticators',
  'platform:person:read',
  'platform:person:resend-mail',
  'platform:person:send-password-reset',
];

/** Second, independent implementation of the decision, over the world as the test knows it. */
export function expected(world: World, registry: AbilityRegistry, check: Check): Decision {
  const decision = decideWithoutProof(world, registry, check);
  const isOfTenant = registry.find(check.scope)?.audience === 'tenant';
  if (decision.allowed && !isOfTenant && check.caller.key === null && check.caller.assuredBy !== null)
    return { allowed: false, code: 'authentication_insufficient', reason: NOT_OWN };
  // Checked last: callers need not confirm their sign-in for what is refused anyway.
  if (!decision.allowed || ![...SENSITIVE, ...BY_TWO_FACTORS].includes(check.scope)) return decision;
  const reason = findWeakness(world, check.caller, BY_TWO_FACTORS.includes(check.scope));
  return reason === null ? decision : { allowed: false, code: 'authentication_insufficient', reason };
}

function decideWithoutProof(world: World, registry: AbilityRegistry, check: Check): Decision {
  const { caller, scope, subject, pathTenant } = check;
  const { tenant } = caller;
  const declared = registry.find(scope);
  if (!declared) return deny('unknown_scope');
  const { audience, judged, own } = declared;
  if (audience === 'tenant' && !tenant) return deny('tenant_required');
  // Members may leave an organization that they cannot enter.
  const shortfall = audience === 'tenant' && scope !== LEAVE ? findShortfall(caller) : null;
  if (shortfall !== null) return { allowed: false, code: 'authentication_insufficient', reason: shortfall };
  const ofPeople = caller.key !== null && (audience !== 'tenant' || isForPeople(scope));
  if (ofPeople || !mayClient(caller, scope)) {
    const reason = ofPeople ? OF_PEOPLE : caller.key ? OF_THE_KEY : OF_THE_CLIENT;
    return { allowed: false, code: 'scope_not_held', reason };
  }
  if (audience === 'operator' && !operates(world, caller.user.id, scope)) return deny('scope_not_held');
  const fits =
    subject && [judged, own].some((at) => at.module === subject.module && at.name === subject.collection);
  if (audience === 'tenant' && !holds(caller, scope)) {
    const things = thingsWith(caller, scope);
    const isOfOther = pathTenant !== undefined && pathTenant !== tenant?.id;
    if (things.size === 0) return deny('scope_not_held');
    const isOnThing =
      subject !== null &&
      fits === true &&
      !isOfOther &&
      exists(world, caller, subject) &&
      things.has(`${subject.module}/${subject.collection}/${subject.id}`);
    if (!isOnThing) return { ...deny('scope_not_held'), reason: ON_OTHER_THINGS };
  }
  if (fits === false) return deny('subject_mismatch');
  if (pathTenant !== undefined && pathTenant !== tenant?.id) return deny('subject_not_found');
  if (subject && !exists(world, caller, subject)) return deny('subject_not_found');
  // Without a subject, or with one of the created type, the selected tenant is judged.
  const named = subject?.collection === judged.name ? subject.id : null;
  const id = named ?? (OF_THE_TENANT.includes(judged.name) ? tenant?.id : undefined);
  const nothingDone = tenant?.archived === true && audience === 'tenant' && SCOPES[scope]?.done !== undefined;
  if (id === undefined)
    return nothingDone ? { allowed: false, code: 'state_forbids', reason: ARCHIVED } : { allowed: true };
  const above =
    judged.name === 'people' && !NOT_COMPARED.includes(scope) && isAbove(world, registry, id, caller.user.id);
  const reason = above
    ? OPERATOR_ABOVE
    : SCOPES[scope]?.whyNot({ world, caller, id, declared: scopesOfTenants(registry) });
  return reason ? { allowed: false, code: 'state_forbids', reason } : { allowed: true };
}

/** Scopes on people that are not about who holds more: to read, and what no operator suffers. */
const NOT_COMPARED = ['platform:person:read', 'platform:person:suspend', 'platform:person:erase'];

function operates({ operators, operatorScopes }: World, id: string, scope: string): boolean {
  const role = operators.get(id);
  const isOfRole = role === 'admin' || (role === 'support' && OF_SUPPORT.includes(scope));
  return isOfRole && operatorScopes.get(id)?.includes(scope) !== false;
}

/** Returns whether one operator holds a scope of operators that another one does not. */
function isAbove(world: World, registry: AbilityRegistry, id: string, callerId: string): boolean {
  const scopes = [...registry.all.values()].filter(({ audience }) => audience === 'operator');
  return scopes.some(({ scope }) => operates(world, id, scope) && !operates(world, callerId, scope));
}

/** Lists the scopes of organizations. */
export function scopesOfTenants(registry: AbilityRegistry): string[] {
  return [...registry.all.values()].filter(({ audience }) => audience === 'tenant').map(({ scope }) => scope);
}

/** Returns whether the entity exists in the caller's tenant, or belongs to the caller. */
function exists(world: World, caller: Caller, { collection, id }: Subject): boolean {
  const { user, tenant } = caller;
  const { users, sessions, satellites, apis, identities } = world;
  if (collection === 'sessions') return sessions.get(id)?.userId === user.id;
  if (collection === 'people') return users.some((person) => person.id === id);
  if (collection === 'organizations') return world.tenants.some((organization) => organization.id === id);
  if (collection === 'operators') return world.operators.has(id);
  if (collection === 'satellites') return satellites.has(id);
  if (collection === 'apis') return apis.has(id);
  if (collection === 'identities') return identities.get(id)?.userId === user.id;
  if (OF_THE_TENANT.includes(collection)) return tenant?.id === id;
  if (collection === 'access-requests')
    return tenant !== null && idsOfRequests(tenant).includes(id) && seesRequest(caller, id);
  if (collection === 'partner-accesses')
    return tenant !== null && idsOfPartnerAccess(world, tenant).includes(id);
  if (collection === 'directories') return idsOfDirectories(world, tenant, false).includes(id);
  if (idsOfWebhooks(world, tenant, collection, false).includes(id)) return true;
  const { members, roles, invitations, domains, connections, serviceAccounts, apiKeys, trustRules } =
    tenant ?? {};
  const held = {
    'service-accounts': serviceAccounts,
    'api-keys': apiKeys,
    'trust-rules': trustRules,
    'setup-links': tenant?.setupLinks,
    stations: tenant?.stations,
    partnerships: tenant?.partnerships,
  };
  const all = { members, roles, invitations, domains, connections, ...held }[collection as 'members'];
  return all?.has(id) === true;
}

function deny(code: keyof typeof REASONS): Decision {
  return { allowed: false, code, reason: REASONS[code] };
}
