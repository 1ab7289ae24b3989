import { Inject, Injectable } from '@nestjs/common';
import { AuditTrail } from '../../iam/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import {
  FIRST_PARTY_CLIENT,
  type Locked,
  newId,
  type SessionId,
  type TenantId,
  type UserId,
} from '../../kernel/index.js';
import { Lifecycle } from '../../platform/lifecycle/index.js';
import type { Client } from '../../platform/web/index.js';
import type { Page } from '../../platform/api/index.js';
import { Assurers, type Proof, toColumns } from '../evidence/evidence.js';
import type { StartedGrant } from '../grants/grant.repository.js';
import { SessionRepository, type SessionSummary } from './session.repository.js';
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

/** Starts and lists sessions. */
@Injectable()
export class SessionService {
  constructor(
    private readonly sessions: SessionRepository,
    private readonly assurers: Assurers,
    private readonly audit: AuditTrail,
    private readonly lifecycle: Lifecycle,
    private readonly signInNotices: SignInNotices,
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
    const assuredBy = station ? [station.tenantId] : await this.assurers.find(proofs);
    const trust = { assuredBy, ownProofMissing: assuredBy.length > 0 && !proofs.some(({ isOwn }) => isOwn) };
    const grant = {
      clientId: FIRST_PARTY_CLIENT,
      tenantId: await this.assurers.findTenant(userId, assuredBy),
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
    const { amr, isAal2, isPhr, isTrustedDevice, isAssuredFactor } = toColumns(proofs);
    if (ended.length > 0) await this.lifecycle.emit('session.ended', { sessionIds: ended });
    await this.audit.record(
      sessionEvent('started', userId, sessionId),
      ...ended.map((id) => sessionEvent('ended', userId, id)),
    );
    const isFrom = { tenantId: assuredBy[0] ?? null, atStation: station !== undefined };
    await this.signInNotices.noteStart(userId, proofs, client, isFrom);
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
   * Lists the account's alive sessions, newest first.
   * @param query part of the user agent, or beginning of the address; null for all
   * @returns one more than `page.limit` if there are more
   */
  list(userId: UserId, page: Page, query: string | null): Promise<SessionSummary[]> {
    return this.sessions.listAlive(userId, page, query);
  }
}

/** Creates the entry of the audit trail for a session. */
export const sessionEvent = (what: string, actorId: UserId, id: SessionId) => ({
  actorId,
  action: `session.${what}`,
  subject: `iam/sessions/${id}`,
});
