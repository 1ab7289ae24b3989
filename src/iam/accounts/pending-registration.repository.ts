import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import { Tidies } from '../../platform/housekeeping/index.js';

export interface PendingRegistration {
  readonly email: string;
  readonly emailKey: string;
  readonly passwordHash: string;
  readonly firstName: string;
  readonly company: string | null;
  readonly country: string | null;
  readonly marketingOptIn: boolean;
}

/** More than anybody makes by mistake. */
const MOST_COMPARED = 100;
/** They go in a third of a second. */
const MOST_WAITING = 20_000;

const COLUMNS = `email, email_key AS "emailKey", password_hash AS "passwordHash", first_name AS "firstName", company, country,
  marketing_opt_in AS "marketingOptIn"`;

const NEWEST = `SELECT ${COLUMNS} FROM pending_registrations
  WHERE email_key = $1 AND expires_at > now() ORDER BY created_at DESC LIMIT 1`;

/** Removes what waits for an address, in an order that is everybody's: none waits for who waits for it. */
const removalOf = (emailKey: string) =>
  `DELETE FROM pending_registrations WHERE token_hash IN
     (SELECT token_hash FROM pending_registrations WHERE email_key = ${emailKey} ORDER BY token_hash FOR UPDATE)`;

/** Registrations that wait for their address to be proven. Several may wait for one address; the token says which one is meant. */
@Injectable()
export class PendingRegistrationRepository {
  constructor(private readonly database: Database) {}

  /** Nothing where as many wait for the address as can be removed by one statement: whoever proves or erases it has to be able to. */
  async insert(tokenHash: Buffer, pending: PendingRegistration, lifetimeSeconds: number): Promise<void> {
    await this.database.rows(
      `INSERT INTO pending_registrations (token_hash, email, email_key, password_hash, first_name, company, country, marketing_opt_in, expires_at)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8, now() + make_interval(secs => $9)
       WHERE (SELECT count(*) FROM (SELECT 1 FROM pending_registrations WHERE email_key = $3 LIMIT $10) waiting) < $10`,
      [
        tokenHash,
        pending.email,
        pending.emailKey,
        pending.passwordHash,
        pending.firstName,
        pending.company,
        pending.country,
        pending.marketingOptIn,
        lifetimeSeconds,
        MOST_WAITING,
      ],
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

  /** The same, which nobody removes before the transaction ends. */
  holdNewestByEmailKey(emailKey: string): Promise<PendingRegistration | null> {
    return this.database.row<PendingRegistration>(`${NEWEST} FOR SHARE`, [emailKey]);
  }

  /** Whether the registration still waits; if so, nobody removes it before the transaction ends. */
  async hold(tokenHash: Buffer): Promise<boolean> {
    return (
      (await this.database.row('SELECT 1 FROM pending_registrations WHERE token_hash = $1 FOR SHARE', [
        tokenHash,
      ])) !== null
    );
  }

  /** Takes the registration that the token stands for, and with it all others of its address; of several callers one gets them. */
  async consume(tokenHash: Buffer): Promise<PendingRegistration | null> {
    const taken = await this.database.rows<PendingRegistration & { readonly isMeant: boolean }>(
      `${removalOf('(SELECT email_key FROM pending_registrations WHERE token_hash = $1 AND expires_at > now())')}
       RETURNING token_hash = $1 AS "isMeant", ${COLUMNS}`,
      [tokenHash],
    );
    return taken.find(({ isMeant }) => isMeant) ?? null;
  }

  async deleteByEmailKey(emailKey: string): Promise<void> {
    await this.database.rows(removalOf('$1'), [emailKey]);
  }

  @Tidies()
  tidy(): Promise<boolean> {
    return this.database.removeInBatches({
      table: 'pending_registrations',
      key: 'token_hash',
      when: 'expires_at < now()',
    });
  }
}
