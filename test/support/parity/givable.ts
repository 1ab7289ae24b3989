import type { Deed } from './scopes.js';
import { holds, isOwner, newId, type Role } from './world.js';

/**
 * One or two roles that the asker may give: all of whose scopes they hold, and the owner's only where they are one. Their own are among
 * them in our own app, so that there is always one; a satellite may have none to give.
 */
export function givableRoles({ asker, choice }: Deed): Role[] {
  const { user, tenant } = asker;
  const givable = [...(tenant?.roles.values() ?? [])].filter(
    ({ key, scopes }) =>
      scopes.every((scope) => holds(asker, scope)) &&
      (key !== 'owner' || (tenant !== null && isOwner(tenant, user.id))),
  );
  const [first, second] = [choice, choice >> 8].map((n) => givable[n % givable.length]);
  return [...new Set([first, second])].filter((role) => role !== undefined);
}

/** Some of the scopes that the asker may put into a role: those that they hold, and that organizations still have. */
export function givableScopes({ asker, choice, declared }: Deed): string[] {
  return declared.filter((scope, n) => holds(asker, scope) && ((choice >> (n % 30)) & 1) === 0);
}

/** Nobody has it yet. */
export function freshKey(): string {
  return `x${newId().toLowerCase()}`;
}
