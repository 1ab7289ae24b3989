import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import { Cleanup } from '../../platform/cleanup/index.js';
import type { SessionId, UserId } from '../../kernel/index.js';
import { LinkCodeEntity } from './link-code.entity.js';

/** Person and session that started to link an identity. */
export interface LinkBeginner {
  readonly userId: UserId;
  readonly sessionId: SessionId;
}

/** Link codes of completed flows, with the proven identity, sealed. */
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

  /** @returns the sealed identity, once, for the session that started the flow; null otherwise */
  async consume(codeHash: Buffer, { userId, sessionId }: LinkBeginner): Promise<string | null> {
    const row = await this.database.row<{ sealed: string }>(
      `DELETE FROM external_link_codes WHERE code_hash = $1 AND account_id = $2 AND session_id = $3 AND expires_at > now()
       RETURNING sealed`,
      [codeHash, userId, sessionId],
    );
    return row?.sealed ?? null;
  }

  async deleteAllOf(userId: UserId): Promise<void> {
    await this.database.repository(LinkCodeEntity).delete({ userId });
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
