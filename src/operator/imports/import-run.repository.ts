import { Injectable } from '@nestjs/common';
import { RemovesExpired } from '../../platform/cleanup/index.js';
import { columnsOf, Database, type Selected } from '../../platform/database/index.js';
import { ImportRunEntity } from './import-run.entity.js';

const RUN = {
  id: true,
  operatorId: true,
  fileName: true,
  imported: true,
  invited: true,
  unchanged: true,
  failed: true,
  createdAt: true,
  updatedAt: true,
} as const;
const COLUMNS = columnsOf(ImportRunEntity, 'r', RUN);

/** An import, with the name or address of its operator; null for one by a program. */
export interface ImportRun extends Selected<ImportRunEntity, typeof RUN> {
  readonly operatorName: string | null;
}

/** What a part of an import has done. */
type PartOfRun = Pick<
  ImportRun,
  'id' | 'operatorId' | 'fileName' | 'imported' | 'invited' | 'unchanged' | 'failed'
>;

/** Imports of the last 90 days. */
@Injectable()
@RemovesExpired({ table: 'import_runs', key: 'id', when: "updated_at < now() - interval '90 days'" })
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
      `SELECT ${COLUMNS}, coalesce(person_name(a.first_name, a.last_name, a.display_name), a.email) AS "operatorName"
       FROM import_runs r LEFT JOIN accounts a ON a.id = r.operator_id AND a.erased_at IS NULL
       ORDER BY r.updated_at DESC, r.id LIMIT $1`,
      [limit],
    );
  }
}
