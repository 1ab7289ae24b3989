import { isPlainUrl } from '../../platform/config/index.js';
import { AppError, type Violation } from '../../platform/errors/index.js';
import { DEFAULT_GRANT_TYPES } from './client-protocol.js';
import type { ClientTraits } from './client.repository.js';

/** An address of a scheme that an app owns: a reversed domain (RFC 8252 section 7.1). */
const OWN_SCHEME = /^[a-z][a-z\d+-]*(?:\.[a-z\d+-]+)+:\/(?:\/?[A-Za-z\d][\w.~/-]*)?$/;

const NOT_PLAIN =
  'must be an https address (http for localhost) as a browser writes it, without user, fragment, wildcard or dot segments';

/**
 * Requires that the addresses of a client are spelled as they are compared: character by character.
 * @throws {AppError} validation-error on each that is not
 */
export function requireAddresses({
  redirectUris = [],
  postLogoutRedirectUris = [],
  backchannelLogoutUri,
  jwksUri,
  logoUri,
}: {
  readonly redirectUris?: readonly string[] | undefined;
  readonly postLogoutRedirectUris?: readonly string[] | undefined;
  readonly backchannelLogoutUri?: string | null | undefined;
  readonly jwksUri?: string | null | undefined;
  readonly logoUri?: string | null | undefined;
}): void {
  const returns = Object.entries({ redirectUris, postLogoutRedirectUris }).flatMap(([name, uris]) =>
    uris.map((uri, n) => [`${name}[${n}]`, uri] as const),
  );
  const others = Object.entries({ backchannelLogoutUri, jwksUri, logoUri });
  const violations = [
    ...returns.filter(([, uri]) => !isPlainUrl(uri) && !isOfOwnScheme(uri)),
    ...others.filter(([, uri]) => typeof uri === 'string' && !isPlainUrl(uri)),
  ].map(([propertyPath]): Violation => ({ propertyPath, message: NOT_PLAIN }));
  if (violations.length > 0) throw new AppError('validation-error', { violations });
}

/** Returns whether an address is of the scheme of an app, spelled as it is compared. */
const isOfOwnScheme = (uri: string): boolean => OWN_SCHEME.test(uri) && new URL(uri).href === uri;

/**
 * Requires that a client has the addresses that its type and grants need, and no others: codes are
 * sent to a redirect URI, and an app on the device of a person cannot keep a secret.
 * @throws {AppError} validation-error
 */
export function requireAddressesOfType({
  type,
  grantTypes,
  redirectUris,
  postLogoutRedirectUris = [],
}: Pick<ClientTraits, 'type' | 'redirectUris'> &
  Partial<Pick<ClientTraits, 'grantTypes' | 'postLogoutRedirectUris'>>): void {
  const grants: readonly string[] = grantTypes ?? DEFAULT_GRANT_TYPES;
  if (redirectUris.length === 0 && grants.includes('authorization_code'))
    throw AppError.violation('redirectUris', 'must have an address for the grant authorization_code');
  const lists = { redirectUris, postLogoutRedirectUris };
  for (const [name, uris] of Object.entries(lists)) {
    const own = uris.findIndex((uri) => !/^https?:/.test(uri));
    if (type !== 'public' && own !== -1)
      throw AppError.violation(`${name}[${own}]`, 'of a scheme of its own is for a public client only');
  }
}
