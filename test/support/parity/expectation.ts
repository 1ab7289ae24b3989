import type { AbilityRegistry } from '../../../src/ability/index.js';
import { ARCHIVED, SCOPES } from './scopes.js';
import type { Subject } from './subject.js';
import { holds, mayClient, type Caller, type World } from './world.js';

export interface Check {
  readonly caller: Caller;
  readonly scope: string;
  readonly subject: Subject | null;
  /** The tenant that a path names beside the subject. */
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
  authentication_insufficient:
    'Your last sign-in is too long ago for this. Confirm that it is you, then try again.',
};
/** Reason of `scope_not_held` for a client without the scope, whatever the user holds. */
export const OF_THE_CLIENT = 'This application does not have this permission. Try it in the main app.';
export const CODES = [...Object.keys(REASONS), 'state_forbids'];
/** Scopes that require a recent sign-in, with its maximum age in seconds. */
const RECENT: Readonly<Record<string, number>> = {
  'iam:identity:unlink': 600,
  'iam:tenant:delete': 600,
  'iam:tenant:transfer-ownership': 600,
};

/** Second, independent implementation of the decision, over the world as the test knows it. */
export function expected(world: World, registry: AbilityRegistry, check: Check): Decision {
  const decision = decideWithoutAge(world, registry, check);
  const { caller, scope } = check;
  // Checked last: callers need not confirm their sign-in for what is refused anyway.
  const tooLongAgo = caller.signedInAgo > (RECENT[scope] ?? Infinity);
  return decision.allowed && tooLongAgo ? deny('authentication_insufficient') : decision;
}

function decideWithoutAge(world: World, registry: AbilityRegistry, check: Check): Decision {
  const { caller, scope, subject, pathTenant } = check;
  const { tenant } = caller;
  const declared = registry.find(scope);
  if (!declared) return deny('unknown_scope');
  const { audience, judged, own } = declared;
  if (audience === 'tenant' && !tenant) return deny('tenant_required');
  if (!mayClient(caller, scope)) return { allowed: false, code: 'scope_not_held', reason: OF_THE_CLIENT };
  if (audience === 'operator' && !caller.user.isOperator) return deny('scope_not_held');
  if (audience === 'tenant' && !holds(caller, scope)) return deny('scope_not_held');
  const fits =
    subject && [judged, own].some((at) => at.module === subject.module && at.name === subject.collection);
  if (fits === false) return deny('subject_mismatch');
  if (pathTenant !== undefined && pathTenant !== tenant?.id) return deny('subject_not_found');
  if (subject && !exists(world, caller, subject)) return deny('subject_not_found');
  // Without a subject, or with one of the created type, the selected tenant is judged.
  const named = subject?.collection === judged.name ? subject.id : null;
  const id = named ?? (judged.name === 'tenants' ? tenant?.id : undefined);
  const nothingDone = tenant?.archived === true && audience === 'tenant' && SCOPES[scope]?.done !== undefined;
  if (id === undefined)
    return nothingDone ? { allowed: false, code: 'state_forbids', reason: ARCHIVED } : { allowed: true };
  const reason = SCOPES[scope]?.whyNot({ world, caller, id, declared: scopesOfTenants(registry) });
  return reason ? { allowed: false, code: 'state_forbids', reason } : { allowed: true };
}

/** Lists the scopes of organizations. */
export function scopesOfTenants(registry: AbilityRegistry): string[] {
  return [...registry.all.values()].filter(({ audience }) => audience === 'tenant').map(({ scope }) => scope);
}

/** Returns whether the entity exists in the caller's tenant, or belongs to the caller. */
function exists(
  { sessions, satellites, identities }: World,
  { user, tenant }: Caller,
  { collection, id }: Subject,
): boolean {
  if (collection === 'sessions') return sessions.get(id)?.userId === user.id;
  if (collection === 'satellites') return satellites.has(id);
  if (collection === 'identities') return identities.get(id)?.userId === user.id;
  if (collection === 'tenants') return tenant?.id === id;
  const { members, roles, invitations } = tenant ?? {};
  return [members, roles, invitations].some(
    (all, n) => collection === ['members', 'roles', 'invitations'][n] && all?.has(id),
  );
}

function deny(code: keyof typeof REASONS): Decision {
  return { allowed: false, code, reason: REASONS[code] };
}
