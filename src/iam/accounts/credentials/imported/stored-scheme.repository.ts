import { Injectable } from '@nestjs/common';
import { Database } from '../../../../platform/database/index.js';

const IS_IMPORTED = `password_hash LIKE 'f1$%'`;
/** Expression of the index: the statement has to repeat it. */
const SCHEME = `(split_part(password_hash, '$', 2) COLLATE "C")`;

/** Schemes of the hashes that other systems have made. */
@Injectable()
export class StoredSchemeRepository {
  constructor(private readonly database: Database) {}

  /** Jumps from one scheme to the next in the index, however many hashes each has. */
  async listSchemes(limit: number): Promise<string[]> {
    const first = (after: string): string =>
      `SELECT ${SCHEME} AS name FROM accounts WHERE ${IS_IMPORTED} ${after} ORDER BY 1 LIMIT 1`;
    const rows = await this.database.rows<{ name: string }>(
      `WITH RECURSIVE schemes AS (
         (${first('')})
         UNION ALL SELECT (${first(`AND ${SCHEME} > schemes.name`)}) FROM schemes WHERE schemes.name IS NOT NULL)
       SELECT name FROM schemes WHERE name IS NOT NULL LIMIT $1`,
      [limit],
    );
    return rows.map(({ name }) => name);
  }
}
