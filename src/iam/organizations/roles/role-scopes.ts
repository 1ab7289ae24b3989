import type { AbilityRegistry } from '../../../ability/index.js';

/** The roles that every organization has. Their scopes follow from the declarations of the scopes. */
export const BUILT_IN_ROLES = [
  { key: 'owner', name: 'Owner' },
  { key: 'admin', name: 'Admin' },
  { key: 'member', name: 'Member' },
] as const;

export const OWNER = 'owner';
export const ADMIN = 'admin';

/**
 * What a role really holds. A built-in role's scopes follow from their declarations: an owner holds every scope of a tenant, the others those
 * that name them. Of any other role's, those count that are still declared: a module may have been taken out.
 */
export function scopesOf(
  registry: AbilityRegistry,
  {
    key,
    builtIn,
    scopes,
  }: { readonly key: string; readonly builtIn: boolean; readonly scopes: readonly string[] },
): string[] {
  if (!builtIn) return scopes.filter((scope) => registry.find(scope)?.audience === 'tenant');
  return [...registry.all.values()]
    .filter(({ audience, roles }) => audience === 'tenant' && (key === OWNER || roles.includes(key)))
    .map(({ scope }) => scope)
    .toSorted();
}
