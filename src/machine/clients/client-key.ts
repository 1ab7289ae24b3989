import { createPublicKey } from 'node:crypto';
import { AppError } from '../../platform/errors/index.js';

/** Members that a public key must not have (RFC 7518, section 6). */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];
const MIN_RSA_BITS = 2_048;
const CURVES: Readonly<Record<string, readonly string[]>> = {
  'P-256': ['ES256'],
  'P-384': ['ES384'],
  Ed25519: ['EdDSA', 'Ed25519'],
};
const OF_RSA = ['RS256', 'PS256', 'RS384', 'PS384', 'RS512', 'PS512'];

/** Algorithms of assertions. No symmetric one: the service has public keys alone. */
export const ASSERTION_ALGORITHMS = [...Object.values(CURVES).flat(), ...OF_RSA];

/** @returns the algorithms that a public key can verify; none for a key that is not accepted */
export function algorithmsOf(jwk: Record<string, unknown>): readonly string[] {
  const { kty, crv } = jwk;
  if (kty === 'EC' || kty === 'OKP') return CURVES[String(crv)] ?? [];
  return kty === 'RSA' ? OF_RSA : [];
}

/** @throws {AppError} validation-error on the field if a key has a private member */
export function requirePublic(jwk: object | undefined, field = 'jwk'): void {
  if (jwk !== undefined && PRIVATE_MEMBERS.some((name) => name in jwk))
    throw AppError.violation(field, 'must be a public key, without its private members');
}

/** @returns why a public JSON Web Key is not accepted; null if it is */
export function findKeyFault(jwk: Record<string, unknown>): string | null {
  if (algorithmsOf(jwk).length === 0) return 'must be an RSA key, or one on P-256, P-384 or Ed25519';
  try {
    const key = createPublicKey({ key: jwk as never, format: 'jwk' });
    const bits = key.asymmetricKeyDetails?.modulusLength;
    return bits !== undefined && bits < MIN_RSA_BITS ? `must have at least ${MIN_RSA_BITS} bits` : null;
  } catch {
    return 'must be a valid JSON Web Key (RFC 7517)';
  }
}
