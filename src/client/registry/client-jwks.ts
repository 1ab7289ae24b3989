import { findKeyFault, requirePublic } from '../../machine/index.js';
import { AppError } from '../../platform/errors/index.js';
import type { ClientJwks } from './client-traits.js';
import type { ClientTraits } from './client.repository.js';

/**
 * Requires the keys of a client that authenticates by `private_key_jwt`, in one place, and none of
 * another.
 * @throws {AppError} validation-error on `jwks` or `jwksUri`
 */
export function requireKeysOfMethod({
  tokenEndpointAuthMethod: method,
  jwks = null,
  jwksUri = null,
}: Pick<ClientTraits, 'tokenEndpointAuthMethod'> & Partial<Pick<ClientTraits, 'jwks' | 'jwksUri'>>): void {
  if (method !== 'private_key_jwt') {
    if (jwks !== null || jwksUri !== null)
      throw AppError.violation(jwks === null ? 'jwksUri' : 'jwks', 'is for private_key_jwt only');
    return;
  }
  if ((jwks === null) === (jwksUri === null))
    throw AppError.violation('jwks', 'must be sent for private_key_jwt, or jwksUri, and not both');
  const keys = jwks?.keys ?? null;
  if (keys?.length === 0) throw AppError.violation('jwks.keys', 'must not be empty');
  const violations = (keys ?? []).flatMap((key, n) => {
    const message = findKeyFault({ ...key });
    return message === null ? [] : [{ propertyPath: `jwks.keys[${n}]`, message }];
  });
  if (violations.length > 0) throw new AppError('validation-error', { violations });
}

/** Keys in the body of a request, which has been validated. */
export interface KeysOfBody {
  readonly jwks?: ClientJwks | null;
}

/**
 * Requires that the keys of a body have no private members. Validation drops members that it does
 * not know, so that a private key would pass for a public one.
 * @throws {AppError} validation-error
 */
export function requirePublicKeys({ jwks }: KeysOfBody): void {
  jwks?.keys.forEach((key, n) => requirePublic(key, `jwks.keys[${n}]`));
}
