import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { columnsOf, Database, type Selected } from '../../../platform/database/index.js';
import { Cleanup } from '../../../platform/cleanup/index.js';
import type { SessionId, UserId } from '../../../kernel/index.js';
import { ExternalCodeEntity } from './code.entity.js';

const CODE = {
  userId: true,
  kind: true,
  connectionId: true,
  codeChallenge: true,
  sessionId: true,
  upstream: true,
  isTwoFactor: true,
} as const;

/** Authorization code of a completed flow. */
export interface EndedFlow extends Selected<ExternalCodeEntity, typeof CODE> {
  readonly consumed: boolean;
}

const COLUMNS = `${columnsOf(ExternalCodeEntity, '', CODE)}, consumed_at IS NOT NULL AS consumed`;

/** Authorization codes of completed flows, by their hash. */
@Injectable()
export class ExternalCodeRepository {
  constructor(private readonly database: Database) {}

  async insert(
    codeHash: Buffer,
    code: Omit<EndedFlow, 'sessionId' | 'consumed'>,
    lifetimeSeconds: number,
  ): Promise<void> {
    const { userId, kind, connectionId, codeChallenge, upstream, isTwoFactor } = code;
    await this.database.rows(
      `INSERT INTO external_codes (code_hash, account_id, kind, connection_id, code_challenge, expires_at, upstream, is_two_factor)
       VALUES ($1, $2, $3, $4, $5, now() + make_interval(secs => $6), $7::jsonb, $8)`,
      [
        codeHash,
        userId,
        kind,
        connectionId,
        codeChallenge,
        lifetimeSeconds,
        upstream && JSON.stringify(upstream),
        isTwoFactor,
      ],
    );
  }

  async findOwner(codeHash: Buffer): Promise<UserId | null> {
    const sql =
      'SELECT account_id AS "userId" FROM external_codes WHERE code_hash = $1 AND expires_at > now()';
    return (await this.database.row<{ userId: UserId }>(sql, [codeHash]))?.userId ?? null;
  }

  /** Locks a code that has not expired, so that concurrent redemptions run one after another. */
  findForUpdate(codeHash: Buffer): Promise<EndedFlow | null> {
    return this.database.row<EndedFlow>(
      `SELECT ${COLUMNS} FROM external_codes WHERE code_hash = $1 AND expires_at > now() FOR UPDATE`,
      [codeHash],
    );
  }

  async consume(codeHash: Buffer, sessionId: SessionId | null): Promise<void> {
    await this.database
      .repository(ExternalCodeEntity)
      .update({ codeHash }, { consumedAt: () => 'now()', sessionId });
  }

  async deleteAllOf(userId: UserId): Promise<void> {
    await this.database.repository(ExternalCodeEntity).delete({ userId });
  }

  /** Deletes the codes not yet redeemed. Redeemed codes stay, to detect reuse. */
  async deleteUnspentOf(userId: UserId): Promise<void> {
    await this.database.repository(ExternalCodeEntity).delete({ userId, consumedAt: IsNull() });
  }

  /** Deletes the codes of a connection not yet redeemed. */
  async deleteUnspentOfConnection(userId: UserId, connectionId: string): Promise<void> {
    await this.database.repository(ExternalCodeEntity).delete({ userId, connectionId, consumedAt: IsNull() });
  }

  /** Removes expired codes. Reuse of a code is detected until it expires. */
  @Cleanup()
  cleanUp(): Promise<boolean> {
    return this.database.removeInBatches({
      table: 'external_codes',
      key: 'code_hash',
      when: 'expires_at < now()',
    });
  }
}
