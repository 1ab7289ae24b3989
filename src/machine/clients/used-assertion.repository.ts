import { Injectable } from '@nestjs/common';
import { Database, prepared, textArray, TurnBatch } from '../../platform/database/index.js';

/** Seconds for which an id of an assertion is kept: longer than an assertion is accepted. */
const KEPT_SECONDS = 900;

/** In order of the hashes, so that two statements with the same ones do not wait in a cycle. */
const TAKE = prepared(`INSERT INTO used_assertions (assertion_hash, expires_at)
   SELECT decode(hash, 'hex'), now() + make_interval(secs => seconds) FROM unnest($1::text[], $2::float8[]) AS asked (hash, seconds) ORDER BY hash
   ON CONFLICT DO NOTHING RETURNING encode(assertion_hash, 'hex') AS hash`);

/** Assertions and proofs that have been used, on whichever replica. */
@Injectable()
export class UsedAssertionRepository {
  private readonly batch = new TurnBatch<{ readonly hash: string; readonly seconds: number }, boolean>(
    async (all) => {
      const rows = await this.database.rows<{ hash: string }>(TAKE, [
        textArray(all.map(({ hash }) => hash)),
        all.map(({ seconds }) => seconds),
      ]);
      const taken = new Set(rows.map(({ hash }) => hash));
      // Of the same one in one statement, the first counts.
      return all.map(({ hash }) => taken.delete(hash));
    },
  );

  constructor(private readonly database: Database) {}

  /**
   * Takes an id, together with others of this turn of the event loop. Not for a transaction.
   * @param hash of whose it is, and its `jti`
   * @param seconds for which it is remembered: longer than it is accepted
   * @returns false if it was used before
   */
  async take(hash: Buffer, seconds = KEPT_SECONDS): Promise<boolean> {
    return (await this.batch.ask({ hash: hash.toString('hex'), seconds })) === true;
  }
}
