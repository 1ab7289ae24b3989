import { Injectable } from '@nestjs/common';
import { Database, prepared } from '../../platform/database/index.js';
import type { UserId } from '../../kernel/index.js';
import { OperatorEntity } from './operator.entity.js';

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
