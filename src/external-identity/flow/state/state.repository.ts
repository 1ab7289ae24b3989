import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/index.js';
import { RemovesExpired } from '../../../platform/cleanup/index.js';
import type { UserId } from '../../../kernel/index.js';
import { ExternalStateEntity } from './state.entity.js';

/** States of flows whose browsers carry only a key of them. */
@RemovesExpired({ table: 'external_states', key: 'key_hash', when: 'expires_at < now()' })
@Injectable()
export class StateRepository {
  constructor(private readonly database: Database) {}

  /** @param userId account that links an identity, if any */
  async insert(
    keyHash: Buffer,
    state: string,
    userId: UserId | null,
    lifetimeSeconds: number,
  ): Promise<void> {
    await this.database.rows(
      'INSERT INTO external_states (key_hash, account_id, state, expires_at) VALUES ($1, $2, $3, now() + make_interval(secs => $4))',
      [keyHash, userId, state, lifetimeSeconds],
    );
  }

  async find(keyHash: Buffer): Promise<string | null> {
    const row = await this.database.row<{ state: string }>(
      'SELECT state FROM external_states WHERE key_hash = $1 AND expires_at > now()',
      [keyHash],
    );
    return row?.state ?? null;
  }

  async deleteAllOf(userId: UserId): Promise<void> {
    await this.database.repository(ExternalStateEntity).delete({ userId });
  }
}
