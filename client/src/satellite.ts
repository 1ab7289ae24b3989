import { createPkce, createRandomText } from './pkce.js';

/** Credentials of a registered satellite, for its server only. */
export interface SatelliteClient {
  readonly clientId: string;
  readonly clientSecret: string;
}

/**
 * A started sign-in, stored in the visit by the satellite's server until the visitor returns;
 * single-use.
 */
export interface PendingSatelliteSignIn {
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
 * Starts the sign-in of a satellite's visitor.
 * @param authorizationUrl the app's authorization page
 * @param redirectUri as registered, character by character
 * @returns the address to which to send the visitor, and what the server stores in the visit
 */
export async function startSatelliteSignIn(
  authorizationUrl: string,
  { clientId, redirectUri }: { readonly clientId: string; readonly redirectUri: string },
): Promise<{ readonly url: string; readonly pending: PendingSatelliteSignIn }> {
  const { codeVerifier, codeChallenge } = await createPkce();
  const state = createRandomText();
  const url = new URL(authorizationUrl);
  for (const [name, value] of Object.entries({ clientId, redirectUri, codeChallenge, state }))
    url.searchParams.set(name, value);
  return { url: url.href, pending: { state, codeVerifier } };
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
