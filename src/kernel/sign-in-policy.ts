import { type Acr, ACRS } from './acr.js';
import { acrOf, type Evidence, isSufficient } from './authentication-need.js';
import { timeOfId } from './new-id.js';
import type { PersonPrincipal, TenantId, Voucher } from './principal.js';

export const SECOND_FACTOR_RULES = ['optional', 'required', 'phishing_resistant'] as const;
export const SSO_RULES = ['optional', 'required'] as const;
export const SUPPORT_ACCESS = ['never', 'on_request', 'always'] as const;
export const STATION_RULES = ['off', 'workers', 'members'] as const;
export const PIN_RESET_RULES = ['second-factor', 'two-people'] as const;

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
  /** Maximum age of the session; null for the service's. */
  readonly sessionMaxHours: number | null;
  /** Whether the operators' support may enter. */
  readonly supportAccess: (typeof SUPPORT_ACCESS)[number];
  /** Who may sign in at shared stations: no person, those without an address, or all with a PIN. */
  readonly stations: (typeof STATION_RULES)[number];
  /** What the reset of a PIN takes: a second factor of the member who does it, or two members. */
  readonly pinReset: (typeof PIN_RESET_RULES)[number];
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
    'sessionId' | 'trustedDevice' | 'assuredBy' | 'assuredFactor' | 'ownProofMissing' | 'actorId'
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
  /** Only a connection of another organization has vouched for the person. */
  readonly ownProof?: true;
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
  session: SignInEvidence,
  policy: SetSignInPolicy,
  joinedAt: Date,
  tenantId: TenantId,
): SignInVerdict {
  const age = Date.now() - timeOfId(session.sessionId);
  if (policy.sessionMaxHours !== null && age > policy.sessionMaxHours * HOUR_MS)
    return { accepted: false, shortfall: { newSession: true } };
  const evidence = evidenceIn(session, tenantId);
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
 * Returns how a sign-in may open an organization that requires its own connection: the connection
 * has vouched, or it is an emergency sign-in, of an owner by two factors or their own passkey.
 * Connections of other organizations open nothing.
 */
export function findAssurance(evidence: SignInEvidence, tenantId: TenantId): Voucher | null {
  if (evidence.assuredBy?.includes(tenantId)) return 'by-connection';
  const { aal2Time, phrTime } = evidenceIn(evidence, tenantId);
  return aal2Time !== null || phrTime !== null ? 'in-emergency' : null;
}

/** What a session says about who has vouched for its person. */
export type Assurance = Pick<PersonPrincipal, 'assuredBy' | 'ownProofMissing'>;

/**
 * Returns whether nothing but the connection of another organization stands behind a session: its
 * administrator could be the caller (ADR 49).
 * @param tenantId what the session is to open; null for what is the person's, and of operators
 */
export function isOwnProofMissing(
  { ownProofMissing, assuredBy = [] }: Assurance,
  tenantId: TenantId | null,
): boolean {
  return ownProofMissing === true && (tenantId === null || !assuredBy.includes(tenantId));
}

/**
 * Returns the organizations whose factors count in a session besides the person's own: a factor
 * that was added when only a connection had vouched counts in the connection's organization.
 */
export function factorScopeOf({ ownProofMissing, assuredBy = [] }: Assurance): readonly TenantId[] {
  return ownProofMissing === true ? assuredBy : [];
}

/**
 * Returns the organization in which a factor counts that the session adds; null for the person's
 * own.
 */
export function assurerOf(assurance: Assurance): TenantId | null {
  return factorScopeOf(assurance)[0] ?? null;
}

/** Evidence, with what says where it counts. */
type CountedEvidence = Evidence & Assurance & Pick<PersonPrincipal, 'trustedDevice'>;

/** Returns the evidence that counts in an organization: none of another's connection or factors. */
export function evidenceIn<T extends CountedEvidence>(evidence: T, tenantId: TenantId): T {
  if (!isOwnProofMissing(evidence, tenantId)) return evidence;
  return { ...evidence, aal2Time: null, phrTime: null, trustedDevice: false };
}

/** Returns the evidence that counts in the selected organization; without one, all of it. */
export const selectedEvidence = <T extends CountedEvidence & Pick<PersonPrincipal, 'tenantId'>>(
  evidence: T,
): T => (evidence.tenantId === null ? evidence : evidenceIn(evidence, evidence.tenantId));

/**
 * Returns the strength of the sign-in behind a new key of a member, as the organization counts it:
 * a trusted device, or the factors of its own connection, as two factors.
 * @param policy null for an organization without one
 */
export function strengthOf(evidence: SignInEvidence, policy: SignInPolicy | null, tenantId: TenantId): Acr {
  const counted = evidenceIn(evidence, tenantId);
  const strength = acrOf(counted);
  if (strength !== 'aal1') return strength;
  const byDevice = policy?.trustedDevices === true && counted.trustedDevice;
  const byConnection = evidence.assuredFactor === true && evidence.assuredBy?.includes(tenantId);
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
  const byConnection = evidence.assuredFactor === true && evidence.assuredBy?.includes(tenantId);
  if (acr !== 'aal2' || (!byDevice && !byConnection)) return false;
  return maxAge === undefined || Date.now() - timeOfId(evidence.sessionId) <= maxAge * 1_000;
}

/** Grace days count from the policy, and for later members from their joining. */
function findGraceEnd({ graceDays, secondFactorSince }: SetSignInPolicy, joinedAt: Date): Date | null {
  if (secondFactorSince === null || graceDays === 0) return null;
  return new Date(Math.max(Date.parse(secondFactorSince), joinedAt.getTime()) + graceDays * DAY_MS);
}
