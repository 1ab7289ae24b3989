import { Injectable } from '@nestjs/common';
import { Database, prepared } from '../../platform/database/index.js';
import type { UserId } from '../../kernel/index.js';

/** What a person sees of their account. */
export interface Profile {
  readonly id: UserId;
  /** Null for who signs in elsewhere, with no address that was proven here. */
  readonly email: string | null;
  readonly firstName: string | null;
  readonly company: string | null;
  readonly country: string | null;
  readonly marketingOptIn: boolean;
  readonly createdAt: Date;
}

export interface Account extends Profile {
  readonly passwordHash: string | null;
  readonly passwordVersion: number;
  /** Since when nobody gets in; null for an active one. */
  readonly suspendedAt: Date | null;
}

/** One that was found by its address. */
export interface AddressedAccount extends Account {
  readonly email: string;
}

export interface ProfileChanges {
  readonly firstName?: string;
  readonly company?: string | null;
  readonly country?: string | null;
  readonly marketingOptIn?: boolean;
}

const PROFILE = `id, email, first_name AS "firstName", company, country, marketing_opt_in AS "marketingOptIn", created_at AS "createdAt"`;
const COLUMNS = `${PROFILE}, password_hash AS "passwordHash", password_version AS "passwordVersion", suspended_at AS "suspendedAt"`;
const EXISTS = 'erased_at IS NULL';
const ACTIVE = `${EXISTS} AND suspended_at IS NULL`;

/** Accounts that exist: verified and not erased. An active one is not suspended either. */
@Injectable()
export class AccountRepository {
  constructor(private readonly database: Database) {}

  find(id: UserId): Promise<Account | null> {
    return this.findWhere(id, EXISTS);
  }

  findActive(id: UserId): Promise<Account | null> {
    return this.findWhere(id, ACTIVE);
  }

  /** The profiles of several; who is gone is left out. */
  async findProfiles(ids: readonly string[]): Promise<ReadonlyMap<string, Profile>> {
    const profiles = await this.database.rows<Profile>(
      prepared(`SELECT ${PROFILE} FROM accounts WHERE id = ANY($1) AND erased_at IS NULL`),
      [ids],
    );
    return new Map(profiles.map((profile) => [profile.id, profile]));
  }

  /** Holds the account against erasure and suspension until the transaction ends. */
  findForShare(id: UserId): Promise<Account | null> {
    return this.findWhere(id, `${EXISTS} FOR SHARE`);
  }

  /** As {@link findForShare}. */
  findActiveForShare(id: UserId): Promise<Account | null> {
    return this.findWhere(id, `${ACTIVE} FOR SHARE`);
  }

  /** Holds the account against erasure, suspension and a new password until the transaction ends; false where one of them has come before. */
  async holdUnchanged(id: UserId, passwordVersion: number): Promise<boolean> {
    const sql = `SELECT 1 FROM accounts WHERE id = $1 AND password_version = $2 AND ${ACTIVE} FOR SHARE`;
    return (await this.database.row(sql, [id, passwordVersion])) !== null;
  }

  /** Holds the account against every other change until the transaction ends. */
  findForUpdate(id: UserId): Promise<Account | null> {
    return this.findWhere(id, `${EXISTS} FOR UPDATE`);
  }

  /** As {@link findForUpdate}. */
  findActiveForUpdate(id: UserId): Promise<Account | null> {
    return this.findWhere(id, `${ACTIVE} FOR UPDATE`);
  }

  findByEmailKey(emailKey: string): Promise<AddressedAccount | null> {
    return this.database.row<AddressedAccount>(`SELECT ${COLUMNS} FROM accounts WHERE email_key = $1`, [
      emailKey,
    ]);
  }

  /** Lets no erasure come between this and the end of the transaction: what is queued in it is there for the erasure to remove. */
  findByEmailKeyForShare(emailKey: string): Promise<AddressedAccount | null> {
    return this.database.row<AddressedAccount>(
      `SELECT ${COLUMNS} FROM accounts WHERE email_key = $1 FOR SHARE`,
      [emailKey],
    );
  }

  /** The ids of who was erased, those after this one, in order. */
  async listErased(after: string, limit: number): Promise<string[]> {
    const erased = await this.database.rows<{ id: string }>(
      'SELECT id FROM accounts WHERE erased_at IS NOT NULL AND id > $1 ORDER BY id LIMIT $2',
      [after, limit],
    );
    return erased.map(({ id }) => id);
  }

  /** Answers false where the address has an account already. */
  async insertVerified(
    id: UserId,
    emailKey: string | null,
    from: Omit<Account, 'id' | 'passwordVersion' | 'suspendedAt' | 'createdAt'>,
  ): Promise<boolean> {
    const inserted = await this.database.rows(
      `INSERT INTO accounts (id, email, email_key, password_hash, first_name, company, country, marketing_opt_in)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (email_key) DO NOTHING RETURNING id`,
      [
        id,
        from.email,
        emailKey,
        from.passwordHash,
        from.firstName,
        from.company,
        from.country,
        from.marketingOptIn,
      ],
    );
    return inserted.length === 1;
  }

  async updateProfile(id: UserId, changes: ProfileChanges): Promise<Profile | null> {
    const has = (key: keyof ProfileChanges) => changes[key] !== undefined;
    return this.database.row<Profile>(
      `UPDATE accounts SET
         first_name = CASE WHEN $2 THEN $3 ELSE first_name END, company = CASE WHEN $4 THEN $5 ELSE company END,
         country = CASE WHEN $6 THEN $7 ELSE country END, marketing_opt_in = CASE WHEN $8 THEN $9 ELSE marketing_opt_in END
       WHERE id = $1 AND erased_at IS NULL RETURNING ${PROFILE}`,
      [
        id,
        has('firstName'),
        changes.firstName ?? null,
        has('company'),
        changes.company ?? null,
        has('country'),
        changes.country ?? null,
        has('marketingOptIn'),
        changes.marketingOptIn ?? null,
      ],
    );
  }

  /** A new password: logins that verified an earlier version no longer count. */
  async setPassword(id: UserId, passwordHash: string): Promise<void> {
    await this.database.rows(
      'UPDATE accounts SET password_hash = $2, password_version = password_version + 1 WHERE id = $1',
      [id, passwordHash],
    );
  }

  /** The same password under newer parameters. */
  async rehashPassword(id: UserId, version: number, passwordHash: string): Promise<void> {
    await this.database.rows(
      'UPDATE accounts SET password_hash = $3 WHERE id = $1 AND password_version = $2',
      [id, version, passwordHash],
    );
  }

  /** Answers false where the account was suspended already. */
  suspend(id: UserId): Promise<boolean> {
    return this.changed(
      'UPDATE accounts SET suspended_at = now() WHERE id = $1 AND suspended_at IS NULL',
      id,
    );
  }

  /** Answers false where the account was active already. */
  restore(id: UserId): Promise<boolean> {
    return this.changed(
      'UPDATE accounts SET suspended_at = NULL WHERE id = $1 AND suspended_at IS NOT NULL',
      id,
    );
  }

  /** Leaves a surrogate id and nothing that says whose it was. */
  async anonymize(id: UserId): Promise<void> {
    await this.database.rows(
      `UPDATE accounts SET email = NULL, email_key = NULL, password_hash = NULL, password_version = password_version + 1, first_name = NULL,
         company = NULL, country = NULL, marketing_opt_in = false, suspended_at = NULL, erased_at = now() WHERE id = $1`,
      [id],
    );
  }

  private findWhere(id: UserId, condition: string): Promise<Account | null> {
    return this.database.row<Account>(`SELECT ${COLUMNS} FROM accounts WHERE id = $1 AND ${condition}`, [id]);
  }

  private async changed(update: string, id: UserId): Promise<boolean> {
    return (await this.database.row(`${update} RETURNING 1`, [id])) !== null;
  }
}
