import { newPkce, randomText } from './pkce.js';

/** A satellite as it is registered; for its server alone, as it has the secret. */
export interface SatelliteClient {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** What the satellite's server keeps about a visitor who is away at the app: in the visit, and good for one return. */
export interface SatelliteDeparture {
  readonly state: string;
  readonly codeVerifier: string;
}

/** Who came back is not who was sent. The code has not been presented. */
export class StateMismatchError extends Error {
  override readonly name = 'StateMismatchError';

  constructor() {
    super('This sign-in was not begun in this visit. Start again.');
  }
}

/**
 * Sends a visitor of a satellite to the app.
 * @param handOverUrl the app's hand-over page
 * @param redirectUri as it is registered, character for character
 */
export async function startSatelliteSignIn(
  handOverUrl: string,
  { clientId, redirectUri }: { readonly clientId: string; readonly redirectUri: string },
): Promise<{ readonly url: string; readonly departure: SatelliteDeparture }> {
  const { codeVerifier, codeChallenge } = await newPkce();
  const state = randomText();
  const url = new URL(handOverUrl);
  for (const [name, value] of Object.entries({ clientId, redirectUri, codeChallenge, state }))
    url.searchParams.set(name, value);
  return { url: url.href, departure: { state, codeVerifier } };
}

/** The code in the address of the callback. @throws {StateMismatchError} */
export function codeOf(callbackUrl: string | URL, { state }: SatelliteDeparture): string {
  const { searchParams } = new URL(callbackUrl);
  const code = searchParams.get('code');
  if (code === null || searchParams.get('state') !== state) throw new StateMismatchError();
  return code;
}
