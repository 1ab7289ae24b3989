import { Injectable } from '@nestjs/common';
import type { UserId } from '../../kernel/index.js';
import { RemovesExpired } from '../../platform/cleanup/index.js';
import { columnsOf, Database } from '../../platform/database/index.js';
import { OPERATOR_NAME_OF_A, requestCounts } from '../operator-sql.js';
import { ImportRunEntity } from './import-run.entity.js';

/** Condition of a request that counts. */
const COUNTS = requestCounts('platform:import:create');

/** An import, with the name or address of its operator; null for one by a program. */
export interface ImportRun extends ImportRunEntity {
  readonly operatorName: string | null;
}

/** What a part of an import has done. */
type PartOfRun = Omit<ImportRunEntity, 'createdAt' | 'updatedAt'>;

/**
 * Imports of the last 90 days; and imports of members that wait for a second operator, by the
 * digest of their part of the file.
 */
@Injectable()
@RemovesExpired(
  { table: 'import_runs', key: 'id', when: "updated_at < now() - interval '90 days'" },
  { table: 'import_requests', key: 'digest', when: 'expires_at < now()' },
)
export class ImportRunRepository {
  constructor(private readonly database: Database) {}

  /** Adds a part to its import. The id of another operator's import adds nothing. */
  async add({ id, operatorId, fileName, imported, invited, unchanged, failed }: PartOfRun): Promise<void> {
    await this.database.rows(
      `INSERT INTO import_runs AS r (id, operator_id, file_name, imported, invited, unchanged, failed)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (id) DO UPDATE SET imported = r.imported + excluded.imported, invited = r.invited + excluded.invited,
         unchanged = r.unchanged + excluded.unchanged, failed = r.failed + excluded.failed, updated_at = now()
       WHERE r.operator_id = excluded.operator_id`,
      [id, operatorId, fileName, imported, invited, unchanged, failed],
    );
  }

  /** Returns the newest imports. */
  listNewest(limit: number): Promise<ImportRun[]> {
    return this.database.rows(
      `SELECT ${columnsOf(ImportRunEntity, 'r')}, ${OPERATOR_NAME_OF_A} AS "operatorName"
       FROM import_runs r LEFT JOIN accounts a ON a.id = r.operator_id AND a.erased_at IS NULL
       ORDER BY r.updated_at DESC, r.id LIMIT $1`,
      [limit],
    );
  }

  /**
   * Returns whether the operator is the second of two: another one asked for the same part, and
   * this one was trusted by then, as for erasures.
   */
  async isConfirmedBy(digest: Buffer, operatorId: UserId): Promise<boolean> {
    const request = await this.database.row(
      `SELECT 1 FROM import_requests r WHERE r.digest = $1 AND r.operator_id <> $2 AND ${COUNTS}
         AND EXISTS (SELECT 1 FROM operators c WHERE c.account_id = $2 AND c.trusted_from <= r.created_at)`,
      [digest, operatorId],
    );
    return request !== null;
  }

  /** Inserts the request of an operator, unless one counts. Programs of the platform have none. */
  async insertRequest(digest: Buffer, operatorId: UserId): Promise<void> {
    await this.database.rows(
      `INSERT INTO import_requests AS r (digest, operator_id, expires_at)
       SELECT $1, account_id, now() + interval '24 hours' FROM operators WHERE account_id = $2
       ON CONFLICT (digest) DO UPDATE
       SET operator_id = excluded.operator_id, created_at = now(), expires_at = excluded.expires_at
       WHERE NOT (${COUNTS})`,
      [digest, operatorId],
    );
  }
}
