import type { FactorPlan } from './plan.js';
import type { Caller, World } from './world.js';

const MAX_AGE_SECONDS = 600;
/** Reason for a sign-in that is recent, but by one factor. */
export const WEAK = 'This needs a second factor. Confirm with yours, or add one first.';
export const TOO_LONG_AGO =
  'Your last sign-in is too long ago for this. Confirm that it is you, then try again.';

/** Reason where only the connection of an organization stands behind the session. */
export const NOT_OWN =
  'You signed in by an organization only. Confirm by a password or factor of yours, or set a password by mail.';

/**
 * Returns whether nothing but another organization's connection stands behind the session: the
 * caller's tenant accepts it, or does not. Each user of a world has an address to be mailed a code.
 */
export const isAssuredByOther = ({ key, assuredBy, tenant }: Caller): boolean =>
  key === null && assuredBy !== null && assuredBy !== tenant?.id;

/** Returns the factor of the sign-in that counts in the caller's tenant. */
export const factorIn = (caller: Caller): FactorPlan | null =>
  caller.tenant !== null && isAssuredByOther(caller) ? null : caller.factor;

/** Returns how long ago a factor was shown: a device is none. */
export const shownAgo = (factor: FactorPlan | null): number =>
  factor === null || factor.kind === 'device' ? Infinity : factor.ago;

/**
 * Returns the age of the last proof. A session has one time for all: a factor that counts in
 * another tenant gives a sign-in no strength, but renews it as its connection does.
 */
export const provedAgo = ({ signedInAgo, factor }: Caller): number => Math.min(signedInAgo, shownAgo(factor));

/** Returns whether the caller has a factor that counts somewhere in their session. */
const hasFactor = (world: World, { user, assuredBy, client, tenant }: Caller): boolean =>
  user.isEnrolled ||
  (user.isEnrolledInFirst &&
    assuredBy === world.tenants[0]!.id &&
    // A token of another client names no organization but its own.
    (client === null || assuredBy === tenant?.id));

/** Returns why a sign-in does not suffice for what is sensitive; null if it does. */
export function findWeakness(world: World, caller: Caller, byTwoFactors: boolean): string | null {
  const strongAgo = shownAgo(factorIn(caller));
  const isRecent = provedAgo(caller) <= MAX_AGE_SECONDS;
  const isEnrolled = hasFactor(world, caller);
  if (strongAgo <= MAX_AGE_SECONDS || (isRecent && !isEnrolled && !byTwoFactors)) return null;
  // None of its factors counts in this tenant: what is missing is something of the person's own.
  if (caller.tenant !== null && isAssuredByOther(caller) && (isEnrolled || byTwoFactors)) return NOT_OWN;
  return (isRecent || byTwoFactors) && strongAgo === Infinity ? WEAK : TOO_LONG_AGO;
}
