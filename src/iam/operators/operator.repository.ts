import { Injectable } from '@nestjs/common';
import { Database, prepared } from '../../platform/database/index.js';
import type { Page } from '../../platform/api/index.js';
import type { UserId } from '../../kernel/index.js';
import type { Recipient } from '../accounts/account-mails.js';
import { nameColumns, type PersonName } from '../accounts/person-name.js';
import { OperatorEntity } from './operator.entity.js';

/** An operator with the profile of the account. */
export interface Operator extends PersonName, Held {
  readonly since: Date;
  readonly email: string | null;
}

/** Role of an operator, and the scopes that restrict it. */
export type Appointment = Pick<OperatorEntity, 'role' | 'scopes'>;

/** Account of an operator, with the rights. */
type Held = Appointment & { readonly id: UserId };

/** An operator, as the policy needs it. */
export interface JudgedOperator {
  readonly id: UserId;
  /** Whether no other admin is without restrictions, who alone can make and change operators. */
  readonly isLastAdmin: boolean;
}

/**
 * Time after which an operator whom another one appointed counts for four eyes, so that an admin
 * cannot confirm an erasure by a second account of theirs before other admins notice it.
 */
const TRUST_DELAY = "interval '24 hours'";

const SELECT = `SELECT o.account_id AS id, o.role, o.scopes, o.created_at AS since, a.email, ${nameColumns('a')}
  FROM operators o JOIN accounts a ON a.id = o.account_id`;

/** Accounts that may operate the platform. */
@Injectable()
export class OperatorRepository {
  constructor(private readonly database: Database) {}

  /**
   * Makes the account an operator, or changes the rights of one. For the command line, whose
   * appointments count at once.
   */
  async upsert(accountId: UserId, { role, scopes }: Appointment): Promise<void> {
    await this.database.rows(
      `INSERT INTO operators (account_id, role, scopes) VALUES ($1, $2, $3)
       ON CONFLICT (account_id) DO UPDATE SET role = excluded.role, scopes = excluded.scopes, trusted_from = excluded.trusted_from
       WHERE (operators.role, operators.scopes) IS DISTINCT FROM (excluded.role, excluded.scopes)`,
      [accountId, role, scopes],
    );
  }

  /** Appoints an operator by another one. @returns false if the account is an operator already */
  async insert(accountId: UserId, { role, scopes }: Appointment): Promise<boolean> {
    const inserted = await this.database.rows(
      `INSERT INTO operators (account_id, role, scopes, trusted_from) VALUES ($1, $2, $3, now() + ${TRUST_DELAY})
       ON CONFLICT (account_id) DO NOTHING RETURNING 1`,
      [accountId, role, scopes],
    );
    return inserted.length === 1;
  }

  /**
   * Changes the rights of an operator by another one.
   * @returns false if they have these rights already, or the account is no operator
   */
  async update(accountId: UserId, { role, scopes }: Appointment): Promise<boolean> {
    const updated = await this.database.rows(
      `UPDATE operators SET role = $2, scopes = $3, trusted_from = now() + ${TRUST_DELAY}
       WHERE account_id = $1 AND (role, scopes) IS DISTINCT FROM ($2, $3::text[]) RETURNING 1`,
      [accountId, role, scopes],
    );
    return updated.length === 1;
  }

  /** @returns false if the account is no operator */
  async delete(accountId: UserId): Promise<boolean> {
    const { affected } = await this.database.repository(OperatorEntity).delete({ accountId });
    return affected === 1;
  }

  /** Returns a page in order of id, and one row more if there is a next page. */
  list({ limit, after }: Page): Promise<Operator[]> {
    return this.database.rows<Operator>(
      `${SELECT} WHERE $1::text IS NULL OR o.account_id > $1 ORDER BY o.account_id LIMIT $2`,
      [after, limit + 1],
    );
  }

  /**
   * Lists the addresses of admins, for what they have to learn of. Not of suspended ones.
   * @param scope only of those who are not restricted to others; null for every admin
   */
  listAdminAddresses(scope: string | null): Promise<Recipient[]> {
    return this.database.rows<Recipient>(
      `SELECT a.email, a.locale FROM operators o JOIN accounts a ON a.id = o.account_id
       WHERE o.role = 'admin' AND ($1::text IS NULL OR o.scopes IS NULL OR $1 = ANY(o.scopes)) AND a.email IS NOT NULL AND a.suspended_at IS NULL
       ORDER BY o.account_id`,
      [scope],
    );
  }

  /**
   * Finds an operator, who keeps the rights until the transaction ends.
   * @returns null for an account that is no operator
   */
  findForShare(userId: UserId): Promise<Held | null> {
    return this.database.row<Held>(
      'SELECT account_id AS id, role, scopes FROM operators WHERE account_id = $1 FOR SHARE',
      [userId],
    );
  }

  /** Returns those of the accounts that are operators. */
  findOperators(userIds: readonly string[]): Promise<Held[]> {
    return this.database.rows<Held>(
      prepared('SELECT account_id AS id, role, scopes FROM operators WHERE account_id = ANY($1)'),
      [userIds],
    );
  }

  /** Locks every admin, in order of id, so that the last one without restrictions remains. */
  async lockAdminsForUpdate(): Promise<void> {
    await this.database.rows("SELECT 1 FROM operators WHERE role = 'admin' ORDER BY account_id FOR UPDATE");
  }

  findJudged(ids: readonly string[]): Promise<JudgedOperator[]> {
    return this.database.rows<JudgedOperator>(
      `SELECT o.account_id AS id, NOT EXISTS (
         SELECT 1 FROM operators other WHERE other.role = 'admin' AND other.scopes IS NULL AND other.account_id <> o.account_id) AS "isLastAdmin"
       FROM operators o WHERE o.account_id = ANY($1)`,
      [ids],
    );
  }

  /** @returns null for an account that is no operator */
  find(id: UserId): Promise<Operator | null> {
    return this.database.row<Operator>(`${SELECT} WHERE o.account_id = $1`, [id]);
  }
}
