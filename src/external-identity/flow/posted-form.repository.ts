import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import { Tidies } from '../../platform/housekeeping/index.js';

/** Forms on their way, sealed. */
@Injectable()
export class PostedFormRepository {
  constructor(private readonly database: Database) {}

  /** Removes those that nobody has come back for as well: anybody may post one, and they are large. */
  async insert(keyHash: Buffer, sealed: string, lifetimeSeconds: number): Promise<void> {
    await this.database.rows(
      `WITH expired AS (DELETE FROM external_forms WHERE key_hash IN
         (SELECT key_hash FROM external_forms WHERE expires_at < now() FOR UPDATE SKIP LOCKED))
       INSERT INTO external_forms (key_hash, sealed, expires_at) VALUES ($1, $2, now() + make_interval(secs => $3))`,
      [keyHash, sealed, lifetimeSeconds],
    );
  }

  async find(keyHash: Buffer): Promise<string | null> {
    const row = await this.database.row<{ sealed: string }>(
      'SELECT sealed FROM external_forms WHERE key_hash = $1 AND expires_at > now()',
      [keyHash],
    );
    return row?.sealed ?? null;
  }

  /** Answers true once for each form. */
  async delete(keyHash: Buffer): Promise<boolean> {
    const sql = 'DELETE FROM external_forms WHERE key_hash = $1 RETURNING 1';
    return (await this.database.rows(sql, [keyHash])).length === 1;
  }

  @Tidies()
  tidy(): Promise<boolean> {
    return this.database.removeInBatches({
      table: 'external_forms',
      key: 'key_hash',
      when: 'expires_at < now()',
    });
  }
}
