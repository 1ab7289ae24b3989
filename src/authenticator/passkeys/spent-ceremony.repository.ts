import { Injectable } from '@nestjs/common';
import { RemovesExpired } from '../../platform/cleanup/index.js';
import { Database } from '../../platform/database/index.js';

/** Lifetime of a ceremony in seconds: the time to find a security key. */
export const CEREMONY_LIFETIME_SECONDS = 300;

/**
 * SQL that spends a ceremony: one of several concurrent ones. Returns a row if it was not spent.
 * @param flowId parameter of the statement, such as `$1`
 */
export const spendFlow = (flowId: string): string =>
  // Kept for longer than the ceremony lives, whichever clock is ahead.
  `INSERT INTO spent_ceremonies (flow_id, expires_at)
     VALUES (${flowId}, now() + interval '${2 * CEREMONY_LIFETIME_SECONDS} seconds')
     ON CONFLICT (flow_id) DO NOTHING RETURNING 1`;

/** Ceremonies that were finished, by flow id. */
@Injectable()
@RemovesExpired({ table: 'spent_ceremonies', key: 'flow_id', when: 'expires_at < now()' })
export class SpentCeremonyRepository {
  constructor(private readonly database: Database) {}

  /** @returns false if the ceremony was spent before */
  insert(flowId: Buffer): Promise<boolean> {
    return this.database.hasRow(spendFlow('$1'), [flowId]);
  }
}
