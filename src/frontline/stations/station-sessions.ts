import { Injectable } from '@nestjs/common';
import { type LifecycleEvents, LOCK, type TenantId, type UserId } from '../../kernel/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { LogoutService } from '../../session/index.js';
import { type SessionAtStation, StationRepository } from './station.repository.js';

/** Ends sessions at stations. All methods lock stations, and then the sessions. */
@Injectable()
export class StationSessions {
  constructor(
    private readonly stations: StationRepository,
    private readonly logouts: LogoutService,
  ) {}

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
