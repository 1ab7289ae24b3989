import type { Client } from '../../client/index.js';

/** Returns whether the organization has allowed a client each of the scopes for all members. */
export function coversForMembers(
  { consentedScopes }: Pick<Client, 'consentedScopes'>,
  scopes: readonly string[],
): boolean {
  return consentedScopes.length > 0 && scopes.every((scope) => consentedScopes.includes(scope));
}
