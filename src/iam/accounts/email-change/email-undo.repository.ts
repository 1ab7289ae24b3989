import { Injectable } from '@nestjs/common';
import { columnsOf, Database, type Selected } from '../../../platform/database/index.js';
import { RemovesExpired } from '../../../platform/cleanup/index.js';
import { hashOneTimeToken } from '../../../platform/crypto/index.js';
import { MailLink, type SentLink } from '../../../platform/mail/index.js';
import type { Locked, UserId } from '../../../kernel/index.js';
import { EmailUndoEntity } from './email-change.entity.js';

const UNDO = { userId: true, email: true, emailKey: true, expiresAt: true } as const;

/** A former address that can be restored. */
export type EmailUndo = Selected<EmailUndoEntity, typeof UNDO>;

const COLUMNS = columnsOf(EmailUndoEntity, '', UNDO);

/** Former addresses of accounts that can be restored by a mailed link. */
@Injectable()
@RemovesExpired({ table: 'email_undos', key: 'token_hash', when: 'expires_at < now()' })
export class EmailUndoRepository {
  constructor(private readonly database: Database) {}

  async insert(
    tokenHash: Buffer,
    { userId, email, emailKey }: Omit<EmailUndo, 'expiresAt'>,
    lifetimeSeconds: number,
  ): Promise<void> {
    await this.database.rows(
      `INSERT INTO email_undos (token_hash, account_id, email, email_key, expires_at)
       VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5))`,
      [tokenHash, userId, email, emailKey, lifetimeSeconds],
    );
  }

  find(tokenHash: Buffer): Promise<EmailUndo | null> {
    const sql = `SELECT ${COLUMNS} FROM email_undos WHERE token_hash = $1 AND expires_at > now()`;
    return this.database.row<EmailUndo>(sql, [tokenHash]);
  }

  /** A mail without a link tells of the change. */
  @MailLink('email-changed')
  async isMailOfUse({ token }: SentLink): Promise<boolean> {
    return token === '' || (await this.find(hashOneTimeToken(token))) !== null;
  }

  /**
   * Deletes a link with the links of later changes: their addresses came after the restored one,
   * and may be an attacker's. Links of earlier changes stay.
   * @returns false if there is no such link any more
   */
  async take(tokenHash: Buffer): Promise<boolean> {
    const taken = await this.database.rows(
      `WITH this AS (SELECT account_id, expires_at FROM email_undos WHERE token_hash = $1 AND expires_at > now() FOR UPDATE)
       DELETE FROM email_undos u USING this WHERE u.account_id = this.account_id AND u.expires_at >= this.expires_at RETURNING 1`,
      [tokenHash],
    );
    return taken.length > 0;
  }

  /**
   * Deletes the link that restores an address, with the links of later changes, as {@link take}.
   * @returns whether there was one
   */
  async takeByEmail(userId: Locked<UserId>, emailKey: string): Promise<boolean> {
    const taken = await this.database.rows(
      `WITH this AS (SELECT min(expires_at) AS expires_at FROM email_undos WHERE account_id = $1 AND email_key = $2 AND expires_at > now())
       DELETE FROM email_undos u USING this WHERE u.account_id = $1 AND u.expires_at >= this.expires_at RETURNING 1`,
      [userId, emailKey],
    );
    return taken.length > 0;
  }

  /** Deletes the links of an account. @returns their addresses */
  async deleteAllOf(userId: UserId): Promise<EmailUndo[]> {
    const sql = `DELETE FROM email_undos WHERE account_id = $1 RETURNING ${COLUMNS}`;
    return this.database.rows<EmailUndo>(sql, [userId]);
  }
}
