import { createPublicKey } from 'node:crypto';
import { ALGORITHMS } from './webauthn.js';
import type { PublishedKey } from '../../platform/crypto/index.js';

/** Labels of a COSE key (RFC 9052 section 7.1; RFC 9053 section 7; RFC 8230 section 4). */
const [TYPE, ALGORITHM, FIRST, SECOND, THIRD] = [1, 3, -1, -2, -3];
const MIN_RSA_BITS = 2_048;

/** Members of a public key in JSON (RFC 7518 section 6; RFC 8037). */
type PublicJwk = Pick<PublishedKey, 'kty' | 'crv' | 'x' | 'y' | 'n' | 'e'>;

/**
 * Checks a public key that was not verified by a registration: a known algorithm with parameters
 * that fit it, a point on the curve, and no short RSA key.
 * @param bytes COSE key
 */
export async function isUsableKey(bytes: Buffer): Promise<boolean> {
  const { decodeCredentialPublicKey } = await import('@simplewebauthn/server/helpers');
  try {
    const decoded: unknown = decodeCredentialPublicKey(new Uint8Array(bytes));
    if (!(decoded instanceof Map)) return false;
    const jwk = jwkOf(decoded);
    if (!jwk) return false;
    const { asymmetricKeyDetails } = createPublicKey({ key: jwk, format: 'jwk' });
    return (asymmetricKeyDetails?.modulusLength ?? MIN_RSA_BITS) >= MIN_RSA_BITS;
  } catch {
    return false; // no CBOR, or no such key
  }
}

/** @returns null unless the type and the curve are those of the algorithm */
function jwkOf(key: ReadonlyMap<unknown, unknown>): PublicJwk | null {
  if (!ALGORITHMS.includes(Number(key.get(ALGORITHM)))) return null;
  const text = (label: number): string => Buffer.from(key.get(label) as Uint8Array).toString('base64url');
  const is = (algorithm: number, type: number): boolean =>
    key.get(ALGORITHM) === algorithm && key.get(TYPE) === type;
  if (is(-7, 2) && key.get(FIRST) === 1) return { kty: 'EC', crv: 'P-256', x: text(SECOND), y: text(THIRD) };
  if (is(-8, 1) && key.get(FIRST) === 6) return { kty: 'OKP', crv: 'Ed25519', x: text(SECOND) };
  if (is(-257, 3)) return { kty: 'RSA', n: text(FIRST), e: text(SECOND) };
  return null;
}
