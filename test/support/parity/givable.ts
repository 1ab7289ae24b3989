import type { Deed } from './facts.js';
import { findWeakness } from './proof.js';
import { holds, isOwner, newId, type Role } from './world.js';

/**
 * Chooses one or two roles that the caller may give: they hold all scopes of the role, and only an
 * owner who has signed in recently gives the owner's. In the first-party app these mostly include
 * the caller's own roles; by a satellite there may be none.
 */
export function givableRoles({ world, caller, choice }: Deed): Role[] {
  const { user, tenant } = caller;
  const givable = [...(tenant?.roles.values() ?? [])].filter(
    ({ key, scopes }) =>
      scopes.every((scope) => holds(caller, scope)) &&
      (key !== 'owner' ||
        (tenant !== null && isOwner(tenant, user.id) && findWeakness(world, caller, false) === null)),
  );
  const [first, second] = [choice, choice >> 8].map((n) => givable[n % givable.length]);
  return [...new Set([first, second])].filter((role) => role !== undefined);
}

/** Names {@link givableRoles} as a body does; null if there is none. */
export function givableKeys(deed: Deed): { roles: string[] } | null {
  const roles = givableRoles(deed).map(({ key }) => key);
  return roles.length > 0 ? { roles } : null;
}

/** Chooses scopes that the caller may put into a role: held by the caller, and declared. */
export function givableScopes({ caller, choice, declared }: Deed): string[] {
  return declared.filter((scope, n) => holds(caller, scope) && ((choice >> (n % 30)) & 1) === 0);
}

/** Returns a key that is not in use. */
export function freshKey(): string {
  return `x${newId().toLowerCase()}`;
}
