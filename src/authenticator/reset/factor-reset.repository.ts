import { Injectable } from '@nestjs/common';
import { columnsOf, Database, type Selected } from '../../platform/database/index.js';
import { RemovesExpired } from '../../platform/cleanup/index.js';
import { hashOneTimeToken } from '../../platform/crypto/index.js';
import { MailLink, type SentLink } from '../../platform/mail/index.js';
import type { UserId } from '../../kernel/index.js';
import { FactorResetEntity } from './factor-reset.entity.js';

const RESET = { id: true, userId: true, createdAt: true, effectiveAt: true } as const;
/** For operators who look into a complaint. */
const KEPT = "interval '90 days'";

/** A reset that waits. */
export type PendingReset = Selected<FactorResetEntity, typeof RESET>;

type NewReset = Pick<FactorResetEntity, 'userId' | 'id' | 'requestedBy' | 'reason' | 'tokenHash'>;

/** A person whose second factors an operator may reset. */
export interface ResettablePerson {
  readonly id: UserId;
  readonly hasSecondFactor: boolean;
  readonly isResetPending: boolean;
}

const COLUMNS = columnsOf(FactorResetEntity, '', RESET);
const PERSON = `SELECT a.id,
    EXISTS (SELECT 1 FROM totp_authenticators t WHERE t.account_id = a.id AND t.confirmed_at IS NOT NULL)
      OR EXISTS (SELECT 1 FROM passkeys p WHERE p.account_id = a.id) AS "hasSecondFactor",
    EXISTS (SELECT 1 FROM factor_resets r WHERE r.account_id = a.id AND r.ended_at IS NULL) AS "isResetPending"
  FROM accounts a WHERE a.id = ANY($1) AND a.erased_at IS NULL`;

/** Resets of second factors. */
@Injectable()
// Removes resets that have ended long ago.
@RemovesExpired({ table: 'factor_resets', key: 'account_id, id', when: `ended_at < now() - ${KEPT}` })
export class FactorResetRepository {
  constructor(private readonly database: Database) {}

  findPeople(ids: readonly string[]): Promise<ResettablePerson[]> {
    return this.database.rows<ResettablePerson>(PERSON, [ids]);
  }

  /** Locks the accounts, in order of id. */
  async lockForUpdate(ids: readonly string[]): Promise<void> {
    await this.database.rows('SELECT 1 FROM accounts WHERE id = ANY($1) ORDER BY id FOR UPDATE', [ids]);
  }

  insert(reset: NewReset, delaySeconds: number): Promise<PendingReset> {
    const { userId, id, requestedBy, reason, tokenHash } = reset;
    return this.database.getRow<PendingReset>(
      `INSERT INTO factor_resets (account_id, id, requested_by, reason, token_hash, effective_at)
       VALUES ($1, $2, $3, $4, $5, now() + make_interval(secs => $6)) RETURNING ${COLUMNS}`,
      [userId, id, requestedBy, reason, tokenHash, delaySeconds],
    );
  }

  findPending(userId: UserId): Promise<PendingReset | null> {
    return this.database.row<PendingReset>(
      `SELECT ${COLUMNS} FROM factor_resets WHERE account_id = $1 AND ended_at IS NULL`,
      [userId],
    );
  }

  findPendingByToken(tokenHash: Buffer): Promise<PendingReset | null> {
    return this.database.row<PendingReset>(
      `SELECT ${COLUMNS} FROM factor_resets WHERE token_hash = $1 AND ended_at IS NULL`,
      [tokenHash],
    );
  }

  @MailLink('authenticators-reset-scheduled')
  async isMailOfUse({ token }: SentLink): Promise<boolean> {
    return (await this.findPendingByToken(hashOneTimeToken(token))) !== null;
  }

  /**
   * Ends a reset, to carry it out or to cancel it: one atomic statement.
   * @param onlyIfDue false to cancel it
   * @returns who has requested it; null for every caller but the first
   */
  end(
    userId: UserId,
    id: string,
    onlyIfDue: boolean,
  ): Promise<Pick<FactorResetEntity, 'requestedBy'> | null> {
    return this.database.row(
      `UPDATE factor_resets SET ended_at = now()
       WHERE account_id = $1 AND id = $2 AND ended_at IS NULL AND (NOT $3 OR effective_at <= now()) RETURNING requested_by AS "requestedBy"`,
      [userId, id, onlyIfDue],
    );
  }

  async deleteAllOf(userId: UserId): Promise<void> {
    await this.database.repository(FactorResetEntity).delete({ userId });
  }
}
