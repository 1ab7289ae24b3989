import type { Client } from '../../client/index.js';
import { OAuthError } from './oauth-error.js';

/**
 * Requires that a client is registered for OpenID Connect, and for the grant type.
 * @throws {OAuthError} unauthorized_client
 */
export function requireGrantType(
  { satelliteCodes, grantTypes }: Pick<Client, 'satelliteCodes' | 'grantTypes'>,
  grantType: string | undefined,
): asserts grantType is Client['grantTypes'][number] {
  if (satelliteCodes)
    throw new OAuthError(
      'unauthorized_client',
      'The client is registered for satellite codes. Register another one for OpenID Connect.',
    );
  if (!(grantTypes as readonly (string | undefined)[]).includes(grantType))
    throw new OAuthError('unauthorized_client', 'The client is not registered for this grant type.');
}
