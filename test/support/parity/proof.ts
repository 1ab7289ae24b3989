import type { Caller } from './world.js';

const MAX_AGE_SECONDS = 600;
/** Reason for a sign-in that is recent, but by one factor. */
export const WEAK = 'This needs a second factor. Confirm with yours, or add one first.';
export const TOO_LONG_AGO =
  'Your last sign-in is too long ago for this. Confirm that it is you, then try again.';

/** Returns why a sign-in does not suffice for what is sensitive; null if it does. */
export function findWeakness({ user, signedInAgo, factor }: Caller, byTwoFactors: boolean): string | null {
  const strongAgo = factor === null || factor.kind === 'device' ? Infinity : factor.ago;
  const isRecent = Math.min(signedInAgo, strongAgo) <= MAX_AGE_SECONDS;
  if (strongAgo <= MAX_AGE_SECONDS || (isRecent && !user.isEnrolled && !byTwoFactors)) return null;
  return (isRecent || byTwoFactors) && strongAgo === Infinity ? WEAK : TOO_LONG_AGO;
}
