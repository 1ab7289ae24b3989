import type { Acr } from '../../../src/kernel/index.js';
import { factorIn, isAssuredByOther, provedAgo, shownAgo } from './proof.js';
import type { Caller, Policy } from './world.js';

const HOUR_SECONDS = 3_600;
const DAY_MS = 86_400_000;

/** Reasons for which a tenant refuses a sign-in. */
export const TENANT_REFUSALS = {
  factor: 'This organization requires a second factor. Confirm with yours, or add one first.',
  passkey: 'This organization requires a passkey. Confirm with yours, or add one first.',
  proofAge:
    'Your last sign-in is too long ago for this organization. Confirm that it is you, then try again.',
  sessionAge: 'Your session is too old for this organization. Sign in again.',
  connection:
    'You signed in by another organization only. Confirm by a password or factor of yours, or set a password by mail.',
  key: 'This key was made with a weaker sign-in than the organization asks for now. Make a new one.',
};

/** Levels of a sign-in: by one factor, by two, by passkey. */
type Level = 1 | 2 | 3;
const LEVELS: Readonly<Record<Policy['secondFactor'], Level>> = {
  optional: 1,
  required: 2,
  phishing_resistant: 3,
};

/**
 * Second, independent implementation of the judgement of a sign-in. Members have joined long ago,
 * and people whom a walk puts on a partnership just now.
 * @returns why the caller's tenant refuses it; null if it does not
 */
export function findShortfall(caller: Caller): string | null {
  const { user, tenant, key } = caller;
  const factor = factorIn(caller);
  // A user with their own factor shows it at each sign-in.
  if (isAssuredByOther(caller) && (!tenant?.otherConnections || user.isEnrolled))
    return TENANT_REFUSALS.connection;
  const policy = tenant?.policy ?? null;
  if (policy === null) return null;
  if (key !== null) return findShortfallOfKey(key.acr, policy);
  const { age } = user.session;
  if (policy.sessionMaxHours !== null && age > policy.sessionMaxHours * HOUR_SECONDS)
    return TENANT_REFUSALS.sessionAge;
  const byDevice = factor?.kind === 'device';
  const proofs: Record<Level, number> = {
    1: provedAgo(caller),
    2: shownAgo(factor),
    3: factor?.kind === 'passkey' ? factor.ago : Infinity,
  };
  const maxAge = policy.maxAuthAgeSeconds ?? Number.MAX_SAFE_INTEGER;
  const findLack = (level: Level): string | null => {
    const counted = level === 2 && byDevice && policy.trustedDevices ? age : proofs[level];
    if (counted <= maxAge) return null;
    // None of its factors counts here, and neither would a new one.
    if (level > 1 && isAssuredByOther(caller)) return TENANT_REFUSALS.connection;
    if (proofs[level] < Infinity) return TENANT_REFUSALS.proofAge;
    return level === 3 ? TENANT_REFUSALS.passkey : TENANT_REFUSALS.factor;
  };
  const least: Level = byDevice && !policy.trustedDevices ? 2 : 1;
  const { since, graceDays } = policy;
  const graceFrom = tenant?.newPartners.has(user.id) ? Date.now() : since;
  const inGrace = since !== null && Date.now() < graceFrom! + graceDays * DAY_MS;
  const lack = findLack(Math.max(least, LEVELS[policy.secondFactor]) as Level);
  return lack !== null && inGrace ? findLack(least) : lack;
}

/** A service account has no sign-in; a member's key has that of its making, however old it is. */
function findShortfallOfKey(acr: Acr | null, { secondFactor, since, graceDays }: Policy): string | null {
  if (acr === null || since === null) return null;
  const levels = { aal1: 1, aal2: 2, phr: 3 };
  if (levels[acr] >= LEVELS[secondFactor] || Date.now() < since + graceDays * DAY_MS) return null;
  return TENANT_REFUSALS.key;
}
