import type { components } from './generated/openapi.js';

/** How a person confirms who they are: the body of `step-up`. */
export type Confirmation = components['schemas']['StepUpDto'];

/** What the service asks for where the sign-in is too long ago (RFC 9470). */
export interface StepUpNeeded {
  /** Maximum age of the sign-in, in seconds. */
  readonly maxAge: number;
  /** The person's own methods for `step-up`; empty where only a new external sign-in helps. Methods may be added. */
  readonly methods: readonly string[];
}

/**
 * Asks the person to confirm. Answers what they have given; `confirmed` where the app has called `stepUp` itself, for example to show a wrong
 * password where it was typed; or null where they do not want to.
 */
export type OnStepUp = (needed: StepUpNeeded) => Promise<Confirmation | 'confirmed' | null>;
