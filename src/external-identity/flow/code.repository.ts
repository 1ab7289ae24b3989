import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import { Cleanup } from '../../platform/cleanup/index.js';
import type { SessionId, UserId } from '../../kernel/index.js';
import type { Kind } from '../providers/provider.js';

/** A code that a flow has ended in. */
export interface EndedFlow {
  readonly userId: UserId;
  readonly kind: Kind;
  readonly codeChallenge: string;
  readonly consumed: boolean;
  readonly sessionId: SessionId | null;
}

const COLUMNS = `account_id AS "userId", kind, code_challenge AS "codeChallenge", consumed_at IS NOT NULL AS consumed, session_id AS "sessionId"`;

/** The codes of flows that end in one. */
@Injectable()
export class ExternalCodeRepository {
  constructor(private readonly database: Database) {}

  async insert(
    codeHash: Buffer,
    { userId, kind, codeChallenge }: Pick<EndedFlow, 'userId' | 'kind' | 'codeChallenge'>,
    lifetimeSeconds: number,
  ): Promise<void> {
    await this.database.rows(
      `INSERT INTO external_codes (code_hash, account_id, kind, code_challenge, expires_at) VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5))`,
      [codeHash, userId, kind, codeChallenge, lifetimeSeconds],
    );
  }

  async findOwner(codeHash: Buffer): Promise<UserId | null> {
    const sql =
      'SELECT account_id AS "userId" FROM external_codes WHERE code_hash = $1 AND expires_at > now()';
    return (await this.database.row<{ userId: UserId }>(sql, [codeHash]))?.userId ?? null;
  }

  /** A code within its life, held: of all who present it, each waits for the one before. */
  findForUpdate(codeHash: Buffer): Promise<EndedFlow | null> {
    return this.database.row<EndedFlow>(
      `SELECT ${COLUMNS} FROM external_codes WHERE code_hash = $1 AND expires_at > now() FOR UPDATE`,
      [codeHash],
    );
  }

  async consume(codeHash: Buffer, sessionId: SessionId | null): Promise<void> {
    await this.database.rows(
      'UPDATE external_codes SET consumed_at = now(), session_id = $2 WHERE code_hash = $1',
      [codeHash, sessionId],
    );
  }

  async deleteAllOf(userId: UserId): Promise<void> {
    await this.database.rows('DELETE FROM external_codes WHERE account_id = $1', [userId]);
  }

  /** Not the spent ones, whose reuse is still to be told. */
  async deleteUnspentOf(userId: UserId): Promise<void> {
    await this.database.rows('DELETE FROM external_codes WHERE account_id = $1 AND consumed_at IS NULL', [
      userId,
    ]);
  }

  /** Reuse of a code is told within its life alone: one past it is of no use, spent or not. */
  @Cleanup()
  cleanUp(): Promise<boolean> {
    return this.database.removeInBatches({
      table: 'external_codes',
      key: 'code_hash',
      when: 'expires_at < now()',
    });
  }
}
