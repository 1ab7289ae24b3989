import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import { Cleanup } from '../../platform/cleanup/index.js';
import type { SessionId, UserId } from '../../kernel/index.js';

/** The person and session that began to link an identity. */
export interface LinkBeginner {
  readonly userId: UserId;
  readonly sessionId: SessionId;
}

/** Codes that a linking flow ends in, with the identity that was proven, sealed. */
@Injectable()
export class LinkCodeRepository {
  constructor(private readonly database: Database) {}

  async insert(
    codeHash: Buffer,
    { userId, sessionId }: LinkBeginner,
    sealed: string,
    lifetimeSeconds: number,
  ): Promise<void> {
    await this.database.rows(
      `INSERT INTO external_link_codes (code_hash, account_id, session_id, sealed, expires_at)
       VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5))`,
      [codeHash, userId, sessionId, sealed, lifetimeSeconds],
    );
  }

  /** @returns the sealed identity, to the first caller only, and only to the beginner; null to everybody else */
  async consume(codeHash: Buffer, { userId, sessionId }: LinkBeginner): Promise<string | null> {
    const row = await this.database.row<{ sealed: string }>(
      `DELETE FROM external_link_codes WHERE code_hash = $1 AND account_id = $2 AND session_id = $3 AND expires_at > now()
       RETURNING sealed`,
      [codeHash, userId, sessionId],
    );
    return row?.sealed ?? null;
  }

  async deleteAllOf(userId: UserId): Promise<void> {
    await this.database.rows('DELETE FROM external_link_codes WHERE account_id = $1', [userId]);
  }

  @Cleanup()
  cleanUp(): Promise<boolean> {
    return this.database.removeInBatches({
      table: 'external_link_codes',
      key: 'code_hash',
      when: 'expires_at < now()',
    });
  }
}
