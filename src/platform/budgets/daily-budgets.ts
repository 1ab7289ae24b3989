import { Injectable } from '@nestjs/common';
import { RemovesExpired } from '../cleanup/index.js';
import { Database, prepared } from '../database/index.js';

const DAY_MS = 86_400_000;
const TODAY = "(now() AT TIME ZONE 'UTC')::date";
/** Locks the row until the transaction ends: of two at once, the second sees the first. */
const TAKE = prepared(`INSERT INTO daily_uses AS u (kind, holder, day, used)
  SELECT $1, $2, ${TODAY}, 1 WHERE $3::int > 0
  ON CONFLICT (kind, holder, day) DO UPDATE SET used = u.used + 1 WHERE u.used < $3::int RETURNING used`);

/** Counts what a holder does on a day in UTC, up to a maximum, for all replicas together. */
@Injectable()
@RemovesExpired({ table: 'daily_uses', key: 'kind, holder, day', when: `day < ${TODAY}` })
export class DailyBudgets {
  constructor(private readonly database: Database) {}

  /**
   * Takes one of the budget; gives it back if the open transaction fails.
   * @param max null for no limit
   * @returns false if the budget is used up
   */
  async take(kind: string, holder: string, max: number | null): Promise<boolean> {
    return max === null || (await this.database.hasRow(TAKE, [kind, holder, max]));
  }

  /** Returns how much of a budget has been used today. */
  async findUsed(kind: string, holder: string): Promise<number> {
    const sql = `SELECT used FROM daily_uses WHERE kind = $1 AND holder = $2 AND day = ${TODAY}`;
    return (await this.database.value<number>(sql, [kind, holder])) ?? 0;
  }

  /** Returns the time until the budgets of the next day. */
  secondsUntilTomorrow(): number {
    return Math.ceil((DAY_MS - (Date.now() % DAY_MS)) / 1_000);
  }
}
