import { type Acr, type AuthenticationNeed, isSufficient, readEvidence } from './authentication.js';
import { createPkce, createRandomText } from './pkce.js';

/** Credentials of a registered satellite, for its server only. */
export interface SatelliteClient {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Picks the credentials, because the given object may have further fields. */
export function pickCredentials({ clientId, clientSecret }: SatelliteClient): SatelliteClient {
  return { clientId, clientSecret };
}

/**
 * A started sign-in, stored in the visit by the satellite's server until the visitor returns;
 * single-use.
 */
export interface PendingSatelliteSignIn extends AuthenticationNeed {
  readonly state: string;
  readonly codeVerifier: string;
}

/**
 * The browser that returned is not the one that was sent to sign in, or has returned before. The
 * code has not been presented.
 */
export class StateMismatchError extends Error {
  override readonly name = 'StateMismatchError';

  constructor() {
    super('This sign-in was not started here, or has been completed. Start again.');
  }
}

/** The visitor has declined to sign in at the satellite. */
export class SignInDeclinedError extends Error {
  override readonly name = 'SignInDeclinedError';

  constructor() {
    super('You have declined the sign-in. You can start it again.');
  }
}

/**
 * The visitor has come back with a weaker or older sign-in than the satellite has asked for: its
 * request goes through the visitor's browser, where it can be changed.
 */
export class WeakSignInError extends Error {
  override readonly name = 'WeakSignInError';

  constructor() {
    super('This page asks for a stronger or more recent sign-in. Start again.');
  }
}

/** Request of a satellite. */
export interface SatelliteRequest extends AuthenticationNeed {
  readonly clientId: string;
  readonly redirectUri: string;
}

/**
 * Starts the sign-in of a satellite's visitor.
 * @param authorizationUrl the app's authorization page
 * @param request `redirectUri` as registered, character by character; `acr` and `maxAge` for a
 *   stronger or more recent sign-in
 * @returns the address to which to send the visitor, and what the server stores in the visit
 */
export async function startSatelliteSignIn(
  authorizationUrl: string,
  { clientId, redirectUri, acr, maxAge }: SatelliteRequest,
): Promise<{ readonly url: string; readonly pending: PendingSatelliteSignIn }> {
  const { codeVerifier, codeChallenge } = await createPkce();
  const state = createRandomText();
  const url = new URL(authorizationUrl);
  const need = { ...(acr && { acr }), ...(maxAge !== undefined && { maxAge }) };
  for (const [name, value] of Object.entries({ clientId, redirectUri, codeChallenge, state, ...need }))
    url.searchParams.set(name, String(value));
  return { url: url.href, pending: { state, codeVerifier, ...need } };
}

/** Reads the query with which a satellite sends a browser to the authorization page. */
export function readRequest(query: URLSearchParams): SatelliteRequest & { readonly codeChallenge: string } {
  const [acr, maxAge] = [query.get('acr'), query.get('maxAge')];
  return {
    clientId: query.get('clientId') ?? '',
    redirectUri: query.get('redirectUri') ?? '',
    codeChallenge: query.get('codeChallenge') ?? '',
    ...(acr !== null && { acr: acr as Acr }),
    ...(maxAge !== null && { maxAge: Number(maxAge) }),
  };
}

/**
 * Returns the address at which the satellite gets its code.
 * @param issued response of the service, which names a registered address only
 */
export function returnUrl(
  { redirectUri, code }: { redirectUri: string; code: string },
  state: string,
): string {
  const url = new URL(redirectUri);
  url.searchParams.set('code', code);
  url.searchParams.set('state', state);
  return url.href;
}

/**
 * Reads the code in the address of the callback.
 * @throws {StateMismatchError}
 * @throws {SignInDeclinedError}
 */
export function readCode(callbackUrl: string | URL, { state }: PendingSatelliteSignIn): string {
  const { searchParams } = new URL(callbackUrl);
  const code = searchParams.get('code');
  if (searchParams.get('state') !== state) throw new StateMismatchError();
  if (searchParams.get('error') === 'access_denied') throw new SignInDeclinedError();
  if (code === null) throw new StateMismatchError();
  return code;
}

/** Seconds that may pass from the issue of a code to here: its lifetime. */
const CODE_LIFETIME_SECONDS = 60;

/**
 * Checks the sign-in that the visitor has come back with.
 * @param accessToken as the service has answered the exchange
 * @throws {WeakSignInError}
 */
export function requireSignIn(accessToken: string, { acr, maxAge }: AuthenticationNeed): void {
  const allowed = {
    ...(acr && { acr }),
    ...(maxAge !== undefined && { maxAge: maxAge + CODE_LIFETIME_SECONDS }),
  };
  if (!isSufficient(readEvidence(accessToken), allowed)) throw new WeakSignInError();
}
