import type { AbilityRegistry } from '../../ability/index.js';

/** The roles that every organization has. Their scopes follow from the declarations of the scopes. */
export const BUILT_IN_ROLES = [
  { key: 'owner', name: 'Owner' },
  { key: 'admin', name: 'Admin' },
  { key: 'member', name: 'Member' },
] as const;

export const OWNER = 'owner';
export const ADMIN = 'admin';

/** The scopes of a built-in role: an owner holds every scope of a tenant, the others those that name them. */
export function builtInScopes(registry: AbilityRegistry, key: string): string[] {
  return [...registry.all.values()]
    .filter(({ audience, roles }) => audience === 'tenant' && (key === OWNER || roles.includes(key)))
    .map(({ scope }) => scope)
    .toSorted();
}
