import type { components } from './generated/openapi.js';

/** How a user confirms who they are: the body of `step-up`. */
export type Confirmation = components['schemas']['StepUpDto'];

/** What the service requires if the sign-in is too old (RFC 9470). */
export interface StepUpNeeded {
  /** Required strength: `aal2` for two factors, `phr` for a passkey. */
  readonly acr: 'aal1' | 'aal2' | 'phr';
  /** Maximum age of the sign-in, in seconds; null for any age. */
  readonly maxAge: number | null;
  /**
   * The user's methods for `step-up` that are strong enough; empty if they must sign in again by an
   * external provider. Methods may be added.
   */
  readonly methods: readonly string[];
  /** Whether the user has to add a second factor first. */
  readonly enrol: boolean;
  /**
   * Whether only an organization's provider has vouched for the user, who confirms by something of
   * their own. Without `methods` they have nothing: they set a password by mail, and sign in by it.
   */
  readonly ownProof: boolean;
}

/**
 * Asks the user to confirm who they are.
 * @returns the confirmation; `confirmed` if the app has called `stepUp` itself, for instance to
 *   show a wrong password at its field; null if the user declines
 */
export type OnStepUp = (needed: StepUpNeeded) => Promise<Confirmation | 'confirmed' | null>;
