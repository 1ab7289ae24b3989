import type { SignInPolicy } from '../../kernel/index.js';

/**
 * Returns whether the sign-in policy of an organization names a person for its stations.
 * @param hasAddress null for no person
 */
export const isNamedBy = (rule: SignInPolicy['stations'], hasAddress: boolean | null): boolean =>
  rule === 'members' || (rule === 'workers' && hasAddress !== true);
