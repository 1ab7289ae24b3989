import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import {
  findKeyShortfall,
  isSufficient,
  isVouchedFor,
  judgeSignIn,
  type MachinePrincipal,
  owesFactor,
  type SetSignInPolicy,
  type Shortfall,
  type SignInEvidence,
  type SignInVerdict,
  type TenantId,
  type UserId,
} from '../kernel/index.js';
import { AuthenticationCheck } from './authentication-check.js';
import { forbid, type Refusal } from './decision.js';
import { HeldScopes, TenantConnections } from './scopes/held-scopes.js';

/** Person whose sign-in is judged: a caller, or the owner of a grant. */
type SignedIn = SignInEvidence & { readonly userId: UserId };

const ACCEPTED: SignInVerdict = { accepted: true, secondFactorBy: null };

/**
 * Judges sign-ins by the policy of the organization that they are to open (ADR 36). Policy and
 * membership come from live caches, the evidence from a verified token or from the grant.
 */
@Injectable()
export class SignInCheck implements OnModuleInit {
  private heldScopes: HeldScopes;
  private connections: TenantConnections;

  constructor(
    private readonly authentication: AuthenticationCheck,
    private readonly modules: ModuleRef,
  ) {}

  onModuleInit(): void {
    this.heldScopes = this.modules.get(HeldScopes, { strict: false });
    this.connections = this.modules.get(TenantConnections, { strict: false });
  }

  /** Returns whether the tenant has a policy. */
  async hasPolicy(tenantId: TenantId): Promise<boolean> {
    return (await this.heldScopes.findConditions(tenantId, false)).signInPolicy !== null;
  }

  /** Judges a sign-in by the policy of a tenant, as it is cached. */
  async judge(person: SignedIn, tenantId: TenantId): Promise<SignInVerdict> {
    const { signInPolicy } = await this.heldScopes.findConditions(tenantId, false);
    return this.judgeBy(signInPolicy, person, tenantId);
  }

  /** Judges a sign-in by a policy of a tenant. Who is no member is refused by other checks. */
  async judgeBy(
    policy: SetSignInPolicy | null,
    person: SignedIn,
    tenantId: TenantId,
  ): Promise<SignInVerdict> {
    // Support does not sign in as the person: the organization decides by `supportAccess`.
    if (person.actorId !== undefined) return ACCEPTED;
    if (owesFactor(person, tenantId)) return { accepted: false, shortfall: { acr: 'aal2' } };
    if (policy === null) return ACCEPTED;
    const joinedAt = await this.heldScopes.findJoinedAt(person.userId, tenantId);
    if (joinedAt === null) return ACCEPTED;
    if (policy.sso === 'required' && (await this.findVoucher(person, tenantId)) === null) {
      const connectionId = await this.connections.findActiveId(tenantId);
      return { accepted: false, shortfall: { connectionId } };
    }
    return judgeSignIn(person, policy, joinedAt, tenantId);
  }

  /**
   * Returns what the sign-in behind a member's key lacks for the tenant; null for nothing.
   * @param acr strength of that sign-in
   */
  async findKeyShortfall(
    { userId, acr = 'aal1' }: Pick<MachinePrincipal, 'userId' | 'acr'>,
    policy: SetSignInPolicy,
    tenantId: TenantId,
  ): Promise<Shortfall | null> {
    const joinedAt = await this.heldScopes.findJoinedAt(userId, tenantId);
    return joinedAt && findKeyShortfall(acr, policy, joinedAt);
  }

  /**
   * Returns whether the person may enter without the connection that the tenant requires, as an
   * owner by two factors or a passkey of their own.
   */
  async isEmergency(person: SignedIn, tenantId: TenantId): Promise<boolean> {
    const { signInPolicy } = await this.heldScopes.findConditions(tenantId, false);
    return signInPolicy?.sso === 'required' && (await this.findVoucher(person, tenantId)) === 'in-emergency';
  }

  private async findVoucher(person: SignedIn, tenantId: TenantId): Promise<ReturnType<typeof isVouchedFor>> {
    const voucher = isVouchedFor(person, tenantId);
    if (voucher !== 'in-emergency') return voucher;
    return (await this.heldScopes.isOwner(person.userId, tenantId, false)) ? voucher : null;
  }

  /**
   * Requires a sign-in that the tenant accepts.
   * @throws {AppError} insufficient-user-authentication
   */
  async require(person: SignedIn, tenantId: TenantId): Promise<void> {
    const verdict = await this.judge(person, tenantId);
    if (verdict.accepted) return;
    const { shortfall } = verdict;
    throw await this.authentication.createRefusal(person, shortfall, reasonOfShortfall(person, shortfall));
  }
}

/** Returns the reason why a tenant refuses a sign-in: too weak, or else too old. */
export function reasonOfShortfall(
  evidence: SignInEvidence,
  { acr, newSession, isByOther, connectionId }: Shortfall,
): Refusal {
  if (connectionId !== undefined) return forbid('ability.tenant-connection');
  if (isByOther) return forbid('ability.tenant-other-connection');
  if (newSession) return forbid('ability.tenant-session-too-old');
  if (isSufficient(evidence, acr ?? 'aal1', undefined)) return forbid('ability.tenant-sign-in-too-old');
  return forbid(acr === 'phr' ? 'ability.tenant-passkey' : 'ability.tenant-second-factor');
}
