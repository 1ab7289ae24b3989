import type { components } from './generated/openapi.js';

/** What a sign-in still needs after its first factor. No session has been started yet. */
export interface SecondFactorNeeded {
  /** To be sent with the second factor. Void after ten minutes, or five wrong answers. */
  readonly challenge: string;
  /**
   * The user's methods: of `totp`, `passkey` and `recovery_code`. Methods may be added; empty if
   * none can be used now.
   */
  readonly methods: readonly string[];
}

/** A second factor: the body of `second-factor`. */
export type SecondFactor = components['schemas']['SecondFactorDto'];

/** Registration by an invitation: the body of `register-invited`. */
export type InvitedRegistration = components['schemas']['InvitedRegistrationDto'];

/** A passkey that signs in alone, as `getPasskey` returns it. */
export type PasskeyProof = components['schemas']['PasskeyLoginDto'];

/** Options to create or use a passkey, as the operations that end in `/options` return them. */
export type CeremonyOptions = components['schemas']['CeremonyOptionsResponse'];
