import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import type { UserId } from '../../platform/http/index.js';

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

  async has(userId: UserId, lock: boolean): Promise<boolean> {
    const sql = `SELECT 1 FROM operators WHERE account_id = $1 ${lock ? 'FOR SHARE' : ''}`;
    return (await this.database.row(sql, [userId])) !== null;
  }
}
