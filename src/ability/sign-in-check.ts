import { Injectable } from '@nestjs/common';
import {
  evidenceIn,
  findKeyShortfall,
  isSufficient,
  findAssurance,
  judgeSignIn,
  type MachinePrincipal,
  isOwnProofMissing,
  type Principal,
  type SetSignInPolicy,
  type Shortfall,
  type SignInEvidence,
  type SignInVerdict,
  type TenantId,
  type UserId,
} from '../kernel/index.js';
import { AuthenticationCheck, OWN_PROOF, SignInConditions } from './authentication-check.js';
import { type Denial, denyByAuthentication, forbid, type Refusal } from './decision.js';
import { HeldScopes, type TenantConditions } from './scopes/held-scopes.js';

/** Person whose sign-in is judged: a caller, or the owner of a grant. */
type SignedIn = SignInEvidence & { readonly userId: UserId };

/** What a tenant asks of sign-ins. */
type AskedByTenant = Pick<TenantConditions, 'signInPolicy' | 'otherConnections'>;

const ACCEPTED: SignInVerdict = { accepted: true, secondFactorBy: null };

/**
 * Judges sign-ins by the policy of the organization that they are to open (ADR 36). Policy and
 * membership come from live caches, the evidence from a verified token or from the grant.
 */
@Injectable()
export class SignInCheck {
  constructor(
    private readonly authentication: AuthenticationCheck,
    private readonly held: HeldScopes,
    private readonly conditions: SignInConditions,
  ) {}

  /** Returns whether the tenant has a policy. */
  async hasPolicy(tenantId: TenantId): Promise<boolean> {
    return (await this.held.members.findConditions(tenantId, false)).signInPolicy !== null;
  }

  /** Judges a sign-in by the policy of a tenant, as it is cached. */
  async judge(person: SignedIn, tenantId: TenantId): Promise<SignInVerdict> {
    return this.judgeBy(await this.held.members.findConditions(tenantId, false), person, tenantId);
  }

  /**
   * Judges a sign-in by what a tenant asks. People who are no members are refused by other checks.
   */
  private async judgeBy(
    { signInPolicy: policy, otherConnections }: AskedByTenant,
    person: SignedIn,
    tenantId: TenantId,
  ): Promise<SignInVerdict> {
    // Support does not sign in as the person: the organization decides by `supportAccess`.
    if (person.actorId !== undefined) return ACCEPTED;
    const joinedAt = policy && (await this.held.members.findJoinedAt(person.userId, tenantId));
    if (joinedAt && policy.sso === 'required' && (await this.findAssuranceOf(person, tenantId)) === null) {
      const connection = await this.conditions.connections.findOfTenant(tenantId);
      return { accepted: false, shortfall: { connectionId: connection?.id ?? null } };
    }
    if (isOwnProofMissing(person, tenantId) && !(otherConnections && (await this.hasNoFactor(person))))
      return { accepted: false, shortfall: OWN_PROOF };
    if (policy === null || joinedAt === null) return ACCEPTED;
    const verdict = judgeSignIn(person, policy, joinedAt, tenantId);
    const lacksStrength = !verdict.accepted && (verdict.shortfall.acr ?? 'aal1') !== 'aal1';
    // No factor of this session counts here, and neither would one that it adds.
    if (lacksStrength && isOwnProofMissing(person, tenantId))
      return { accepted: false, shortfall: OWN_PROOF };
    return verdict;
  }

  /** Returns the denial if the tenant refuses the sign-in of a person, or behind a key. */
  async findDenial(principal: Principal, conditions: TenantConditions): Promise<Denial | null> {
    const { signInPolicy: policy } = conditions;
    const { tenantId } = principal;
    if (tenantId === null) return null;
    if (principal.kind === 'machine') return policy && this.findKeyDenial(principal, policy);
    if (policy === null && principal.ownProofMissing !== true) return null;
    const verdict = await this.judgeBy(conditions, principal, tenantId);
    if (verdict.accepted) return null;
    const { shortfall } = verdict;
    return denyByAuthentication(shortfall, reasonOfShortfall(principal, shortfall, tenantId));
  }

  /** A service account has no sign-in; a key of a member has the one that made it. */
  private async findKeyDenial(principal: MachinePrincipal, policy: SetSignInPolicy): Promise<Denial | null> {
    if (principal.owner !== 'person') return null;
    const shortfall = await this.findKeyShortfall(principal, policy, principal.tenantId);
    if (shortfall === null) return null;
    const reason = shortfall.connectionId === undefined ? 'ability.key-too-weak' : 'ability.key-without-sso';
    return denyByAuthentication(shortfall, forbid(reason));
  }

  /**
   * Returns what the sign-in behind a member's key lacks for the tenant, judged as a sign-in is;
   * null for nothing. Takes policy, membership and owners from the live caches.
   * @param acr strength of that sign-in
   */
  private async findKeyShortfall(
    { userId, acr = 'aal1', voucher }: Pick<MachinePrincipal, 'userId' | 'acr' | 'voucher'>,
    policy: SetSignInPolicy,
    tenantId: TenantId,
  ): Promise<Shortfall | null> {
    const joinedAt = await this.held.members.findJoinedAt(userId, tenantId);
    if (joinedAt === null) return null;
    if (policy.sso === 'required' && voucher !== 'by-connection') {
      const isEmergency =
        voucher === 'in-emergency' && (await this.held.members.isOwner(userId, tenantId, false));
      if (!isEmergency) return { connectionId: null };
    }
    return findKeyShortfall(acr, policy, joinedAt);
  }

  /**
   * Returns what a member's key lacks for its tenant by the policy in force; null for nothing.
   * @returns as for a sign-in
   */
  async judgeKey(
    key: Pick<MachinePrincipal, 'userId' | 'acr' | 'voucher'>,
    tenantId: TenantId,
  ): Promise<Shortfall | null> {
    const { signInPolicy } = await this.held.members.findConditions(tenantId, false);
    return signInPolicy && this.findKeyShortfall(key, signInPolicy, tenantId);
  }

  /**
   * Returns whether the person may enter without the connection that the tenant requires, as an
   * owner by two factors or their own passkey.
   */
  async isEmergency(person: SignedIn, tenantId: TenantId): Promise<boolean> {
    const { signInPolicy } = await this.held.members.findConditions(tenantId, false);
    return (
      signInPolicy?.sso === 'required' && (await this.findAssuranceOf(person, tenantId)) === 'in-emergency'
    );
  }

  /** A person who has a second factor shows it at each sign-in, also by a connection. */
  private async hasNoFactor({ userId }: SignedIn): Promise<boolean> {
    return !(await this.authentication.hasOwnSecondFactor(userId));
  }

  private async findAssuranceOf(
    person: SignedIn,
    tenantId: TenantId,
  ): Promise<ReturnType<typeof findAssurance>> {
    const assurance = findAssurance(person, tenantId);
    if (assurance !== 'in-emergency') return assurance;
    return (await this.held.members.isOwner(person.userId, tenantId, false)) ? assurance : null;
  }

  /**
   * Requires a sign-in that the tenant accepts.
   * @throws {AppError} insufficient-user-authentication
   */
  async require(person: SignedIn, tenantId: TenantId): Promise<void> {
    const verdict = await this.judge(person, tenantId);
    if (verdict.accepted) return;
    const { shortfall } = verdict;
    const reason = reasonOfShortfall(person, shortfall, tenantId);
    throw await this.authentication.createRefusal(person, shortfall, reason);
  }
}

/** Returns the reason why a tenant refuses a sign-in: too weak, or else too old. */
function reasonOfShortfall(
  evidence: SignInEvidence,
  { acr, newSession, ownProof, connectionId }: Shortfall,
  tenantId: TenantId,
): Refusal {
  if (connectionId !== undefined) return forbid('ability.tenant-connection');
  if (ownProof) return forbid('ability.tenant-other-connection');
  if (newSession) return forbid('ability.tenant-session-too-old');
  if (isSufficient(evidenceIn(evidence, tenantId), acr ?? 'aal1', undefined))
    return forbid('ability.tenant-sign-in-too-old');
  return forbid(acr === 'phr' ? 'ability.tenant-passkey' : 'ability.tenant-second-factor');
}
