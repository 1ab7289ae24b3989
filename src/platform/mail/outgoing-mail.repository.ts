import { Injectable } from '@nestjs/common';
import { canonicalEmail, newId } from '../../kernel/index.js';
import { RemovesExpired } from '../cleanup/index.js';
import { KeyDerivation, keyedHash, keyedHashes, Sealer } from '../crypto/index.js';
import { Database } from '../database/index.js';
import { networkOf, siteOf } from '../web/index.js';
import type { OutgoingMail } from './letter.js';

/** Maximum number of mails to one address in a period, so that no mailbox is flooded. */
interface Share {
  readonly mails: number;
  readonly periodSeconds: number;
}

/** What counts the mails of a kind to one recipient. */
export interface CountedMail extends Share {
  readonly kind: string;
  /**
   * For a mail that a stranger can cause to any address: it also counts with mails of other
   * kinds, against {@link UNSOLICITED}.
   */
  readonly unsolicited?: { readonly networkKey: Buffer | null };
  /** Part of the budget that one network can use, so that a stranger cannot exhaust it (ADR 2). */
  readonly perNetwork?: Share & { readonly networkKey: Buffer | null };
}

/** A mail to store. */
interface StoredMail {
  readonly recipient: Buffer;
  readonly network: Buffer | null;
  readonly kind: string;
  readonly content: OutgoingMail;
  readonly isUnsolicited: boolean;
}

/**
 * Mails that strangers can cause to one address, of all kinds together: of all senders in a day,
 * and of one network in an hour, so that one network cannot use up the share of the day (ADR 2).
 */
const UNSOLICITED = { mails: 300, periodSeconds: 86_400, mailsOfNetwork: 12, periodOfNetworkSeconds: 3_600 };

/** Stores mails, sealed, by keys of their recipients. */
@Injectable()
@RemovesExpired({ table: 'outgoing_mails', key: 'id', when: 'expires_at < now()' })
export class OutgoingMailRepository {
  private readonly sealer: Sealer;

  constructor(
    private readonly database: Database,
    private readonly keys: KeyDerivation,
  ) {
    this.sealer = new Sealer(keys, 'job-payload');
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

  /** Locks a recipient until the transaction ends, so that the budget counts each mail. */
  async lockRecipientForUpdate(recipient: Buffer): Promise<void> {
    await this.database.lockNameForUpdate(recipient.toString('hex'));
  }

  /** @returns the id of the mail */
  async insert(mail: StoredMail, usefulForSeconds: number): Promise<string> {
    const id = newId();
    const { recipient, network, kind, content, isUnsolicited } = mail;
    const sealed = this.sealer.seal(JSON.stringify(content));
    await this.database.rows(
      `INSERT INTO outgoing_mails (id, recipient_key, network_key, kind, sealed, expires_at, unsolicited)
       VALUES ($1, $2, $3, $4, $5, now() + make_interval(secs => $6), $7)`,
      [id, recipient, network, kind, sealed, usefulForSeconds, isUnsolicited],
    );
    return id;
  }

  /**
   * Inserts a copy of a mail that was sent, which expires when it does.
   * @returns the id of the copy
   */
  async insertCopy(id: string): Promise<string> {
    const copy = newId();
    await this.database.rows(
      `INSERT INTO outgoing_mails (id, recipient_key, network_key, kind, sealed, expires_at, unsolicited)
       SELECT $2, recipient_key, network_key, kind, kept, expires_at, unsolicited FROM outgoing_mails WHERE id = $1`,
      [id, copy],
    );
    return copy;
  }

  /**
   * Returns whether the budget of a recipient is used up. One statement whatever the mail, so that
   * its time does not tell which.
   */
  async isUsedUp(recipient: Buffer, budget: CountedMail): Promise<boolean> {
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
        countedNetworkOf(budget),
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
    const row = await this.database.row<{ sealed: string; recipientKey: Buffer }>(
      'SELECT sealed, recipient_key AS "recipientKey" FROM outgoing_mails WHERE id = $1 AND sealed IS NOT NULL AND expires_at > now()',
      [id],
    );
    return (
      row && {
        mail: JSON.parse(this.sealer.open(row.sealed)) as OutgoingMail,
        recipientKey: row.recipientKey,
      }
    );
  }

  /**
   * Finds a mail to a recipient, and locks it.
   * @param recipientKeys all keys of the recipient
   * @returns its content only if it was sent and has not expired
   */
  async findSentForUpdate(
    id: string,
    recipientKeys: readonly Buffer[],
  ): Promise<{ recipient: Buffer; kind: string; content: OutgoingMail | null } | null> {
    const row = await this.database.row<{ recipient: Buffer; kind: string; kept: string | null }>(
      `SELECT recipient_key AS recipient, kind, CASE WHEN expires_at > now() THEN kept END AS kept
       FROM outgoing_mails WHERE id = $1 AND recipient_key = ANY($2) FOR UPDATE`,
      [id, recipientKeys],
    );
    return row && { recipient: row.recipient, kind: row.kind, content: this.open(row.kept) };
  }

  /** Finds the content of mails that were sent. */
  async findSent(ids: readonly string[]): Promise<ReadonlyMap<string, OutgoingMail | null>> {
    const rows = await this.database.rows<{ id: string; kept: string }>(
      'SELECT id, kept FROM outgoing_mails WHERE id = ANY($1) AND kept IS NOT NULL',
      [ids],
    );
    return new Map(rows.map(({ id, kept }) => [id, this.open(kept)]));
  }

  /**
   * Marks a mail as sent, or given up. Its content stays sealed until it expires, so that it can be
   * sent again, and the row counts for the budget.
   * @returns false if the recipient was erased in the meantime
   */
  markSent(id: string): Promise<boolean> {
    const sql = 'UPDATE outgoing_mails SET kept = sealed, sealed = NULL WHERE id = $1 RETURNING id';
    return this.database.hasRow(sql, [id]);
  }

  /**
   * Deletes all mails to a recipient.
   * @param recipientKeys all keys of the recipient
   * @param kinds kinds to delete; null for all
   */
  async delete(recipientKeys: readonly Buffer[], kinds: readonly string[] | null): Promise<void> {
    await this.database.rows(
      'DELETE FROM outgoing_mails WHERE recipient_key = ANY($1) AND ($2::text[] IS NULL OR kind = ANY($2))',
      [recipientKeys, kinds],
    );
  }

  /** Deletes the content of mails of these kinds; the rows still count for the budget. */
  async deleteContent(recipientKeys: readonly Buffer[], kinds: readonly string[]): Promise<void> {
    await this.database.rows(
      'UPDATE outgoing_mails SET sealed = NULL, kept = NULL WHERE recipient_key = ANY($1) AND kind = ANY($2) AND coalesce(sealed, kept) IS NOT NULL',
      [recipientKeys, kinds],
    );
  }

  /** @returns null for what a former root secret has sealed, too */
  private open(kept: string | null): OutgoingMail | null {
    if (kept === null) return null;
    try {
      return JSON.parse(this.sealer.open(kept)) as OutgoingMail;
    } catch {
      return null;
    }
  }
}

/** Returns the key of the network that a mail counts for. */
export const countedNetworkOf = ({ perNetwork, unsolicited }: CountedMail): Buffer | null =>
  perNetwork?.networkKey ?? unsolicited?.networkKey ?? null;
