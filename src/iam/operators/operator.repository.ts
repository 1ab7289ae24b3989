import { Injectable } from '@nestjs/common';
import { Database, prepared } from '../../platform/database/index.js';
import type { UserId } from '../../kernel/index.js';

/** The people who run the platform. */
@Injectable()
export class OperatorRepository {
  constructor(private readonly database: Database) {}

  /** Granting twice changes nothing. */
  async insert(userId: UserId): Promise<void> {
    await this.database.rows('INSERT INTO operators (account_id) VALUES ($1) ON CONFLICT DO NOTHING', [
      userId,
    ]);
  }

  async delete(userId: UserId): Promise<void> {
    await this.database.rows('DELETE FROM operators WHERE account_id = $1', [userId]);
  }

  /** Whether somebody is one; if so, until the open transaction ends. */
  async hold(userId: UserId): Promise<boolean> {
    const sql = 'SELECT 1 FROM operators WHERE account_id = $1 FOR SHARE';
    return (await this.database.row(sql, [userId])) !== null;
  }

  /** Those of the people who are. */
  async findOperators(userIds: readonly string[]): Promise<string[]> {
    const sql = prepared('SELECT account_id AS id FROM operators WHERE account_id = ANY($1)');
    return (await this.database.rows<{ id: string }>(sql, [userIds])).map(({ id }) => id);
  }
}
