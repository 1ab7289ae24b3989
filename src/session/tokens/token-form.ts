/** Characters. A longer token is refused before it is parsed. */
const MAX_TOKEN_LENGTH = 8_192;
/**
 * Canonical compact form (RFC 7515 section 3.1). The last of the 86 characters of an ES256
 * signature carries two bits; decoders ignore its other four, so that other spellings must be
 * refused here.
 */
const COMPACT_FORM = /^[\w-]+\.[\w-]+\.[\w-]{85}[AQgw]$/;

export const isTooLong = (token: string): boolean => token.length > MAX_TOKEN_LENGTH;

export const isCanonical = (token: string): boolean => COMPACT_FORM.test(token);

/**
 * Finds the key id of a token with this service's header. Headers that name other keys or
 * processing rules (jku, jwk, x5u, crit) are refused.
 * @returns null for any other header
 */
export function findKeyId(token: string): string | null {
  try {
    const header = JSON.parse(
      Buffer.from(token.slice(0, token.indexOf('.')), 'base64url').toString('utf8'),
    ) as Record<string, unknown>;
    const ours =
      header['typ'] === 'at+jwt' &&
      header['alg'] === 'ES256' &&
      Object.keys(header).every((name) => ['typ', 'alg', 'kid'].includes(name));
    return ours && typeof header['kid'] === 'string' ? header['kid'] : null;
  } catch {
    return null;
  }
}
