import { Injectable } from '@nestjs/common';
import type { UserId } from '../../kernel/index.js';
import { Database, textArray } from '../../platform/database/index.js';
import type { AccountEntity } from '../accounts/account.entity.js';
import type { PersonName } from '../accounts/person-name.js';
import { FORMER_END, formerIdOf } from './import-keys.js';

/** An account to be created. */
export interface NewAccount extends PersonName {
  readonly id: UserId;
  readonly importKey: string;
  readonly email: string;
  readonly emailKey: string;
  readonly passwordHash: string | null;
}

/** An account that is there already. */
export interface KnownAccount extends Pick<AccountEntity, 'id' | 'importKey' | 'emailKey'> {
  readonly isErased: boolean;
  /** Whether it was created since the given time. */
  readonly isNew: boolean;
}

/**
 * Finds accounts by one column. Each has its own statement: for three columns in one
 * condition, the planner reads a table of some hundred thousand accounts from end to end.
 */
const findBy = (condition: string): string =>
  `SELECT id, import_key AS "importKey", email_key AS "emailKey", erased_at IS NOT NULL AS "isErased", created_at >= $4 AS "isNew"
   FROM accounts WHERE ${condition}`;

const FIND = ['import_key IS NOT NULL AND import_key = ANY($1)', 'id = ANY($2)', 'email_key = ANY($3)']
  .map(findBy)
  .join(' UNION ALL ');

/** Accounts of an import, many by one statement. */
@Injectable()
export class ImportRepository {
  constructor(private readonly database: Database) {}

  /** Returns the time, and whether there are accounts that were imported before the column. */
  start(): Promise<{ readonly now: Date; readonly hasFormer: boolean }> {
    return this.database.getRow(
      'SELECT clock_timestamp() AS now, EXISTS (SELECT 1 FROM accounts WHERE id < $1) AS "hasFormer"',
      [FORMER_END],
    );
  }

  /** Finds accounts by import keys and addresses; one that has both may be there twice. */
  find(importKeys: readonly string[], emailKeys: readonly string[], since: Date): Promise<KnownAccount[]> {
    return this.database.rows<KnownAccount>(FIND, [
      textArray(importKeys),
      textArray(importKeys.map(formerIdOf)),
      textArray(emailKeys),
      since,
    ]);
  }

  /** @returns the ids of those that were inserted: for others, the key or the address is taken */
  async insert(accounts: readonly NewAccount[]): Promise<ReadonlySet<string>> {
    const inserted = await this.database.rows<{ id: string }>(
      `INSERT INTO accounts (id, import_key, email, email_key, first_name, last_name, display_name, password_hash)
       SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
       ON CONFLICT DO NOTHING RETURNING id`,
      [
        textArray(accounts.map(({ id }) => id)),
        textArray(accounts.map(({ importKey }) => importKey)),
        textArray(accounts.map(({ email }) => email)),
        textArray(accounts.map(({ emailKey }) => emailKey)),
        textArray(accounts.map(({ firstName }) => firstName)),
        textArray(accounts.map(({ lastName }) => lastName)),
        textArray(accounts.map(({ displayName }) => displayName)),
        textArray(accounts.map(({ passwordHash }) => passwordHash)),
      ],
    );
    return new Set(inserted.map(({ id }) => id));
  }
}
