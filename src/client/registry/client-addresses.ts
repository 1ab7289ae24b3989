import { isPlainUrl } from '../../platform/config/index.js';
import { AppError, type Violation } from '../../platform/errors/index.js';

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
  const addresses: readonly (readonly [string, string | null | undefined])[] = [
    ...redirectUris.map((uri, n) => [`redirectUris[${n}]`, uri] as const),
    ...postLogoutRedirectUris.map((uri, n) => [`postLogoutRedirectUris[${n}]`, uri] as const),
    ['backchannelLogoutUri', backchannelLogoutUri],
    ['jwksUri', jwksUri],
    ['logoUri', logoUri],
  ];
  const violations = addresses.flatMap(([propertyPath, uri]): Violation[] =>
    typeof uri !== 'string' || isPlainUrl(uri) ? [] : [{ propertyPath, message: NOT_PLAIN }],
  );
  if (violations.length > 0) throw new AppError('validation-error', { violations });
}
