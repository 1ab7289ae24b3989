/** Characters. A longer token is refused before it is parsed. */
const MAX_TOKEN_LENGTH = 8_192;
/**
 * Canonical compact form (RFC 7515 section 3.1). The last of the 86 characters of an ES256
 * signature carries two bits; decoders ignore its other four, so that other spellings must be
 * refused here. A signature by a key of 3072 bits has no unused bits.
 */
const COMPACT_FORMS = {
  ES256: /^[\w-]+\.[\w-]+\.[\w-]{85}[AQgw]$/,
  RS256: /^[\w-]+\.[\w-]+\.[\w-]{512}$/,
} as const;

/** Which key verifies a token, and by which algorithm. */
export interface TokenKey {
  readonly kid: string;
  readonly alg: keyof typeof COMPACT_FORMS;
}

export const isTooLong = (token: string): boolean => token.length > MAX_TOKEN_LENGTH;

export const isCanonical = (token: string, { alg }: TokenKey): boolean => COMPACT_FORMS[alg].test(token);

/**
 * Finds the key of a token with this service's header. Headers that name other keys or processing
 * rules (jku, jwk, x5u, crit) are refused.
 * @returns null for any other header
 */
export function findTokenKey(token: string): TokenKey | null {
  try {
    const header = JSON.parse(
      Buffer.from(token.slice(0, token.indexOf('.')), 'base64url').toString('utf8'),
    ) as Record<string, unknown>;
    const { typ, alg, kid, ...others } = header;
    const isOurs = typ === 'at+jwt' && (alg === 'ES256' || alg === 'RS256') && typeof kid === 'string';
    return isOurs && Object.keys(others).length === 0 ? { kid, alg } : null;
  } catch {
    return null;
  }
}
