import { Injectable } from '@nestjs/common';
import { Database, prepared } from '../../platform/database/index.js';
import type { Page } from '../../platform/api/index.js';
import type { UserId } from '../../kernel/index.js';
import { OperatorEntity } from './operator.entity.js';

/** An operator with the profile of the account. */
export interface Operator {
  readonly id: UserId;
  readonly since: Date;
  readonly email: string | null;
  readonly firstName: string | null;
}

/** Accounts that may operate the platform. */
@Injectable()
export class OperatorRepository {
  constructor(private readonly database: Database) {}

  /** Changes nothing if the account is an operator already. */
  async insert(accountId: UserId): Promise<void> {
    const insert = this.database.repository(OperatorEntity).createQueryBuilder().insert();
    await insert.values({ accountId }).orIgnore().execute();
  }

  async delete(accountId: UserId): Promise<void> {
    await this.database.repository(OperatorEntity).delete({ accountId });
  }

  /** Returns a page in order of id, and one row more if there is a next page. */
  list({ limit, after }: Page): Promise<Operator[]> {
    return this.database.rows<Operator>(
      `SELECT o.account_id AS id, o.created_at AS since, a.email, a.first_name AS "firstName"
       FROM operators o JOIN accounts a ON a.id = o.account_id
       WHERE $1::text IS NULL OR o.account_id > $1 ORDER BY o.account_id LIMIT $2`,
      [after, limit + 1],
    );
  }

  /** @returns whether the account is an operator; if so, it stays one until the transaction ends */
  async isOperatorForShare(userId: UserId): Promise<boolean> {
    const sql = 'SELECT 1 FROM operators WHERE account_id = $1 FOR SHARE';
    return (await this.database.row(sql, [userId])) !== null;
  }

  /** Returns those of the accounts that are operators. */
  async findOperators(userIds: readonly string[]): Promise<string[]> {
    const sql = prepared('SELECT account_id AS id FROM operators WHERE account_id = ANY($1)');
    return (await this.database.rows<{ id: string }>(sql, [userIds])).map(({ id }) => id);
  }
}
