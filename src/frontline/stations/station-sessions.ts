import { Injectable } from '@nestjs/common';
import { SignInCheck } from '../../ability/index.js';
import { type LifecycleEvents, LOCK, type Locked, type TenantId, type UserId } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import type { Client } from '../../platform/web/index.js';
import { LogoutService, SessionService, type StartedGrant } from '../../session/index.js';
import { type RegisteredStation, type SessionAtStation, StationRepository } from './station.repository.js';

/** Starts and ends sessions at stations. All methods lock stations, and then the sessions. */
@Injectable()
export class StationSessions {
  constructor(
    private readonly stations: StationRepository,
    private readonly sessions: SessionService,
    private readonly signIns: SignInCheck,
    private readonly logouts: LogoutService,
  ) {}

  /**
   * Starts a session at a station, and ends the session of the person before. Joins the open
   * transaction.
   * @param endsInSeconds longest time of the session; null for the time of the shift
   * @throws {AppError} invalid-credentials at a station that is not active;
   *   insufficient-user-authentication if the policy of the organization asks for more
   */
  async start(
    userId: Locked<UserId>,
    { tenantId, id, jkt, idleSeconds, shiftSeconds }: RegisteredStation,
    endsInSeconds: number | null,
    client: Client,
  ): Promise<StartedGrant> {
    const before = await this.stations.findActiveForUpdate(tenantId, id);
    if (!before) throw new AppError('invalid-credentials');
    if (before.sessionId && before.userId) await this.logouts.endSession(before.userId, before.sessionId);
    const untilEnd = Math.floor(endsInSeconds ?? shiftSeconds);
    const lifetimeSeconds = Math.max(1, Math.min(shiftSeconds, untilEnd));
    const station = { id, tenantId, jkt, idleSeconds, lifetimeSeconds };
    const grant = await this.sessions.startSession(userId, [{ method: 'pin' }], client, station);
    await this.signIns.require(grant, tenantId);
    await this.stations.noteSession(tenantId, id, { sessionId: grant.sessionId, userId });
    return grant;
  }

  /** Ends the session at a station. Joins the open transaction. */
  async endAt(tenantId: TenantId, stationId: string): Promise<void> {
    await this.end(await this.stations.takeSessionForUpdate(tenantId, stationId));
  }

  /** Ends the sessions of a person at stations of these tenants. Joins the open transaction. */
  async endOf(userId: UserId, tenantIds: readonly TenantId[]): Promise<void> {
    await this.end(await this.stations.takeSessionsOfForUpdate(tenantIds, userId));
  }

  /** Ends sessions with the membership, which the organization or its directory takes away. */
  @OnLifecycle('memberships.ended', 'memberships.suspended', { order: LOCK.rows })
  async endWithMembership({ userId, tenantIds }: LifecycleEvents['memberships.ended']): Promise<void> {
    await this.endOf(userId, tenantIds);
  }

  private async end(sessions: readonly SessionAtStation[]): Promise<void> {
    for (const { userId, sessionId } of sessions) await this.logouts.endSession(userId, sessionId);
  }
}
