import { SCOPE_SHAPE } from '../ability/index.js';
import { type Client, isClientUrl } from '../client/index.js';
import { type ApiTarget, plainScopesOf, scopesOfApi } from './apis/api-scopes.js';

/**
 * Scopes of OpenID Connect. `tenant` adds the selected organization and the person's roles there;
 * `offline_access` changes nothing, as a client has refresh tokens by its registration.
 */
export const OPENID_SCOPES = ['openid', 'profile', 'email', 'tenant', 'offline_access'] as const;

/** Of a request without `scope`, with the permissions of the client (RFC 6749 section 3.3). */
const DEFAULT_SCOPES = ['openid', 'profile', 'email'];

/**
 * Returns the scopes of a request that the client can be given: those of OpenID Connect, and the
 * permissions of its registration. Others are ignored (OpenID Connect Core section 3.1.2.1).
 * @param requested undefined for the default set of the client
 * @param target API that the request is for; null for this service. A request for an API is given
 *   no permissions of this service
 */
export function scopesOf(
  client: Pick<Client, 'clientId' | 'scopes'>,
  requested: string | undefined,
  target: ApiTarget | null,
): string[] {
  if (target) {
    // A client by metadata is unchecked: it learns neither name nor address.
    const isOpen = isClientUrl(client.clientId) ? isOfAgents : isOfOpenId;
    const openid = requested?.split(' ').filter(isOpen) ?? [];
    return [...new Set([...openid, ...scopesOfApi(target, requested)])];
  }
  if (requested === undefined) return [...DEFAULT_SCOPES, ...client.scopes.filter((scope) => scope !== '*')];
  const isKnown = (scope: string): boolean =>
    isOfOpenId(scope) ||
    (SCOPE_SHAPE.test(scope) && (client.scopes.includes(scope) || client.scopes.includes('*')));
  return [...new Set(requested.split(' '))].filter(isKnown);
}

const isOfAgents = (scope: string): boolean => scope === 'openid' || scope === 'offline_access';
const isOfOpenId = (scope: string): boolean => (OPENID_SCOPES as readonly string[]).includes(scope);

/** Returns whether a grant of these scopes is one for an organization. */
export function concernsTenant(scopes: readonly string[]): boolean {
  return plainScopesOf(scopes).some((scope) => scope === 'tenant' || scope.includes(':'));
}
