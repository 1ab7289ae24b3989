import { Injectable } from '@nestjs/common';
import { columnsOf, Database, type Selected } from '../../../platform/database/index.js';
import { RemovesExpired } from '../../../platform/cleanup/index.js';
import { hashOneTimeToken } from '../../../platform/crypto/index.js';
import { MailLink, type SentLink } from '../../../platform/mail/index.js';
import type { UserId } from '../../../kernel/index.js';
import { EmailChangeEntity } from './email-change.entity.js';

const CHANGE = {
  userId: true,
  email: true,
  emailKey: true,
  sessionId: true,
  requestedBy: true,
  requestedIn: true,
} as const;

/** A change of address that waits for its confirmation. */
export type EmailChange = Selected<EmailChangeEntity, typeof CHANGE>;

const PENDING = { email: true, expiresAt: true } as const;

/** A change as its person sees it. */
export type PendingChange = Selected<EmailChangeEntity, typeof PENDING>;

const COLUMNS = columnsOf(EmailChangeEntity, '', CHANGE);
const PENDING_COLUMNS = columnsOf(EmailChangeEntity, '', PENDING);

/** Request for a change, of the person in a session, or of a member for a worker. */
export type ChangeRequest = Pick<EmailChangeEntity, 'userId'> &
  Partial<Pick<EmailChangeEntity, 'sessionId' | 'requestedBy' | 'requestedIn'>>;

/** SQL of whether a change waits: if it has a session, not beyond its end, however that came. */
const IS_WAITING = `expires_at > now() AND (session_id IS NULL AND requested_by IS NOT NULL OR EXISTS (
    SELECT 1 FROM sessions s WHERE s.id = session_id AND s.ended_at IS NULL AND s.expires_at > now()))`;

/** Changes of address that wait for their confirmation, one for each account. */
@Injectable()
@RemovesExpired({ table: 'email_changes', key: 'account_id', when: 'expires_at < now()' })
export class EmailChangeRepository {
  constructor(private readonly database: Database) {}

  /** Stores a change in place of an earlier one of the account. */
  async replace(
    tokenHash: Buffer,
    {
      userId,
      sessionId = null,
      requestedBy = null,
      requestedIn = null,
      email,
      emailKey,
    }: ChangeRequest & Pick<EmailChange, 'email' | 'emailKey'>,
    lifetimeSeconds: number,
  ): Promise<void> {
    await this.database.rows(
      `INSERT INTO email_changes (account_id, token_hash, email, email_key, session_id, requested_by, requested_in, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => $8))
       ON CONFLICT (account_id) DO UPDATE SET token_hash = excluded.token_hash, email = excluded.email,
         email_key = excluded.email_key, session_id = excluded.session_id, requested_by = excluded.requested_by,
         requested_in = excluded.requested_in, expires_at = excluded.expires_at`,
      [userId, tokenHash, email, emailKey, sessionId, requestedBy, requestedIn, lifetimeSeconds],
    );
  }

  find(tokenHash: Buffer): Promise<EmailChange | null> {
    const sql = `SELECT ${COLUMNS} FROM email_changes WHERE token_hash = $1 AND ${IS_WAITING}`;
    return this.database.row<EmailChange>(sql, [tokenHash]);
  }

  /** Finds the change of an account. */
  findOf(userId: UserId): Promise<PendingChange | null> {
    const sql = `SELECT ${PENDING_COLUMNS} FROM email_changes WHERE account_id = $1 AND ${IS_WAITING}`;
    return this.database.row<PendingChange>(sql, [userId]);
  }

  @MailLink('confirm-email')
  async isMailOfUse({ token }: SentLink): Promise<boolean> {
    return (await this.find(hashOneTimeToken(token))) !== null;
  }

  /** Takes a change, in one atomic statement. @returns null for every caller but the first */
  take(tokenHash: Buffer): Promise<EmailChange | null> {
    const sql = `DELETE FROM email_changes WHERE token_hash = $1 AND ${IS_WAITING} RETURNING ${COLUMNS}`;
    return this.database.row<EmailChange>(sql, [tokenHash]);
  }

  /** Deletes the change of an account. @returns it, also if it has expired; null without one */
  delete(userId: UserId): Promise<EmailChange | null> {
    const sql = `DELETE FROM email_changes WHERE account_id = $1 RETURNING ${COLUMNS}`;
    return this.database.row<EmailChange>(sql, [userId]);
  }
}
