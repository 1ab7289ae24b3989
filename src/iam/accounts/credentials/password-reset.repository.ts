import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/index.js';
import { RemovesExpired } from '../../../platform/cleanup/index.js';
import { hashOneTimeToken } from '../../../platform/crypto/index.js';
import { MailLink, type SentLink } from '../../../platform/mail/index.js';
import type { UserId } from '../../../kernel/index.js';
import { PasswordResetEntity } from './password-reset.entity.js';

/** Mailed links to set a new password, by the hash of their token. */
@Injectable()
@RemovesExpired({ table: 'password_resets', key: 'token_hash', when: 'expires_at < now()' })
export class PasswordResetRepository {
  constructor(private readonly database: Database) {}

  /** Replaces the tokens of the account by a new one, if the account exists. */
  async replace(accountId: UserId, tokenHash: Buffer, lifetimeSeconds: number): Promise<void> {
    await this.deleteOf(accountId);
    await this.database.rows(
      `INSERT INTO password_resets (token_hash, account_id, expires_at)
       SELECT $1, id, now() + make_interval(secs => $3) FROM accounts WHERE id = $2`,
      [tokenHash, accountId, lifetimeSeconds],
    );
  }

  async findAccountId(tokenHash: Buffer): Promise<UserId | null> {
    const row = await this.database.row<{ id: UserId }>(
      'SELECT account_id AS id FROM password_resets WHERE token_hash = $1 AND expires_at > now()',
      [tokenHash],
    );
    return row?.id ?? null;
  }

  @MailLink('password-reset', 'choose-password', 'new-password-required', 'email-restored')
  async isMailOfUse({ token }: SentLink): Promise<boolean> {
    return (await this.findAccountId(hashOneTimeToken(token))) !== null;
  }

  /** @returns true for the first caller only */
  async consume(tokenHash: Buffer): Promise<boolean> {
    return (
      (
        await this.database.rows(
          'DELETE FROM password_resets WHERE token_hash = $1 AND expires_at > now() RETURNING account_id',
          [tokenHash],
        )
      ).length === 1
    );
  }

  async deleteOf(accountId: UserId): Promise<void> {
    await this.database.repository(PasswordResetEntity).delete({ accountId });
  }

  /** Returns until when the link of an account is valid; null without a valid one. */
  async findExpiryOf(accountId: UserId): Promise<Date | null> {
    const row = await this.database.row<{ expiresAt: Date }>(
      'SELECT expires_at AS "expiresAt" FROM password_resets WHERE account_id = $1 AND expires_at > now()',
      [accountId],
    );
    return row?.expiresAt ?? null;
  }
}
