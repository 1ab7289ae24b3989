import { Injectable } from '@nestjs/common';
import { Database, prepared } from '../../platform/database/index.js';

/** Seconds for which an id of an assertion is kept: longer than an assertion is accepted. */
const KEPT_SECONDS = 900;

/** Assertions and proofs that have been used, on whichever replica. */
@Injectable()
export class UsedAssertionRepository {
  constructor(private readonly database: Database) {}

  /**
   * @param hash of whose it is, and its `jti`
   * @param seconds for which it is remembered: longer than it is accepted
   * @returns false if it was used before
   */
  async take(hash: Buffer, seconds = KEPT_SECONDS): Promise<boolean> {
    const taken = await this.database.rows(
      prepared(`INSERT INTO used_assertions (assertion_hash, expires_at) VALUES ($1, now() + make_interval(secs => $2))
       ON CONFLICT DO NOTHING RETURNING 1`),
      [hash, seconds],
    );
    return taken.length > 0;
  }
}
