import type { ScopePredicate } from '../../ability/index.js';
import type { SetupIntent } from './setup-link.entity.js';

/** Scopes that the creator of a link must hold, when it is created and at each use. */
export const SCOPES_OF_INTENTS: Readonly<Record<SetupIntent, readonly string[]>> = {
  sso: ['iam:connection:create', 'iam:connection:update', 'iam:connection:test', 'iam:domain:read'],
  domain: ['iam:domain:create', 'iam:domain:verify'],
  directory: ['iam:directory:create', 'iam:directory-token:create'],
  certificate: ['iam:connection:update'],
};

/** Returns the intents whose scopes a member holds. @param holds null for no member */
export function intentsOf(intents: readonly SetupIntent[], holds: ScopePredicate | null): SetupIntent[] {
  return intents.filter((intent) => SCOPES_OF_INTENTS[intent].every((scope) => holds?.(scope) === true));
}
