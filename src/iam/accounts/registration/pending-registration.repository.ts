import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/index.js';
import { RemovesExpired } from '../../../platform/cleanup/index.js';
import { hashOneTimeToken } from '../../../platform/crypto/index.js';
import { MailLink, type SentLink } from '../../../platform/mail/index.js';
import type { PendingRegistrationEntity } from './pending-registration.entity.js';

export type PendingRegistration = Omit<
  PendingRegistrationEntity,
  'tokenHash' | 'createdAt' | 'expiresAt' | 'registeredAt' | 'failedTries'
>;

/** A stored registration. */
export interface WaitingRegistration extends PendingRegistration {
  readonly registeredAt: Date;
}

interface FurtherLink {
  readonly registeredAt: Date | null;
  readonly isInserted: boolean;
}

/** Maximum number of password hashes compared with a login's password. */
const MAX_COMPARED = 100;
/** Maximum per address. One statement deletes that many in 100 ms, and searches them in 20 ms. */
const MAX_WAITING = 5_000;
/** Maximum number of wrong passwords per mailed link. */
const MAX_FAILED_TRIES = 10;

const COLUMNS = `email, email_key AS "emailKey", password_hash AS "passwordHash", first_name AS "firstName", last_name AS "lastName",
  display_name AS "displayName", company, country,
  marketing_opt_in AS "marketingOptIn", locale, network_key AS "networkKey", coalesce(registered_at, created_at) AS "registeredAt"`;

const NEWEST = `SELECT ${COLUMNS} FROM pending_registrations
  WHERE email_key = $1 AND expires_at > now() ORDER BY created_at DESC LIMIT 1`;

/** Deletes rows in order of their keys, as every deletion does, to avoid deadlocks. */
const removalOf = (condition: string) =>
  `DELETE FROM pending_registrations WHERE token_hash IN
     (SELECT token_hash FROM pending_registrations WHERE ${condition} ORDER BY token_hash FOR UPDATE)`;

/**
 * Registrations whose address is not yet verified. An address can have several; the token of the
 * mailed link selects one.
 */
@Injectable()
@RemovesExpired({ table: 'pending_registrations', key: 'token_hash', when: 'expires_at < now()' })
export class PendingRegistrationRepository {
  constructor(private readonly database: Database) {}

  /**
   * Inserts a registration. Beyond the limit of the address it deletes one: the oldest of the
   * network with the most registrations, and of those of the password with the most. So a flood
   * displaces itself, and the registration of the owner stays.
   * @param further for a further link: time of the registration, and false to run the statement
   * without effect
   */
  async insert(
    tokenHash: Buffer,
    pending: PendingRegistration,
    lifetimeSeconds: number,
    { registeredAt, isInserted }: FurtherLink = { registeredAt: null, isInserted: true },
  ): Promise<void> {
    await this.database.rows(
      `INSERT INTO pending_registrations (token_hash, email, email_key, password_hash, first_name, last_name, display_name, company,
         country, marketing_opt_in, locale, network_key, registered_at, expires_at)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, coalesce($13, clock_timestamp()), now() + make_interval(secs => $14) WHERE $15`,
      [
        tokenHash,
        pending.email,
        pending.emailKey,
        pending.passwordHash,
        pending.firstName,
        pending.lastName,
        pending.displayName,
        pending.company,
        pending.country,
        pending.marketingOptIn,
        pending.locale,
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
    // Skips a locked row, which is being deleted or mailed.
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

  /** Returns the password hashes of the address's newest registrations. */
  async findPasswordHashes(emailKey: string): Promise<string[]> {
    const rows = await this.database.rows<{ passwordHash: string }>(
      `SELECT password_hash AS "passwordHash" FROM pending_registrations
       WHERE email_key = $1 AND expires_at > now() ORDER BY created_at DESC LIMIT $2`,
      [emailKey, MAX_COMPARED],
    );
    return rows.map(({ passwordHash }) => passwordHash);
  }

  findNewestByEmailKey(emailKey: string): Promise<PendingRegistration | null> {
    return this.database.row<PendingRegistration>(NEWEST, [emailKey]);
  }

  /** Returns the registration of a token, locked against deletion until the transaction ends. */
  findForShare(tokenHash: Buffer): Promise<WaitingRegistration | null> {
    return this.database.row(`SELECT ${COLUMNS} FROM pending_registrations WHERE token_hash = $1 FOR SHARE`, [
      tokenHash,
    ]);
  }

  /** Returns the registration of a token, unless it has expired. */
  find(tokenHash: Buffer): Promise<WaitingRegistration | null> {
    return this.database.row(
      `SELECT ${COLUMNS} FROM pending_registrations WHERE token_hash = $1 AND expires_at > now()`,
      [tokenHash],
    );
  }

  @MailLink('verification')
  async isMailWaitedFor({ token }: SentLink): Promise<boolean> {
    return (await this.find(hashOneTimeToken(token))) !== null;
  }

  /**
   * Returns the newest registration of each password for the address, locked until the transaction
   * ends. Those of the caller's network come first, so that registrations of other networks cannot
   * displace the caller's own; then the newest.
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

  /**
   * Counts a try of a password with a token, before it is compared.
   * @returns false if the link allows no more tries
   */
  async countTry(tokenHash: Buffer): Promise<boolean> {
    const sql = `UPDATE pending_registrations SET failed_tries = failed_tries + 1
      WHERE token_hash = $1 AND expires_at > now() AND failed_tries < $2 RETURNING 1`;
    return (await this.database.row(sql, [tokenHash, MAX_FAILED_TRIES])) !== null;
  }

  /** Tells whether the address has a registration with this password hash. */
  async hasPassword(emailKey: string, passwordHash: string): Promise<boolean> {
    const sql = `SELECT 1 FROM pending_registrations
      WHERE email_key = $1 AND password_hash = $2 AND expires_at > now() LIMIT 1`;
    return (await this.database.row(sql, [emailKey, passwordHash])) !== null;
  }

  /**
   * Deletes all registrations for the address of a token. One of several concurrent callers
   * succeeds.
   * @param passwordHash password hash of the registration to return; null for that of the token
   * @returns the registration, and the number of different passwords among all of them
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

  /**
   * Deletes the registration of a token with all of its links.
   * @returns false if there is no such registration
   */
  async refuse(tokenHash: Buffer): Promise<boolean> {
    const same = `(email_key, password_hash) = (SELECT email_key, password_hash FROM pending_registrations
      WHERE token_hash = $1 AND expires_at > now())`;
    return (await this.database.row(`${removalOf(same)} RETURNING 1`, [tokenHash])) !== null;
  }

  async deleteByEmailKey(emailKey: string): Promise<void> {
    await this.database.rows(removalOf('email_key = $1'), [emailKey]);
  }

  /** Deletes the registrations of addresses. @returns the addresses that had any */
  async deleteByEmailKeys(emailKeys: readonly string[]): Promise<string[]> {
    const sql = `${removalOf('email_key = ANY($1)')} RETURNING email_key AS "emailKey"`;
    const removed = await this.database.rows<{ emailKey: string }>(sql, [emailKeys]);
    return [...new Set(removed.map(({ emailKey }) => emailKey))];
  }
}
