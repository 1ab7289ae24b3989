import type * as Library from '@simplewebauthn/server';
import type { AssertionCredential, RegistrationCredential } from './credential.js';

/** COSE algorithms (RFC 9053): ES256, EdDSA and RS256. */
export const ALGORITHMS = [-7, -8, -257];
/** Formats whose verification needs no list of vendors. We ask for no attestation. */
const ATTESTATION_FORMATS: readonly string[] = ['none', 'packed'];

/** Where passkeys of this service may be used. */
export interface RelyingParty {
  readonly rpId: string;
  readonly origins: readonly string[];
}

/** A credential as the authenticator made it. */
export interface NewCredential {
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly signCount: number;
  readonly backupEligible: boolean;
  readonly backedUp: boolean;
}

/** What an assertion says besides who signed it. */
export interface Assertion {
  readonly signCount: number;
  readonly backupEligible: boolean;
  readonly backedUp: boolean;
}

let library: Promise<typeof Library> | undefined;

/** Loads the library when it is first needed: it takes 28 MB (ADR 21). */
const load = (): Promise<typeof Library> => (library ??= import('@simplewebauthn/server'));

/**
 * Verifies a registration (WebAuthn section 7.1).
 * @returns null if it is not valid
 */
export async function verifyRegistration(
  { rpId, origins }: RelyingParty,
  credential: RegistrationCredential,
  challenge: string,
): Promise<NewCredential | null> {
  const { verifyRegistrationResponse } = await load();
  if (!isFromOwnPage(credential)) return null;
  const { registrationInfo } = await verifyRegistrationResponse({
    response: credential as never, // its fields are checked; the type has more that are not read
    expectedChallenge: challenge,
    expectedOrigin: [...origins],
    expectedRPID: rpId,
    expectedType: 'webauthn.create',
    requireUserPresence: true,
    requireUserVerification: true,
    supportedAlgorithmIDs: [...ALGORITHMS],
  }).catch(() => ({ registrationInfo: undefined })); // the library throws for each invalid value
  if (!registrationInfo || !ATTESTATION_FORMATS.includes(registrationInfo.fmt)) return null;
  const { id, publicKey, counter } = registrationInfo.credential;
  // The library does not compare them. The id of the response has the length that is allowed.
  if (id !== credential.id) return null;
  return {
    credentialId: Buffer.from(id, 'base64url'),
    publicKey: Buffer.from(publicKey),
    signCount: counter,
    backupEligible: registrationInfo.credentialDeviceType === 'multiDevice',
    backedUp: registrationInfo.credentialBackedUp,
  };
}

/**
 * Verifies an assertion (WebAuthn section 7.2) except its counter, which the statement that notes
 * the use compares.
 * @returns null if it is not valid
 */
export async function verifyAssertion(
  { rpId, origins }: RelyingParty,
  credential: AssertionCredential,
  challenge: string,
  publicKey: Buffer,
): Promise<Assertion | null> {
  const { verifyAuthenticationResponse } = await load();
  if (!isFromOwnPage(credential)) return null;
  const verified = await verifyAuthenticationResponse({
    response: credential as never, // as above
    expectedChallenge: challenge,
    expectedOrigin: [...origins],
    expectedRPID: rpId,
    expectedType: 'webauthn.get',
    requireUserVerification: true,
    credential: { id: credential.id, publicKey: new Uint8Array(publicKey), counter: 0 },
  }).catch(() => null);
  if (!verified?.verified) return null;
  const { newCounter, credentialDeviceType, credentialBackedUp } = verified.authenticationInfo;
  return {
    signCount: newCounter,
    backupEligible: credentialDeviceType === 'multiDevice',
    backedUp: credentialBackedUp,
  };
}

/**
 * Refuses ceremonies in a frame of another site, which the library accepts where the browser does
 * not name that site (WebAuthn section 5.8.1, `crossOrigin` and `topOrigin`).
 */
function isFromOwnPage({ response }: AssertionCredential | RegistrationCredential): boolean {
  try {
    const data = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString('utf8')) as object;
    const { crossOrigin = false, topOrigin } = data as Record<string, unknown>;
    return crossOrigin === false && topOrigin === undefined;
  } catch {
    return false;
  }
}
