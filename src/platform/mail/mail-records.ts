import { Injectable } from '@nestjs/common';
import { RemovesExpired } from '../cleanup/index.js';
import { columnsOf, Database, type Selected } from '../database/index.js';
import { MailRecordEntity } from './mail-record.entity.js';

const RECORD = {
  id: true,
  kind: true,
  attempts: true,
  reply: true,
  createdAt: true,
  updatedAt: true,
} as const;

/** A mail of the last thirty days. */
export interface MailRecord extends Selected<MailRecordEntity, typeof RECORD> {
  /** Whether {@link RecipientMails.resend} would send it. */
  readonly canResend: boolean;
  /** `waiting`: no attempt has ended yet; `expired`: it was not sent in time, or withdrawn. */
  readonly state: MailRecordEntity['state'] | 'waiting' | 'expired';
}

type Outcome = Pick<MailRecordEntity, 'state' | 'attempts' | 'reply'>;

/** For people who ask about a mail that they expect. */
const KEPT = "interval '30 days'";
const MAX_REPLY_LENGTH = 300;

/** Records what became of mails, for operators who are asked about one. */
@Injectable()
@RemovesExpired({ table: 'mail_records', key: 'id', when: `created_at < now() - ${KEPT}` })
export class MailRecords {
  constructor(private readonly database: Database) {}

  /**
   * Records the outcome of an attempt. Decoys have no record: they are to no one. Locks the mail,
   * so that an erasure removes the record as well.
   */
  async record(id: string, { state, attempts, reply }: Outcome): Promise<void> {
    await this.database.rows(
      `INSERT INTO mail_records (id, recipient_key, kind, state, attempts, reply, created_at)
       SELECT id, recipient_key, kind, $2, $3, $4, created_at FROM outgoing_mails WHERE id = $1 AND kind <> 'decoy' FOR KEY SHARE
       ON CONFLICT (id) DO UPDATE SET state = excluded.state, attempts = excluded.attempts, reply = excluded.reply, updated_at = now()`,
      [id, state, attempts, reply],
    );
  }

  /**
   * Lists the mails to a recipient of the last thirty days, newest first.
   * @param recipientKeys all keys of the recipient
   */
  list(recipientKeys: readonly Buffer[], limit: number): Promise<MailRecord[]> {
    return this.database.rows<MailRecord>(
      `SELECT * FROM (
         SELECT ${columnsOf(MailRecordEntity, 'r', RECORD)},
           CASE WHEN r.state = 'deferred' AND NOT EXISTS (
             SELECT 1 FROM outgoing_mails m WHERE m.id = r.id AND m.sealed IS NOT NULL AND m.expires_at > now())
           THEN 'expired' ELSE r.state END AS state,
           EXISTS (SELECT 1 FROM outgoing_mails m WHERE m.id = r.id AND m.kept IS NOT NULL AND m.expires_at > now()) AS "canResend"
         FROM mail_records r WHERE r.recipient_key = ANY($1) AND r.created_at > now() - ${KEPT}
         UNION ALL
         SELECT m.id, m.kind, 0, NULL, m.created_at, m.created_at,
           CASE WHEN m.sealed IS NOT NULL AND m.expires_at > now() THEN 'waiting' ELSE 'expired' END, false
         FROM outgoing_mails m WHERE m.recipient_key = ANY($1) AND NOT EXISTS (SELECT 1 FROM mail_records r WHERE r.id = m.id)
       ) mails ORDER BY id DESC LIMIT $2`,
      [recipientKeys, limit],
    );
  }

  /** Returns whether there is a record of a mail to a recipient. */
  has(id: string, recipientKeys: readonly Buffer[]): Promise<boolean> {
    return this.database.hasRow('SELECT 1 FROM mail_records WHERE id = $1 AND recipient_key = ANY($2)', [
      id,
      recipientKeys,
    ]);
  }

  /**
   * Deletes the records of a recipient.
   * @param kinds kinds to delete; null for all
   */
  async forget(recipientKeys: readonly Buffer[], kinds: readonly string[] | null): Promise<void> {
    await this.database.rows(
      'DELETE FROM mail_records WHERE recipient_key = ANY($1) AND ($2::text[] IS NULL OR kind = ANY($2))',
      [recipientKeys, kinds],
    );
  }
}

/**
 * Returns a reply of a mail server as it may be stored: one line, without the address that it often
 * repeats.
 */
export function replyWithout(address: string, reply: unknown): string | null {
  if (typeof reply !== 'string' || reply === '') return null;
  const line = reply.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  const localPart = address.slice(0, address.lastIndexOf('@'));
  return withoutText(withoutText(line, address), localPart).slice(0, MAX_REPLY_LENGTH);
}

function withoutText(line: string, text: string): string {
  const escaped = text.replace(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
  return text === ''
    ? line
    : line.replace(new RegExp(String.raw`(?<![\p{L}\p{N}])${escaped}(?![\p{L}\p{N}])`, 'giu'), '…');
}
