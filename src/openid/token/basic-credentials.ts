/** Credentials of a client in an Authorization header. */
export interface BasicCredentials {
  readonly clientId: string;
  readonly secret: string;
}

/**
 * Reads the credentials of a client, each in form encoding (RFC 6749 section 2.3.1).
 * @returns null for another scheme, or a malformed header
 */
export function parseBasic(authorization: string): BasicCredentials | null {
  const [, encoded] = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization) ?? [];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon === -1) return null;
  try {
    return { clientId: decoded(text.slice(0, colon)), secret: decoded(text.slice(colon + 1)) };
  } catch {
    return null;
  }
}

/** @throws {URIError} if the form encoding is malformed */
function decoded(part: string): string {
  return /[%+]/.test(part) ? decodeURIComponent(part.replaceAll('+', ' ')) : part;
}
