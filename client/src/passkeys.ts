import type { CeremonyOptions, PasskeyProof } from './second-factor.js';

type Ceremony = Pick<CeremonyOptions, 'ceremony' | 'publicKey'>;

/** Returns whether this browser can create and use passkeys, by the JSON of WebAuthn Level 3. */
export const canUsePasskeys = (): boolean =>
  typeof PublicKeyCredential !== 'undefined' &&
  'parseCreationOptionsFromJSON' in PublicKeyCredential &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential &&
  'toJSON' in PublicKeyCredential.prototype;

/**
 * Returns whether the browser suggests passkeys in a field with
 * `autocomplete="username webauthn"`.
 */
export async function canSuggestPasskeys(): Promise<boolean> {
  if (!canUsePasskeys() || !('isConditionalMediationAvailable' in PublicKeyCredential)) return false;
  return PublicKeyCredential.isConditionalMediationAvailable();
}

/**
 * Lets the user choose and confirm a passkey.
 * @param mediation `conditional` to suggest passkeys in a field, until the signal aborts
 * @returns what to send: to `signInWithPasskey`, `submitSecondFactor` or `stepUp`
 * @throws {DOMException} `NotAllowedError` if the user declines, or no passkey fits
 */
export async function getPasskey(
  { ceremony, publicKey }: Ceremony,
  { mediation, signal }: { mediation?: CredentialMediationRequirement; signal?: AbortSignal } = {},
): Promise<PasskeyProof> {
  const credential = await navigator.credentials.get({
    publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(
      publicKey as unknown as PublicKeyCredentialRequestOptionsJSON,
    ),
    ...(mediation && { mediation }),
    ...(signal && { signal }),
  });
  return { ceremony, credential: toJson(credential) };
}

/**
 * Creates a passkey on a device of the user.
 * @returns what to send to `/api/v1/iam/me/authenticators/passkeys`
 * @throws {DOMException} `NotAllowedError` if the user declines; `InvalidStateError` if the device
 *   has one already
 */
export async function createPasskey({ ceremony, publicKey }: Ceremony): Promise<PasskeyProof> {
  const credential = await navigator.credentials.create({
    publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(
      publicKey as unknown as PublicKeyCredentialCreationOptionsJSON,
    ),
  });
  return { ceremony, credential: toJson(credential) };
}

/** Passkeys of a signed-in user, as `/api/v1/iam/me/authenticators` returns them. */
export interface AcceptedPasskeys {
  readonly rpId: string;
  /** Null for a user who never began to add a passkey. */
  readonly userHandle: string | null;
  readonly acceptedCredentialIds: readonly string[];
}

/**
 * Tells the browser which passkeys of a signed-in user the service accepts, and what the user is
 * called now: it hides removed ones, and shows the address of today. Does nothing in browsers
 * without these signals.
 * @param name address of the user; `displayName` as `createPasskey` shows it
 */
export async function signalAcceptedPasskeys(
  { rpId, userHandle, acceptedCredentialIds }: AcceptedPasskeys,
  { name, displayName }: { readonly name: string; readonly displayName: string },
): Promise<void> {
  if (!canUsePasskeys() || userHandle === null) return;
  const userId = userHandle;
  if ('signalAllAcceptedCredentials' in PublicKeyCredential)
    await PublicKeyCredential.signalAllAcceptedCredentials({
      rpId,
      userId,
      allAcceptedCredentialIds: [...acceptedCredentialIds],
    });
  if ('signalCurrentUserDetails' in PublicKeyCredential)
    await PublicKeyCredential.signalCurrentUserDetails({ rpId, userId, name, displayName });
}

/**
 * Tells the browser that the service does not know a passkey, after a sign-in that was refused with
 * `credentialKnown` false.
 */
export async function signalUnknownPasskey(rpId: string, credentialId: string): Promise<void> {
  if (canUsePasskeys() && 'signalUnknownCredential' in PublicKeyCredential)
    await PublicKeyCredential.signalUnknownCredential({ rpId, credentialId });
}

const toJson = (credential: Credential | null): PasskeyProof['credential'] => ({
  ...(credential as PublicKeyCredential).toJSON(),
});
