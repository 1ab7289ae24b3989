import { Inject, Injectable } from '@nestjs/common';
import { ConnectionDirectory } from '../../connection/index.js';
import {
  AccountService,
  AuditTrail,
  MembershipDirectory,
  SIGN_IN_METHODS,
  SignInCounts,
} from '../../iam/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import {
  FIRST_PARTY_CLIENT,
  type Locked,
  newId,
  type PersonPrincipal,
  type SessionId,
  type TenantId,
  type UserId,
} from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import { Lifecycle } from '../../platform/lifecycle/index.js';
import type { Client } from '../../platform/web/index.js';
import type { Page } from '../../platform/api/index.js';
import { ASSERTION, type Proof, toColumns } from '../evidence/evidence.js';
import type { StartedGrant } from '../grants/grant.repository.js';
import { SessionRepository, type SessionSummary } from './session.repository.js';
import { UpstreamSessionRepository } from '../upstream/upstream-session.repository.js';
import { SignInNotices } from '../sign-in-notices/sign-in-notices.js';

/** Shared station at which a session begins. */
export interface StationEntry {
  readonly id: string;
  readonly tenantId: TenantId;
  /** Thumbprint of its key. */
  readonly jkt: string;
  readonly idleSeconds: number;
  /** Seconds until the session ends whatever its use. */
  readonly lifetimeSeconds: number;
}

/** Starts, locks and lists sessions. */
@Injectable()
export class SessionService {
  constructor(
    private readonly accounts: AccountService,
    private readonly sessions: SessionRepository,
    private readonly audit: AuditTrail,
    private readonly lifecycle: Lifecycle,
    private readonly signInNotices: SignInNotices,
    private readonly directory: MembershipDirectory,
    private readonly connections: ConnectionDirectory,
    private readonly upstreams: UpstreamSessionRepository,
    private readonly counts: SignInCounts,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Starts a session for a person who has proven who they are, by all factors that they have, and
   * whose account is active.
   * @param proofs evidence of the session, the first factor first
   * @param station where it begins, whose organization then vouches for the person; by default in a
   *   browser or app of the person's own
   * @returns the first-party grant of the session
   */
  async startSession(
    userId: Locked<UserId>,
    proofs: readonly Proof[],
    client: Client,
    station?: StationEntry,
  ): Promise<StartedGrant> {
    const sessionId = newId() as Locked<SessionId>;
    const grantId = newId();
    const { SESSION_TTL, REFRESH_IDLE_TTL } = this.settings;
    const lifetimeSeconds = Math.min(SESSION_TTL, station?.lifetimeSeconds ?? SESSION_TTL);
    const idleSeconds = station?.idleSeconds ?? REFRESH_IDLE_TTL;
    const assuredBy = station ? [station.tenantId] : await this.findAssurers(proofs);
    const trust = { assuredBy, ownProofMissing: assuredBy.length > 0 && !proofs.some(({ isOwn }) => isOwn) };
    const grant = {
      clientId: FIRST_PARTY_CLIENT,
      tenantId: await this.memberOf(userId, assuredBy[0]),
      dpopJkt: station?.jkt ?? null,
      stationId: station?.id ?? null,
    };
    const { startedAt: authTime, ended } = await this.sessions.insert({
      id: sessionId,
      userId,
      proofs,
      client,
      lifetimeSeconds,
      ...trust,
      grant: { id: grantId, ...grant, idleSeconds },
    });
    for (const { connectionId, upstream } of proofs)
      if (connectionId && upstream) await this.upstreams.insert(sessionId, connectionId, upstream);
    const { amr, isAal2, isPhr, isTrustedDevice, isAssuredFactor } = toColumns(proofs);
    if (ended.length > 0) await this.lifecycle.emit('session.ended', { sessionIds: ended });
    await this.audit.record(
      sessionEvent('started', userId, sessionId),
      ...ended.map((id) => sessionEvent('ended', userId, id)),
    );
    this.counts.signedIn(userId, methodOf(proofs[0], station), assuredBy[0] ?? null);
    const isAsserted = proofs.some(({ method }) => method === ASSERTION);
    if (!station && !isAsserted) await this.signInNotices.recordSignIn(userId, client);
    return {
      grantId,
      sessionId,
      userId,
      authTime,
      aal2Time: isAal2 ? authTime : null,
      phrTime: isPhr ? authTime : null,
      trustedDevice: isTrustedDevice,
      ...trust,
      assuredFactor: isAssuredFactor,
      ...grant,
      generation: 1,
      grantedScopes: null,
      amr,
      refreshExpiresIn: Math.min(idleSeconds, lifetimeSeconds),
    };
  }

  /** Returns whether one of these people has proven two factors, or a passkey, since a time. */
  hasStrongSession(userIds: readonly UserId[], since: Date): Promise<boolean> {
    return this.sessions.hasStrong(userIds, since);
  }

  /**
   * Returns the organization by whose connection the person signs in; none for another way.
   * @throws {AppError} unauthenticated if the connection was deleted since
   */
  async findAssurers(proofs: readonly Proof[]): Promise<TenantId[]> {
    const id = proofs.find(({ connectionId }) => connectionId)?.connectionId;
    if (!id) return [];
    const connection = await this.connections.find(id);
    if (!connection) throw new AppError('unauthenticated');
    return [connection.tenantId];
  }

  private async memberOf(userId: UserId, tenantId: TenantId | undefined): Promise<TenantId | null> {
    return tenantId !== undefined && (await this.directory.isMemberUncached(userId, tenantId))
      ? tenantId
      : null;
  }

  /**
   * Locks the account and the session, so that neither ends before the open transaction does.
   * @returns null if the session has ended
   * @throws {AppError} unauthenticated if the account does not exist
   */
  async lockForShare({
    userId,
    sessionId,
  }: Pick<PersonPrincipal, 'userId' | 'sessionId'>): Promise<Locked<SessionId> | null> {
    await this.accounts.requireForShare(userId); // a suspended account has no session that is alive
    return this.sessions.lockAliveForShare(sessionId);
  }

  /**
   * Lists the account's alive sessions, newest first.
   * @param query part of the user agent, or beginning of the address; null for all
   * @returns one more than `page.limit` if there are more
   */
  list(userId: UserId, page: Page, query: string | null): Promise<SessionSummary[]> {
    return this.sessions.listAlive(userId, page, query);
  }
}

/** Returns how a person signed in, by the first proof. */
function methodOf(
  proof: Proof | undefined,
  station: StationEntry | undefined,
): (typeof SIGN_IN_METHODS)[number] {
  if (station) return 'station';
  const own = SIGN_IN_METHODS.find((method) => method === proof?.method);
  return own ?? (proof?.connectionId ? 'connection' : 'provider');
}

/** Creates the entry of the audit trail for a session. */
export const sessionEvent = (what: string, actorId: UserId, id: SessionId) => ({
  actorId,
  action: `session.${what}`,
  subject: `iam/sessions/${id}`,
});
