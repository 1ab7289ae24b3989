import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { canonicalEmail, newId } from '../../kernel/index.js';
import { KeyDerivation, keyedHash, keyedHashes, Sealer } from '../crypto/index.js';
import { Database } from '../database/index.js';
import { Cleanup } from '../cleanup/index.js';
import { networkOf } from '../web/index.js';
import { JobQueue } from '../jobs/index.js';
import { type Count, Metrics } from '../observability/index.js';
import type { MailContent } from './mail-template.js';

export interface OutgoingMail extends MailContent {
  readonly to: string;
}

interface SendOptions {
  /** A mail whose link has died is not worth sending. */
  readonly usefulForSeconds: number;
  readonly budget: MailBudget;
  /**
   * There is nobody to mail. The same work is done and no mail is sent, so that a stranger cannot tell by the load of the
   * service whether the address is known.
   */
  readonly isDecoy?: boolean;
  /** The name that the mail is kept and counted under in place of its address: what forgets the address leaves the mail. */
  readonly keptAs?: string;
}

/** Maximum number of mails to one address in a period, so that nobody's mailbox can be flooded through the service. */
interface Share {
  readonly mails: number;
  readonly periodSeconds: number;
}

interface MailBudget extends Share {
  readonly kind: string;
  /** The part of it that one network can use up, so that a stranger cannot use up all of it (ADR 2). */
  readonly perNetwork?: Share & { readonly networkKey: Buffer | null };
}

export const SEND_MAIL = 'mail.send';
/** A task of its own: a release that does not know decoys would send them. */
export const DROP_DECOY = 'mail.drop-decoy';
/** Counts for no budget. */
const DECOY_KIND = 'decoy';

/** Mails wait here, sealed, until the job has sent them. */
@Injectable()
export class Outbox {
  private readonly sealer: Sealer;
  private readonly withheld: Count;

  constructor(
    private readonly database: Database,
    private readonly jobs: JobQueue,
    @Inject(KeyDerivation) private readonly keys: KeyDerivation,
    metrics: Metrics,
  ) {
    this.sealer = new Sealer(keys, 'job-payload');
    this.withheld = metrics.counter({
      name: 'gatehouse_mails_withheld_total',
      help: 'Mails that were not written, as their address had had its share of that kind.',
      labels: {},
    });
  }

  /**
   * Queues a mail in the open transaction. A decoy is queued in its place where the address has had its share of this kind.
   * @returns whether a mail will be sent
   */
  async send(
    mail: OutgoingMail,
    { usefulForSeconds, budget, isDecoy = false, keptAs }: SendOptions,
  ): Promise<boolean> {
    const [recipient] = keptAs === undefined ? this.recipientKeys(mail.to) : this.keysOf(keptAs);
    return this.database.transaction(async () => {
      await this.database.rows('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
        recipient.toString('hex'),
      ]);
      const isWithheld = await this.isUsedUp(recipient, budget);
      if (isWithheld && !isDecoy) this.withheld.inc({});
      const isSent = !isWithheld && !isDecoy;
      const id = newId();
      const row = isSent
        ? { recipient, network: budget.perNetwork?.networkKey ?? null, kind: budget.kind, content: mail }
        : {
            recipient: randomBytes(recipient.length),
            network: null,
            kind: DECOY_KIND,
            content: masked(mail),
          };
      const sealed = this.sealer.seal(JSON.stringify(row.content));
      await this.database.rows(
        `INSERT INTO outgoing_mails (id, recipient_key, network_key, kind, sealed, expires_at)
         VALUES ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))`,
        [id, row.recipient, row.network, row.kind, sealed, usefulForSeconds],
      );
      await this.jobs.add(isSent ? SEND_MAIL : DROP_DECOY, { id, attempt: 1 });
      return isSent;
    });
  }

  private async isUsedUp(recipient: Buffer, { kind, mails, periodSeconds, perNetwork }: MailBudget) {
    const sent = await this.database.getRow<{ overall: number; ofNetwork: number }>(
      `SELECT count(*) FILTER (WHERE created_at > now() - make_interval(secs => $3))::int AS overall,
         count(*) FILTER (WHERE created_at > now() - make_interval(secs => $4) AND network_key IS NOT DISTINCT FROM $5)::int AS "ofNetwork"
       FROM outgoing_mails
       WHERE recipient_key = $1 AND kind = $2 AND created_at > now() - make_interval(secs => greatest($3, $4))`,
      [recipient, kind, periodSeconds, perNetwork?.periodSeconds ?? 0, perNetwork?.networkKey ?? null],
    );
    return sent.overall >= mails || (perNetwork !== undefined && sent.ofNetwork >= perNetwork.mails);
  }

  /** A mail that still waits and is still of use. */
  async findWaiting(id: string): Promise<{ mail: OutgoingMail; recipientKey: Buffer } | null> {
    const row = await this.database.row<{ sealed: string; recipient_key: Buffer }>(
      'SELECT sealed, recipient_key FROM outgoing_mails WHERE id = $1 AND sealed IS NOT NULL AND expires_at > now()',
      [id],
    );
    return (
      row && {
        mail: JSON.parse(this.sealer.open(row.sealed)) as OutgoingMail,
        recipientKey: row.recipient_key,
      }
    );
  }

  /** Forgets the content; the bare row goes on counting for the budget. False where the recipient was forgotten meanwhile. */
  async markSent(id: string): Promise<boolean> {
    const sql = 'UPDATE outgoing_mails SET sealed = NULL WHERE id = $1 RETURNING id';
    return (await this.database.row(sql, [id])) !== null;
  }

  /** Removes every trace of mails to a recipient of these names from the database; of some kinds alone, if any are named. */
  async forget(recipientKeys: readonly Buffer[], kinds: readonly string[] | null = null): Promise<void> {
    await this.database.rows(
      'DELETE FROM outgoing_mails WHERE recipient_key = ANY($1) AND ($2::text[] IS NULL OR kind = ANY($2))',
      [recipientKeys, kinds],
    );
  }

  /** The names under which a recipient is known here: what comes now has the first. */
  recipientKeys(address: string): [Buffer, ...Buffer[]] {
    return this.keysOf(canonicalEmail(address));
  }

  /** The same of a name that is no address. */
  keysOf(name: string): [Buffer, ...Buffer[]] {
    return keyedHashes(this.keys, 'mail-recipient', name);
  }

  /**
   * Names the network that a mail to this address was asked for from. The address is part of the name, so that rows of
   * two addresses cannot be connected by it.
   */
  networkKey(address: string, ipAddress: string): Buffer {
    return keyedHash(this.keys, 'mail-recipient', `${canonicalEmail(address)}|${networkOf(ipAddress)}`);
  }

  @Cleanup()
  cleanUp(): Promise<boolean> {
    return this.database.removeInBatches({ table: 'outgoing_mails', key: 'id', when: 'expires_at < now()' });
  }
}

/** A mail as long as this one that names nobody and has no link: a decoy may wait for a mail server, and its address be erased. */
const masked = (mail: OutgoingMail): OutgoingMail =>
  JSON.parse(JSON.stringify(mail), (_key, value: unknown) =>
    typeof value === 'string' ? value.replace(/[\p{L}\p{M}\p{N}]/gu, 'x') : value,
  ) as OutgoingMail;
