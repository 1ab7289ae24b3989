import { Injectable } from '@nestjs/common';
import type { LifecycleEvents, SessionId, UserId } from '../../kernel/index.js';
import { columnsOf, Database, type Selected } from '../../platform/database/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { type AccountPurpose, OneTimeCodeEntity } from './one-time-code.entity.js';

const STORED = { userId: true, sessionId: true, codeChallenge: true, content: true } as const;

/** A code as it is stored; its content is what the caller keeps, sealed where it is personal. */
export interface AccountCode<Content> extends Selected<OneTimeCodeEntity, typeof STORED> {
  readonly content: Content;
}

/** Codes of the account $1. A hosted sign-in has no client either. */
const OF_ACCOUNT = "account_id = $1 AND client_id IS NULL AND purpose IN ('external', 'link')";

/** One-time codes that complete a step for an account, by their hash. */
@Injectable()
export class AccountCodeRepository {
  constructor(private readonly database: Database) {}

  async insert<Content>(
    purpose: AccountPurpose,
    codeHash: Buffer,
    { userId, sessionId, codeChallenge, content }: AccountCode<Content>,
    lifetimeSeconds: number,
  ): Promise<void> {
    await this.database.rows(
      `INSERT INTO one_time_codes (code_hash, purpose, account_id, session_id, code_challenge, content, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6::jsonb, now() + make_interval(secs => $7))`,
      [codeHash, purpose, userId, sessionId, codeChallenge, JSON.stringify(content), lifetimeSeconds],
    );
  }

  findOwner(purpose: AccountPurpose, codeHash: Buffer): Promise<UserId | null> {
    return this.database.value(
      `SELECT account_id FROM one_time_codes
       WHERE code_hash = $1 AND purpose = $2 AND expires_at > now()`,
      [codeHash, purpose],
    );
  }

  /** Locks a code that has not expired, so that concurrent redemptions run one after another. */
  findForUpdate<Content>(
    purpose: AccountPurpose,
    codeHash: Buffer,
  ): Promise<(AccountCode<Content> & { readonly isConsumed: boolean }) | null> {
    return this.database.row(
      `SELECT ${columnsOf(OneTimeCodeEntity, '', STORED)}, consumed_at IS NOT NULL AS "isConsumed" FROM one_time_codes
       WHERE code_hash = $1 AND purpose = $2 AND expires_at > now() FOR UPDATE`,
      [codeHash, purpose],
    );
  }

  /**
   * Consumes a code. It is kept until it expires, so that reuse is detected.
   * @param sessionId the session that it has started, if any
   */
  async consume(codeHash: Buffer, sessionId: SessionId | null): Promise<void> {
    await this.database
      .repository(OneTimeCodeEntity)
      .update({ codeHash }, { consumedAt: () => 'now()', sessionId, content: () => 'NULL' });
  }

  /**
   * Removes a code of an account and, if any, of a session.
   * @returns its content, once; null for a code of another, and an expired one
   */
  take<Content>(
    purpose: AccountPurpose,
    codeHash: Buffer,
    userId: UserId,
    sessionId: SessionId | null,
  ): Promise<Content | null> {
    return this.database.value(
      `DELETE FROM one_time_codes WHERE code_hash = $1 AND purpose = $2 AND account_id = $3
         AND session_id IS NOT DISTINCT FROM $4 AND expires_at > now()
       RETURNING content`,
      [codeHash, purpose, userId, sessionId],
    );
  }

  @OnLifecycle('account.erased')
  async deleteAll({ userId }: { userId: UserId }): Promise<void> {
    await this.database.rows(`DELETE FROM one_time_codes WHERE ${OF_ACCOUNT}`, [userId]);
  }

  /** Deletes the codes not yet redeemed, so that their holders have to start again. */
  @OnLifecycle(
    'account.password-reset',
    'account.password-changed',
    'account.signed-out',
    'account.suspended',
  )
  async withdraw({ userId }: { userId: UserId }): Promise<void> {
    await this.database.rows(`DELETE FROM one_time_codes WHERE ${OF_ACCOUNT} AND consumed_at IS NULL`, [
      userId,
    ]);
  }

  /** Deletes the codes not yet redeemed of a sign-in that its provider has ended. */
  @OnLifecycle('account.signed-out-upstream')
  async withdrawOfConnection({
    userId,
    connectionId,
  }: LifecycleEvents['account.signed-out-upstream']): Promise<void> {
    await this.database.rows(
      `DELETE FROM one_time_codes WHERE account_id = $1 AND client_id IS NULL AND purpose = 'external'
         AND consumed_at IS NULL AND content ->> 'connectionId' = $2`,
      [userId, connectionId],
    );
  }
}
