import type { IncomingMessage } from 'node:http';

/**
 * Returns all values of a header in order; Node keeps only the first value of some headers.
 * @param name in lower case
 */
export function headerValuesOf({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at] ?? '';
    if (given.length === name.length && given.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? '');
  }
  return values;
}

/** The token of a request (RFC 6750 section 2.1, RFC 9449 section 7.1). */
export interface Bearer {
  readonly token: string;
  /** Whether the scheme is DPoP, so that a proof of the token's key belongs to it. */
  readonly isBound: boolean;
}

const CREDENTIALS = /^(Bearer|DPoP) +([\w.~+/-]+=*)$/i;

/**
 * Returns the token of the Authorization header. Several headers have none: a proxy may have
 * checked the other one.
 */
export function bearerOf(request: IncomingMessage): Bearer | null {
  const [authorization = '', ...others] = headerValuesOf(request, 'authorization');
  const [, scheme = '', token] = CREDENTIALS.exec(authorization) ?? [];
  if (token === undefined || others.length > 0) return null;
  return { token, isBound: scheme.toLowerCase() === 'dpop' };
}
