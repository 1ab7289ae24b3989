import { Injectable } from '@nestjs/common';
import type { LifecycleEvents, SessionId, TenantId, UserId } from '../../kernel/index.js';
import { RemovesExpired } from '../../platform/cleanup/index.js';
import { Database, prepared } from '../../platform/database/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import type { DeviceStatus } from './device-authorization.entity.js';

/** Seconds by which the interval grows for a device that asks too early (RFC 8628 section 3.5). */
const SLOWER_SECONDS = 5;

/** A device that waits, as the person sees it who decides. */
export interface WaitingDevice {
  readonly clientId: string;
  readonly scopes: string[];
}

/** State of a device that asks for its tokens. */
export interface PolledDevice {
  readonly status: DeviceStatus;
  readonly sessionId: SessionId | null;
  readonly isExpired: boolean;
  readonly isEarly: boolean;
}

/** What a person has approved. */
export interface ApprovedDevice {
  readonly userId: UserId;
  readonly tenantId: TenantId | null;
  readonly scopes: string[];
}

/** Whose approval it is. */
interface Approval {
  readonly sessionId: SessionId;
  readonly tenantId: TenantId | null;
}

/** Devices that wait for a person, by the hashes of their codes. */
@Injectable()
// Removes expired devices, an hour later: until then they learn that they have expired.
@RemovesExpired({ table: 'oidc_devices', key: 'device_hash', when: "expires_at < now() - interval '1 hour'" })
export class DeviceAuthorizationRepository {
  constructor(private readonly database: Database) {}

  /** @returns false if the user code is taken */
  insert(
    hashes: { readonly deviceHash: Buffer; readonly userCodeHash: Buffer },
    { clientId, scopes }: WaitingDevice,
    seconds: { readonly lifetime: number; readonly interval: number },
  ): Promise<boolean> {
    return this.database.hasRow(
      prepared(`INSERT INTO oidc_devices (device_hash, user_code_hash, client_id, scopes, interval_seconds, expires_at)
       VALUES ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))
       ON CONFLICT (user_code_hash) DO NOTHING RETURNING 1`),
      [hashes.deviceHash, hashes.userCodeHash, clientId, scopes, seconds.interval, seconds.lifetime],
    );
  }

  /** Finds a device that waits, by the hashes of a user code under all keys. */
  findWaiting(userCodeHashes: readonly Buffer[]): Promise<WaitingDevice | null> {
    return this.database.row<WaitingDevice>(
      prepared(`SELECT client_id AS "clientId", scopes FROM oidc_devices
       WHERE user_code_hash = ANY($1) AND status = 'waiting' AND expires_at > now()`),
      [userCodeHashes],
    );
  }

  /** Approves a device that waits, in a session. @returns false for all callers but the first */
  approve(userCodeHashes: readonly Buffer[], { sessionId, tenantId }: Approval): Promise<boolean> {
    return this.database.hasRow(
      prepared(`UPDATE oidc_devices d SET status = 'approved', session_id = s.id, account_id = s.account_id, tenant_id = $3
       FROM sessions s WHERE s.id = $2 AND s.ended_at IS NULL AND s.expires_at > now()
         AND d.user_code_hash = ANY($1) AND d.status = 'waiting' AND d.expires_at > now() RETURNING 1`),
      [userCodeHashes, sessionId, tenantId],
    );
  }

  /** Denies a device that waits. @returns false for all callers but the first */
  deny(userCodeHashes: readonly Buffer[]): Promise<boolean> {
    return this.database.hasRow(
      prepared(`UPDATE oidc_devices SET status = 'denied'
       WHERE user_code_hash = ANY($1) AND status = 'waiting' AND expires_at > now() RETURNING 1`),
      [userCodeHashes],
    );
  }

  /**
   * Notes that a device asks. One that asks more than a second before its interval has passed has
   * to wait longer from now on.
   * @returns null for an unknown or used code, and another client's
   */
  poll(deviceHash: Buffer, clientId: string): Promise<PolledDevice | null> {
    return this.database.row<PolledDevice>(
      prepared(`WITH asked AS (
         SELECT device_hash, coalesce(polled_at > now() - make_interval(secs => interval_seconds - 1), false) AS early
         FROM oidc_devices WHERE device_hash = $1 AND client_id = $2 FOR UPDATE)
       UPDATE oidc_devices d SET polled_at = now(),
         interval_seconds = interval_seconds + CASE WHEN early THEN ${SLOWER_SECONDS} ELSE 0 END
       FROM asked WHERE d.device_hash = asked.device_hash
       RETURNING d.status, d.session_id AS "sessionId", d.expires_at <= now() AS "isExpired", early AS "isEarly"`),
      [deviceHash, clientId],
    );
  }

  /** Removes an approved device. @returns null for all callers but the first */
  takeApproved(deviceHash: Buffer, clientId: string): Promise<ApprovedDevice | null> {
    return this.database.row<ApprovedDevice>(
      prepared(`DELETE FROM oidc_devices
       WHERE device_hash = $1 AND client_id = $2 AND status = 'approved' AND expires_at > now()
       RETURNING account_id AS "userId", tenant_id AS "tenantId", scopes`),
      [deviceHash, clientId],
    );
  }

  /** Deletes the devices of a client that a person has approved, in sessions that are alive. */
  async deleteOfPerson(userId: UserId, clientId: string): Promise<void> {
    await this.database.rows(
      `DELETE FROM oidc_devices WHERE client_id = $2
         AND session_id IN (SELECT id FROM sessions WHERE account_id = $1 AND ended_at IS NULL)`,
      [userId, clientId],
    );
  }

  /** Removes the devices of a deleted tenant. */
  @OnLifecycle('tenant.deleting')
  async deleteOfTenant({ tenantId, batch, repeat }: LifecycleEvents['tenant.deleting']): Promise<void> {
    const deleted = await this.database.rows(
      `DELETE FROM oidc_devices WHERE device_hash IN (
         SELECT device_hash FROM oidc_devices WHERE tenant_id = $1 LIMIT $2) RETURNING 1`,
      [tenantId, batch],
    );
    if (deleted.length === batch) repeat();
  }
}
