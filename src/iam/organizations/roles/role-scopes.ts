import type { AbilityRegistry } from '../../../ability/index.js';
import type { RoleEntity } from './role.entity.js';

/** Roles of every organization. Their scopes follow from the declarations of the scopes. */
export const BUILT_IN_ROLES = [
  { key: 'owner', name: 'Owner' },
  { key: 'admin', name: 'Admin' },
  { key: 'member', name: 'Member' },
] as const;

export const OWNER = 'owner';
export const ADMIN = 'admin';
export const MEMBER = 'member';

/**
 * Returns the scopes that a role holds. For a built-in role they follow from the declarations: the
 * owner holds every scope of a tenant, the others those that name them. For any other role they are
 * the stored scopes that are still declared, because a module may have been removed.
 */
export function scopesOf(
  registry: AbilityRegistry,
  { key, builtIn, scopes }: Pick<RoleEntity, 'key' | 'builtIn' | 'scopes'>,
): string[] {
  if (!builtIn) return scopes.filter((scope) => registry.find(scope)?.audience === 'tenant');
  return [...registry.all.values()]
    .filter(({ audience, roles }) => audience === 'tenant' && (key === OWNER || roles.includes(key)))
    .map(({ scope }) => scope)
    .toSorted();
}
