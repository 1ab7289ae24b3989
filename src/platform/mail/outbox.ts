import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { canonicalEmail, newId } from '../../kernel/index.js';
import { KeyDerivation, keyedHash, keyedHashes, Sealer } from '../crypto/index.js';
import { DailyBudgets } from '../budgets/index.js';
import { Database } from '../database/index.js';
import { Cleanup } from '../cleanup/index.js';
import { networkOf, siteOf } from '../web/index.js';
import { JobQueue } from '../jobs/index.js';
import { DEFAULT_LOCALE } from '../messages/index.js';
import { type Count, Metrics } from '../observability/index.js';
import { MailLinks } from './mail-links.js';
import { type MailRecord, MailRecords } from './mail-records.js';
import type { MailContent } from './mail-template.js';

export interface OutgoingMail extends MailContent {
  readonly to: string;
}

interface SendOptions {
  /** Time after which the mail is no longer sent, as its link has expired. */
  readonly usefulForSeconds: number;
  readonly budget: MailBudget;
  /**
   * Does the same work without sending a mail, so that the load of the service does not reveal
   * whether an address has an account (ADR 23).
   */
  readonly isDecoy?: boolean;
  /**
   * Key for storing and counting the mail in place of its address, so that erasing the address
   * keeps it.
   */
  readonly keptAs?: string;
}

/**
 * Maximum number of mails to one address in a period, so that the service cannot flood a mailbox.
 */
interface Share {
  readonly mails: number;
  readonly periodSeconds: number;
}

/** Budget of who causes mails, for a day. */
export interface SenderBudget {
  readonly kind: string;
  /** Such as the id of an organization. */
  readonly holder: string;
  /** Null for no limit. */
  readonly mails: number | null;
}

interface MailBudget extends Share {
  readonly kind: string;
  /**
   * For a mail that a stranger can cause to any address: it also counts with those of other kinds,
   * against {@link UNSOLICITED}.
   */
  readonly unsolicited?: { readonly networkKey: Buffer | null };
  /** Counts only if the mail is sent. */
  readonly sender?: SenderBudget | null;
  /** Part of the budget that one network can use, so that a stranger cannot exhaust it (ADR 2). */
  readonly perNetwork?: Share & { readonly networkKey: Buffer | null };
}

export const SEND_MAIL = 'mail.send';
/** Separate task, as releases without decoys would send them. */
export const DROP_DECOY = 'mail.drop-decoy';
/** Mails of one kind to one recipient within an hour, after which none is sent again. */
const MAX_OF_KIND = 5;
/**
 * Mails that strangers can cause to one address, of all kinds together: of all senders in a day,
 * and of one network in an hour, so that one network cannot use up the share of the day (ADR 2).
 */
const UNSOLICITED = { mails: 300, periodSeconds: 86_400, mailsOfNetwork: 12, periodOfNetworkSeconds: 3_600 };
/** Outcome of {@link Outbox.send}: why a mail is not sent, if not. */
type Sent = 'sent' | 'recipient-limited' | 'sender-limited';
/** Outcome of {@link Outbox.resend}. */
type Resent = 'sent' | 'unknown' | 'unavailable' | 'void' | 'limited';
/** Kind of decoys, which no budget counts. */
const DECOY_KIND = 'decoy';

/** Stores mails, sealed, until a job has sent them. */
@Injectable()
export class Outbox {
  private readonly sealer: Sealer;
  private readonly withheld: Count;

  constructor(
    private readonly database: Database,
    private readonly jobs: JobQueue,
    private readonly budgets: DailyBudgets,
    private readonly records: MailRecords,
    private readonly links: MailLinks,
    @Inject(KeyDerivation) private readonly keys: KeyDerivation,
    metrics: Metrics,
  ) {
    this.sealer = new Sealer(keys, 'job-payload');
    this.withheld = metrics.counter({
      name: 'gatehouse_mails_withheld_total',
      help: 'Mails that were not sent, as the budget of their address for that kind was used up.',
      labels: {},
    });
  }

  /**
   * Queues a mail in the open transaction; a decoy instead if the budget of the address is used up.
   * @returns whether a mail will be sent
   */
  async send(mail: OutgoingMail, options: SendOptions): Promise<boolean> {
    return (await this.trySend(mail, options)) === 'sent';
  }

  /** Queues a mail as {@link send} does; nothing if the budget of the sender is used up. */
  async trySend(
    mail: OutgoingMail,
    { usefulForSeconds, budget, isDecoy = false, keptAs }: SendOptions,
  ): Promise<Sent> {
    const [recipient] = keptAs === undefined ? this.recipientKeys(mail.to) : this.keysOf(keptAs);
    return this.database.transaction(async () => {
      await this.lockRecipient(recipient);
      const isWithheld = await this.isUsedUp(recipient, budget);
      if (isWithheld && !isDecoy) this.withheld.inc({});
      const isSent = !isWithheld && !isDecoy;
      const { sender } = budget;
      if (isSent && sender && !(await this.budgets.take(sender.kind, sender.holder, sender.mails)))
        return 'sender-limited';
      const id = newId();
      const row = isSent
        ? { recipient, network: networkOfBudget(budget), kind: budget.kind, content: mail }
        : {
            recipient: randomBytes(recipient.length),
            network: null,
            kind: DECOY_KIND,
            content: maskText(mail),
          };
      const sealed = this.sealer.seal(JSON.stringify(row.content));
      await this.database.rows(
        `INSERT INTO outgoing_mails (id, recipient_key, network_key, kind, sealed, expires_at, unsolicited)
         VALUES ($1, $2, $3, $4, $5, now() + make_interval(secs => $6), $7)`,
        [
          id,
          row.recipient,
          row.network,
          row.kind,
          sealed,
          usefulForSeconds,
          budget.unsolicited !== undefined,
        ],
      );
      await this.jobs.add(isSent ? SEND_MAIL : DROP_DECOY, { id, attempt: 1 });
      return isSent ? 'sent' : 'recipient-limited';
    });
  }

  /** One statement whatever the mail, so that its time does not tell which. */
  private async isUsedUp(recipient: Buffer, budget: MailBudget): Promise<boolean> {
    const { kind, mails, periodSeconds, perNetwork, unsolicited } = budget;
    const since = unsolicited ? UNSOLICITED.periodSeconds : 0;
    const sent = await this.database.getRow<
      Record<'ofKind' | 'ofNetwork' | 'ofAll' | 'ofAllOfNetwork', number>
    >(
      `SELECT * FROM (
         SELECT count(*) FILTER (WHERE created_at > now() - make_interval(secs => $3))::int AS "ofKind",
           count(*) FILTER (WHERE created_at > now() - make_interval(secs => $4) AND network_key IS NOT DISTINCT FROM $5)::int AS "ofNetwork"
         FROM outgoing_mails
         WHERE recipient_key = $1 AND kind = $2 AND created_at > now() - make_interval(secs => greatest($3, $4))) k,
       (SELECT count(*)::int AS "ofAll",
           count(*) FILTER (WHERE created_at > now() - make_interval(secs => $7) AND network_key IS NOT DISTINCT FROM $5)::int AS "ofAllOfNetwork"
         FROM outgoing_mails
         WHERE recipient_key = $1 AND unsolicited AND created_at > now() - make_interval(secs => $6)) u`,
      [
        recipient,
        kind,
        periodSeconds,
        perNetwork?.periodSeconds ?? 0,
        networkOfBudget(budget),
        since,
        UNSOLICITED.periodOfNetworkSeconds,
      ],
    );
    if (sent.ofKind >= mails) return true;
    if (perNetwork !== undefined && sent.ofNetwork >= perNetwork.mails) return true;
    return (
      unsolicited !== undefined &&
      (sent.ofAll >= UNSOLICITED.mails || sent.ofAllOfNetwork >= UNSOLICITED.mailsOfNetwork)
    );
  }

  /** Finds a mail that is waiting and has not expired. */
  async findWaiting(id: string): Promise<{ mail: OutgoingMail; recipientKey: Buffer } | null> {
    const row = await this.database.row<{ sealed: string; recipient_key: Buffer }>(
      'SELECT sealed, recipient_key FROM outgoing_mails WHERE id = $1 AND sealed IS NOT NULL AND expires_at > now()',
      [id],
    );
    return (
      row && {
        mail: withLocale(JSON.parse(this.sealer.open(row.sealed)) as OutgoingMail),
        recipientKey: row.recipient_key,
      }
    );
  }

  /**
   * Marks a mail as sent, or given up. Its content stays sealed until it expires, so that it can be
   * sent again, and the row counts for the budget.
   * @returns false if the recipient was erased in the meantime
   */
  async markSent(id: string): Promise<boolean> {
    const sql = 'UPDATE outgoing_mails SET kept = sealed, sealed = NULL WHERE id = $1 RETURNING id';
    return (await this.database.row(sql, [id])) !== null;
  }

  /**
   * Queues a mail again that was sent or refused, as its own mail that expires when the first
   * one does. It counts for the budget of its kind.
   * @param recipientKeys all keys of the recipient
   * @returns `unknown` for a mail to another recipient, `unavailable` for one that waits, has
   *   expired or was withdrawn, `void` for one whose link has no effect any more, `limited` after
   *   five of its kind within an hour
   */
  resend(id: string, recipientKeys: readonly Buffer[]): Promise<Resent> {
    return this.database.transaction(async () => {
      const mail = await this.database.row<{ recipient: Buffer; kind: string; kept: string | null }>(
        `SELECT recipient_key AS recipient, kind, CASE WHEN expires_at > now() THEN kept END AS kept
         FROM outgoing_mails WHERE id = $1 AND recipient_key = ANY($2) FOR UPDATE`,
        [id, recipientKeys],
      );
      if (!mail) return (await this.records.has(id, recipientKeys)) ? 'unavailable' : 'unknown';
      if (mail.kept === null) return 'unavailable';
      if (!(await this.isOfUse(mail.kind, mail.kept))) return 'void';
      await this.lockRecipient(mail.recipient);
      const share = { kind: mail.kind, mails: MAX_OF_KIND, periodSeconds: 3_600 };
      if (await this.isUsedUp(mail.recipient, share)) return 'limited';
      const copy = newId();
      await this.database.rows(
        `INSERT INTO outgoing_mails (id, recipient_key, network_key, kind, sealed, expires_at, unsolicited)
         SELECT $2, recipient_key, network_key, kind, kept, expires_at, unsolicited FROM outgoing_mails WHERE id = $1`,
        [id, copy],
      );
      await this.jobs.add(SEND_MAIL, { id: copy, attempt: 1 });
      return 'sent';
    });
  }

  /**
   * Lists what became of the mails to a recipient in the last thirty days, newest first.
   * @param recipientKeys all keys of the recipient
   */
  async listRecords(recipientKeys: readonly Buffer[], limit: number): Promise<MailRecord[]> {
    const records = await this.records.list(recipientKeys, limit);
    const ids = records.filter(({ canResend }) => canResend).map(({ id }) => id);
    const found = await this.database.rows<{ id: string; kept: string }>(
      'SELECT id, kept FROM outgoing_mails WHERE id = ANY($1) AND kept IS NOT NULL',
      [ids],
    );
    const kept = new Map(found.map((mail) => [mail.id, mail.kept]));
    const checked: MailRecord[] = [];
    for (const record of records) {
      const content = kept.get(record.id);
      const canResend = content !== undefined && (await this.isOfUse(record.kind, content));
      checked.push({ ...record, canResend });
    }
    return checked;
  }

  /** A mail that a former root secret has sealed cannot be sent. */
  private async isOfUse(kind: string, kept: string): Promise<boolean> {
    let text: string;
    try {
      text = this.sealer.open(kept);
    } catch {
      return false;
    }
    return this.links.isOfUse(kind, JSON.parse(text) as OutgoingMail);
  }

  /** Locks a recipient until the transaction ends, so that the budget counts each mail. */
  private async lockRecipient(recipient: Buffer): Promise<void> {
    await this.database.lockNameForUpdate(recipient.toString('hex'));
  }

  /**
   * Deletes all mails to a recipient from the database.
   * @param recipientKeys all keys of the recipient
   * @param kinds kinds to delete; null for all
   */
  async forget(recipientKeys: readonly Buffer[], kinds: readonly string[] | null = null): Promise<void> {
    await this.database.rows(
      'DELETE FROM outgoing_mails WHERE recipient_key = ANY($1) AND ($2::text[] IS NULL OR kind = ANY($2))',
      [recipientKeys, kinds],
    );
    await this.records.forget(recipientKeys, kinds);
  }

  /**
   * Deletes the content of mails of these kinds, so that they are not sent, or sent again; the rows
   * still count for the budget.
   */
  async withdraw(recipientKeys: readonly Buffer[], kinds: readonly string[]): Promise<void> {
    await this.database.rows(
      'UPDATE outgoing_mails SET sealed = NULL, kept = NULL WHERE recipient_key = ANY($1) AND kind = ANY($2) AND coalesce(sealed, kept) IS NOT NULL',
      [recipientKeys, kinds],
    );
  }

  /** Returns the keys of the recipient of an address, the current one first. */
  recipientKeys(address: string): [Buffer, ...Buffer[]] {
    return this.keysOf(canonicalEmail(address));
  }

  /** Returns the keys of a recipient stored under a name that is not an address. */
  keysOf(name: string): [Buffer, ...Buffer[]] {
    return keyedHashes(this.keys, 'mail-recipient', name);
  }

  /**
   * Returns the key of the network from which a mail to an address was requested: of IPv6 the
   * /48, because one caller can have all networks in it. Includes the address, so that rows of two
   * addresses cannot be linked by their network.
   */
  networkKey(address: string, ipAddress: string): Buffer {
    const site = siteOf(networkOf(ipAddress));
    return keyedHash(this.keys, 'mail-recipient', `${canonicalEmail(address)}|${site}`);
  }

  @Cleanup()
  cleanUp(): Promise<boolean> {
    return this.database.removeInBatches({ table: 'outgoing_mails', key: 'id', when: 'expires_at < now()' });
  }
}

const networkOfBudget = ({ perNetwork, unsolicited }: MailBudget): Buffer | null =>
  perNetwork?.networkKey ?? unsolicited?.networkKey ?? null;

/**
 * Replaces all letters and digits of a mail by "x", keeping its length: a decoy may wait for a mail
 * server while its address is erased.
 */
const maskText = (mail: OutgoingMail): OutgoingMail =>
  JSON.parse(JSON.stringify(mail), (key, value: unknown) =>
    typeof value === 'string' && key !== 'locale' ? value.replace(/[\p{L}\p{M}\p{N}]/gu, 'x') : value,
  ) as OutgoingMail;

/** Adds the language to a mail that a release without translations has queued. */
const withLocale = (mail: Partial<OutgoingMail> & Omit<OutgoingMail, 'locale'>): OutgoingMail => ({
  ...mail,
  locale: mail.locale ?? DEFAULT_LOCALE,
});
