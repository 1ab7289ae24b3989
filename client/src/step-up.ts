import type { components } from './generated/openapi.js';

/** How a user confirms who they are: the body of `step-up`. */
export type Confirmation = components['schemas']['StepUpDto'];

/** What the service requires if the sign-in is too old (RFC 9470). */
export interface StepUpNeeded {
  /** Maximum age of the sign-in, in seconds. */
  readonly maxAge: number;
  /**
   * The user's methods for `step-up`; empty if they must sign in again by an external provider.
   * Methods may be added.
   */
  readonly methods: readonly string[];
}

/**
 * Asks the user to confirm who they are.
 * @returns the confirmation; `confirmed` if the app has called `stepUp` itself, for instance to
 *   show a wrong password at its field; null if the user declines
 */
export type OnStepUp = (needed: StepUpNeeded) => Promise<Confirmation | 'confirmed' | null>;
