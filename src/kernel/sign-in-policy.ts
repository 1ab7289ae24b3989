import { type Acr, ACRS } from './acr.js';
import { acrOf, type Evidence, isSufficient } from './authentication-need.js';
import { timeOfId } from './new-id.js';
import type { PersonPrincipal, TenantId } from './principal.js';

export const SECOND_FACTOR_RULES = ['optional', 'required', 'phishing_resistant'] as const;
export const SSO_RULES = ['optional', 'required'] as const;
export const SUPPORT_ACCESS = ['never', 'on_request', 'always'] as const;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What an organization asks of the sign-ins of its members. */
export interface SignInPolicy {
  /** `phishing_resistant`: a passkey. */
  readonly secondFactor: (typeof SECOND_FACTOR_RULES)[number];
  /** Days in which members may still enter without the second factor, to add one. */
  readonly graceDays: number;
  /** Whether members sign in by a connection of the organization. */
  readonly sso: (typeof SSO_RULES)[number];
  /** Whether a sign-in by a connection of another organization opens this one. */
  readonly otherConnections: boolean;
  /** Whether a trusted device stands in for the second factor. */
  readonly trustedDevices: boolean;
  /** Maximum age of the last proof; null for any. */
  readonly maxAuthAgeSeconds: number | null;
  /** Maximum age of the session; null for that of the service. */
  readonly sessionMaxHours: number | null;
  /** Whether the operators' support may enter. */
  readonly supportAccess: (typeof SUPPORT_ACCESS)[number];
}

/** A policy, with the time since which it asks for its second factor; null if it asks for none. */
export interface SetSignInPolicy extends SignInPolicy {
  /** ISO 8601, in UTC. */
  readonly secondFactorSince: string | null;
}

/** Evidence of a session, and its id, which holds the time at which it began. */
export type SignInEvidence = Evidence &
  Pick<
    PersonPrincipal,
    'sessionId' | 'trustedDevice' | 'vouchedBy' | 'vouchedFactor' | 'factorOwed' | 'actorId'
  >;

/**
 * What a sign-in lacks: a proof, or, with `newSession`, another sign-in, or one by the connection
 * of the organization, of which `connectionId` is null if it has none.
 */
export interface Shortfall {
  readonly acr?: Acr;
  /** Seconds. */
  readonly maxAge?: number;
  readonly newSession?: true;
  /** A connection of another organization has vouched, and nothing else. */
  readonly isByOther?: true;
  readonly connectionId?: string | null;
}

/** Judgement of a sign-in by a policy. */
export type SignInVerdict =
  | {
      readonly accepted: true;
      /** End of the grace days, if the sign-in is accepted only for their sake; otherwise null. */
      readonly secondFactorBy: Date | null;
    }
  | { readonly accepted: false; readonly shortfall: Shortfall };

const STRENGTHS: Readonly<Record<SignInPolicy['secondFactor'], Acr>> = {
  optional: 'aal1',
  required: 'aal2',
  phishing_resistant: 'phr',
};

/**
 * Judges the evidence of a session by the policy of an organization (ADR 36). A pure function of
 * its parameters and the time: everything that accepts a tenant asks this one.
 * @param joinedAt time at which the person became a member
 * @param tenantId the organization, whose own connection may have proved two factors
 */
export function judgeSignIn(
  evidence: SignInEvidence,
  policy: SetSignInPolicy,
  joinedAt: Date,
  tenantId: TenantId,
): SignInVerdict {
  const age = Date.now() - timeOfId(evidence.sessionId);
  if (policy.sessionMaxHours !== null && age > policy.sessionMaxHours * HOUR_MS)
    return { accepted: false, shortfall: { newSession: true } };
  if (policy.otherConnections === false && isByOtherAlone(evidence, tenantId))
    return { accepted: false, shortfall: { newSession: true, isByOther: true } };
  const full = needOf(evidence, policy, STRENGTHS[policy.secondFactor]);
  if (isMet(evidence, policy, full, tenantId)) return { accepted: true, secondFactorBy: null };
  const graceEndsAt = findGraceEnd(policy, joinedAt);
  if (graceEndsAt === null || Date.now() >= graceEndsAt.getTime())
    return { accepted: false, shortfall: full };
  const reduced = needOf(evidence, policy, 'aal1');
  return isMet(evidence, policy, reduced, tenantId)
    ? { accepted: true, secondFactorBy: graceEndsAt }
    : { accepted: false, shortfall: reduced };
}

/**
 * Returns whether a sign-in may open an organization that requires its own connection: the
 * connection has vouched, or it is an emergency sign-in, of an owner by two factors or a passkey of
 * their own. Connections of other organizations open nothing.
 */
export function isVouchedFor(
  evidence: SignInEvidence,
  tenantId: TenantId,
): 'by-connection' | 'in-emergency' | null {
  if (evidence.vouchedBy?.includes(tenantId)) return 'by-connection';
  return evidence.aal2Time !== null || evidence.phrTime !== null ? 'in-emergency' : null;
}

/**
 * Returns whether a session still owes the person's own second factor to this organization, or to
 * what is outside of all: that of another organization's connection was taken in its place.
 */
export function owesFactor(
  { factorOwed, aal2Time, vouchedBy = [] }: Pick<SignInEvidence, 'factorOwed' | 'aal2Time' | 'vouchedBy'>,
  tenantId: TenantId | null,
): boolean {
  const isOwn = tenantId !== null && vouchedBy.includes(tenantId);
  return factorOwed === true && aal2Time === null && !isOwn;
}

/**
 * Returns whether connections of other organizations have vouched for a session, and neither this
 * organization's nor a second factor or passkey of the person.
 */
function isByOtherAlone({ vouchedBy = [], aal2Time, phrTime }: SignInEvidence, tenantId: TenantId): boolean {
  return vouchedBy.length > 0 && !vouchedBy.includes(tenantId) && aal2Time === null && phrTime === null;
}

/**
 * Returns the strength of the sign-in behind a new key of a member, as the organization counts it:
 * a trusted device, or the factors of its own connection, as two factors.
 * @param policy null for an organization without one
 */
export function strengthOf(evidence: SignInEvidence, policy: SignInPolicy | null, tenantId: TenantId): Acr {
  const strength = acrOf(evidence);
  if (strength !== 'aal1') return strength;
  const byDevice = policy?.trustedDevices === true && evidence.trustedDevice;
  const byConnection = evidence.vouchedFactor === true && evidence.vouchedBy?.includes(tenantId);
  return byDevice || byConnection ? 'aal2' : 'aal1';
}

/**
 * Returns the strength that a key of a member lacks: the organization asks for it now, and the
 * grace days are over. How old the proof is does not count: a program cannot renew it.
 * @param acr strength of the sign-in that made the key
 * @returns null if it is strong enough
 */
export function findKeyShortfall(
  acr: Acr,
  policy: SetSignInPolicy,
  joinedAt: Date,
): (Shortfall & { readonly acr: Acr }) | null {
  const needed = STRENGTHS[policy.secondFactor];
  if (ACRS.indexOf(acr) >= ACRS.indexOf(needed)) return null;
  const graceEndsAt = findGraceEnd(policy, joinedAt);
  return graceEndsAt !== null && Date.now() < graceEndsAt.getTime() ? null : { acr: needed };
}

type PolicyNeed = Shortfall & { readonly acr: Acr };

/** A device that the organization does not trust stands in for a factor that the person has. */
function needOf(
  { trustedDevice }: SignInEvidence,
  { trustedDevices, maxAuthAgeSeconds }: SignInPolicy,
  strength: Acr,
): PolicyNeed {
  const acr = strength === 'aal1' && trustedDevice && !trustedDevices ? 'aal2' : strength;
  return { acr, ...(maxAuthAgeSeconds !== null && { maxAge: maxAuthAgeSeconds }) };
}

/**
 * A trusted device, and the factors of the organization's own connection, count from the sign-in:
 * no step-up renews them.
 */
function isMet(
  evidence: SignInEvidence,
  { trustedDevices }: SignInPolicy,
  { acr, maxAge }: PolicyNeed,
  tenantId: TenantId,
): boolean {
  if (isSufficient(evidence, acr, maxAge)) return true;
  const byDevice = trustedDevices && evidence.trustedDevice;
  const byConnection = evidence.vouchedFactor === true && evidence.vouchedBy?.includes(tenantId);
  if (acr !== 'aal2' || (!byDevice && !byConnection)) return false;
  return maxAge === undefined || Date.now() - timeOfId(evidence.sessionId) <= maxAge * 1_000;
}

/** Grace days count from the policy, and for later members from their joining. */
function findGraceEnd({ graceDays, secondFactorSince }: SetSignInPolicy, joinedAt: Date): Date | null {
  if (secondFactorSince === null || graceDays === 0) return null;
  return new Date(Math.max(Date.parse(secondFactorSince), joinedAt.getTime()) + graceDays * DAY_MS);
}
