import { constants, type KeyObject, verify } from 'node:crypto';

/** Size of an RSA key at least (RFC 7518 section 3.3). */
const MIN_RSA_BITS = 2_048;

/**
 * Verifies the signature of a compact JWS (RFC 7518 section 3.1, RFC 8037) in the calling thread:
 * another one takes half as much again (ADR 84).
 * @param alg algorithm for which the key was chosen
 * @param content header and payload, as they were signed
 * @param signature in base64url
 */
export function hasSignature(alg: string, key: KeyObject, content: string, signature: string): boolean {
  if ((key.asymmetricKeyDetails?.modulusLength ?? MIN_RSA_BITS) < MIN_RSA_BITS) return false;
  const [, family, bits] = /^(RS|PS|ES)(256|384|512)$/.exec(alg) ?? [];
  const digest = bits === undefined ? null : `sha${bits}`; // Ed25519 has its own
  const parameters = {
    key,
    ...(family === 'ES' && { dsaEncoding: 'ieee-p1363' as const }),
    ...(family === 'PS' && {
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
    }),
  };
  return verify(digest, Buffer.from(content, 'latin1'), parameters, Buffer.from(signature, 'base64url'));
}
