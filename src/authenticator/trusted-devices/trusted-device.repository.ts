import { Injectable } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import { Database, type Selected } from '../../platform/database/index.js';
import { RemovesExpired } from '../../platform/cleanup/index.js';
import type { Page } from '../../platform/api/index.js';
import type { SessionId, UserId } from '../../kernel/index.js';
import { TrustedDeviceEntity } from './trusted-device.entity.js';

const DEVICE = { id: true, userAgent: true, createdAt: true, lastUsedAt: true, expiresAt: true } as const;

/** A trusted device, as its owner sees it. */
export type TrustedDevice = Selected<TrustedDeviceEntity, typeof DEVICE>;

/** Maximum trusted devices of one account; the oldest are no longer trusted. */
const MAX_DEVICES = 50;

/** Trusted devices. */
@Injectable()
@RemovesExpired({ table: 'trusted_devices', key: 'account_id, id', when: 'expires_at < now()' })
export class TrustedDeviceRepository {
  constructor(private readonly database: Database) {}

  async insert(
    device: Pick<TrustedDeviceEntity, 'userId' | 'id' | 'secretHash' | 'userAgent' | 'sessionId'>,
    lifetimeSeconds: number,
  ): Promise<void> {
    const { userId, id, secretHash, userAgent, sessionId } = device;
    await this.database.rows(
      `INSERT INTO trusted_devices (account_id, id, secret_hash, user_agent, session_id, expires_at)
       VALUES ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))`,
      [userId, id, secretHash, userAgent, sessionId, lifetimeSeconds],
    );
    await this.database.rows(
      `DELETE FROM trusted_devices WHERE account_id = $1 AND id IN (
         SELECT id FROM trusted_devices WHERE account_id = $1 ORDER BY id DESC OFFSET ${MAX_DEVICES})`,
      [userId],
    );
  }

  /** Notes the use of a device. @returns false if it is not trusted, or no longer */
  use(userId: UserId, id: string, secretHash: Buffer): Promise<boolean> {
    return this.database.hasRow(
      `UPDATE trusted_devices SET last_used_at = now()
       WHERE account_id = $1 AND id = $2 AND secret_hash = $3 AND expires_at > now() RETURNING 1`,
      [userId, id, secretHash],
    );
  }

  /** Returns a page, newest first, and one row more if there is a next page. */
  list(userId: UserId, { limit, after }: Page): Promise<TrustedDevice[]> {
    return this.database.rows<TrustedDevice>(
      `SELECT id, user_agent AS "userAgent", created_at AS "createdAt", last_used_at AS "lastUsedAt", expires_at AS "expiresAt"
       FROM trusted_devices WHERE account_id = $1 AND expires_at > now() AND ($2::text IS NULL OR id < $2)
       ORDER BY id DESC LIMIT $3`,
      [userId, after, limit + 1],
    );
  }

  count(userId: UserId): Promise<number> {
    const where = { userId, expiresAt: MoreThan(new Date()) };
    return this.database.repository(TrustedDeviceEntity).count({ where });
  }

  async delete(userId: UserId, id: string): Promise<boolean> {
    const { affected } = await this.database.repository(TrustedDeviceEntity).delete({ userId, id });
    return affected === 1;
  }

  async deleteOfSession(userId: UserId, sessionId: SessionId): Promise<void> {
    await this.database.repository(TrustedDeviceEntity).delete({ userId, sessionId });
  }

  async deleteAllOf(userId: UserId): Promise<void> {
    await this.database.repository(TrustedDeviceEntity).delete({ userId });
  }
}
