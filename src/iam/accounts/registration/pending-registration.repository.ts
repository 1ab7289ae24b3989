import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/index.js';
import { Cleanup } from '../../../platform/cleanup/index.js';

export interface PendingRegistration {
  readonly email: string;
  readonly emailKey: string;
  readonly passwordHash: string;
  readonly firstName: string;
  readonly company: string | null;
  readonly country: string | null;
  readonly marketingOptIn: boolean;
  /** The keyed hash of the network that it came from; null where a release before this one has written it. */
  readonly networkKey: Buffer | null;
}

/** One that waits. */
export interface WaitingRegistration extends PendingRegistration {
  readonly registeredAt: Date;
}

interface FurtherLink {
  readonly registeredAt: Date | null;
  readonly isInserted: boolean;
}

/** More than anybody makes by mistake. */
const MOST_COMPARED = 100;
/** Removed by one statement in a tenth of a second; looked through in 20 ms where a registration is one too many. */
const MAX_WAITING = 5_000;
/** Wrong passwords that a mailed link is good for. */
const MAX_FAILED_TRIES = 10;

const COLUMNS = `email, email_key AS "emailKey", password_hash AS "passwordHash", first_name AS "firstName", company, country,
  marketing_opt_in AS "marketingOptIn", network_key AS "networkKey", coalesce(registered_at, created_at) AS "registeredAt"`;

const NEWEST = `SELECT ${COLUMNS} FROM pending_registrations
  WHERE email_key = $1 AND expires_at > now() ORDER BY created_at DESC LIMIT 1`;

/** Removes rows in the order of their keys, which every removal takes, so that no two wait for each other. */
const removalOf = (condition: string) =>
  `DELETE FROM pending_registrations WHERE token_hash IN
     (SELECT token_hash FROM pending_registrations WHERE ${condition} ORDER BY token_hash FOR UPDATE)`;

/** Registrations that wait for their address to be proven. Several may wait for one address; the token says which one is meant. */
@Injectable()
export class PendingRegistrationRepository {
  constructor(private readonly database: Database) {}

  /**
   * Where too many wait for the address then, one goes: of the network with the most registrations, of the password with the
   * most, the oldest. So a flood replaces itself, and the registration of the owner stays.
   * @param further for a further link: when it was registered, and false for the statement without its effect
   */
  async insert(
    tokenHash: Buffer,
    pending: PendingRegistration,
    lifetimeSeconds: number,
    { registeredAt, isInserted }: FurtherLink = { registeredAt: null, isInserted: true },
  ): Promise<void> {
    await this.database.rows(
      `INSERT INTO pending_registrations (token_hash, email, email_key, password_hash, first_name, company, country, marketing_opt_in,
         network_key, registered_at, expires_at)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, coalesce($10, clock_timestamp()), now() + make_interval(secs => $11) WHERE $12`,
      [
        tokenHash,
        pending.email,
        pending.emailKey,
        pending.passwordHash,
        pending.firstName,
        pending.company,
        pending.country,
        pending.marketingOptIn,
        pending.networkKey,
        registeredAt,
        lifetimeSeconds,
        isInserted,
      ],
    );
    await this.removeOneTooMany(pending.emailKey);
  }

  private async removeOneTooMany(emailKey: string): Promise<void> {
    const waiting = await this.database.getRow<{ count: number }>(
      'SELECT count(*)::int AS count FROM (SELECT 1 FROM pending_registrations WHERE email_key = $1 LIMIT $2) waiting',
      [emailKey, MAX_WAITING + 1],
    );
    if (waiting.count <= MAX_WAITING) return;
    // One that is held is about to be removed or mailed: nobody waits for it.
    await this.database.rows(
      `DELETE FROM pending_registrations WHERE token_hash IN
         (SELECT token_hash FROM pending_registrations WHERE token_hash = (
            SELECT token_hash FROM (
              SELECT token_hash, created_at, count(*) OVER (PARTITION BY network_key) AS of_network,
                count(*) OVER (PARTITION BY password_hash) AS of_password
              FROM pending_registrations WHERE email_key = $1) waiting
            ORDER BY of_network DESC, of_password DESC, created_at LIMIT 1)
          FOR UPDATE SKIP LOCKED)`,
      [emailKey],
    );
  }

  /** Of the newest that wait for the address. */
  async findPasswordHashes(emailKey: string): Promise<string[]> {
    const rows = await this.database.rows<{ passwordHash: string }>(
      `SELECT password_hash AS "passwordHash" FROM pending_registrations
       WHERE email_key = $1 AND expires_at > now() ORDER BY created_at DESC LIMIT $2`,
      [emailKey, MOST_COMPARED],
    );
    return rows.map(({ passwordHash }) => passwordHash);
  }

  findNewestByEmailKey(emailKey: string): Promise<PendingRegistration | null> {
    return this.database.row<PendingRegistration>(NEWEST, [emailKey]);
  }

  /** The one that a token stands for; held against removal until the transaction ends. */
  findForShare(tokenHash: Buffer): Promise<WaitingRegistration | null> {
    return this.database.row(`SELECT ${COLUMNS} FROM pending_registrations WHERE token_hash = $1 FOR SHARE`, [
      tokenHash,
    ]);
  }

  /** The one that a token stands for, unless it has expired. */
  find(tokenHash: Buffer): Promise<WaitingRegistration | null> {
    return this.database.row(
      `SELECT ${COLUMNS} FROM pending_registrations WHERE token_hash = $1 AND expires_at > now()`,
      [tokenHash],
    );
  }

  /**
   * The newest of each password that waits for the address, held until the transaction ends: those from a network first, so
   * that registrations from elsewhere do not come before the one of whoever asks, then the newest.
   */
  async listDistinctForShare(
    emailKey: string,
    networkKey: Buffer | null,
    limit: number,
  ): Promise<WaitingRegistration[]> {
    const chosen = await this.database.rows<{ tokenHash: Buffer }>(
      `SELECT token_hash AS "tokenHash" FROM (
         SELECT DISTINCT ON (password_hash) token_hash, network_key, created_at FROM pending_registrations
         WHERE email_key = $1 AND expires_at > now() ORDER BY password_hash, created_at DESC) waiting
       ORDER BY network_key IS NOT DISTINCT FROM $2 DESC, created_at DESC LIMIT $3`,
      [emailKey, networkKey, limit],
    );
    return this.database.rows(
      `SELECT ${COLUMNS} FROM pending_registrations WHERE token_hash = ANY($1) ORDER BY token_hash FOR SHARE`,
      [chosen.map(({ tokenHash }) => tokenHash)],
    );
  }

  /** Counts a password that is shown with a token, before it is compared. Returns false where the link is good for no more. */
  async countTry(tokenHash: Buffer): Promise<boolean> {
    const sql = `UPDATE pending_registrations SET failed_tries = failed_tries + 1
      WHERE token_hash = $1 AND expires_at > now() AND failed_tries < $2 RETURNING 1`;
    return (await this.database.row(sql, [tokenHash, MAX_FAILED_TRIES])) !== null;
  }

  /** Whether a registration with this password waits for the address. */
  async hasPassword(emailKey: string, passwordHash: string): Promise<boolean> {
    const sql = `SELECT 1 FROM pending_registrations
      WHERE email_key = $1 AND password_hash = $2 AND expires_at > now() LIMIT 1`;
    return (await this.database.row(sql, [emailKey, passwordHash])) !== null;
  }

  /**
   * Takes everything that waits for the address of a token. Of several callers one gets it.
   * @param passwordHash of the registration that counts; null for the one of the token
   * @returns the registration that counts, and how many different passwords waited
   */
  async consume(
    tokenHash: Buffer,
    passwordHash: string | null,
  ): Promise<{ readonly pending: WaitingRegistration; readonly passwords: number } | null> {
    const address =
      '(SELECT email_key FROM pending_registrations WHERE token_hash = $1 AND expires_at > now())';
    const taken = await this.database.row<WaitingRegistration & { readonly passwords: number }>(
      `WITH removed AS (${removalOf(`email_key = ${address}`)} RETURNING *)
       SELECT ${COLUMNS}, (SELECT count(DISTINCT password_hash)::int FROM removed WHERE expires_at > now()) AS passwords
       FROM removed WHERE expires_at > now() AND CASE WHEN $2::text IS NULL THEN token_hash = $1 ELSE password_hash = $2 END
       ORDER BY token_hash = $1 DESC, created_at DESC LIMIT 1`,
      [tokenHash, passwordHash],
    );
    return taken && { pending: taken, passwords: taken.passwords };
  }

  /** Removes the registration of a token with all of its links. Returns false where it does not wait any more. */
  async refuse(tokenHash: Buffer): Promise<boolean> {
    const same = `(email_key, password_hash) = (SELECT email_key, password_hash FROM pending_registrations
      WHERE token_hash = $1 AND expires_at > now())`;
    return (await this.database.row(`${removalOf(same)} RETURNING 1`, [tokenHash])) !== null;
  }

  async deleteByEmailKey(emailKey: string): Promise<void> {
    await this.database.rows(removalOf('email_key = $1'), [emailKey]);
  }

  @Cleanup()
  cleanUp(): Promise<boolean> {
    return this.database.removeInBatches({
      table: 'pending_registrations',
      key: 'token_hash',
      when: 'expires_at < now()',
    });
  }
}
