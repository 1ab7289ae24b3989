import { Injectable } from '@nestjs/common';
import type { UserId } from '../../kernel/index.js';
import { RemovesExpired } from '../../platform/cleanup/index.js';
import { columnsOf, Database } from '../../platform/database/index.js';
import { OPERATOR_NAME_OF_A } from '../operator-sql.js';
import { BulkActionEntity, type BulkState } from './bulk-action.entity.js';

export interface BulkAction extends BulkActionEntity {
  /** Name, or else address; null for a program of the platform. */
  readonly operatorName: string | null;
  /** Name of the organization; null for selected people, and after its deletion. */
  readonly tenantName: string | null;
}

/** Outcome for one person: the column that counts it. */
export type BulkOutcome = 'done' | 'skipped' | 'failed';

/** Actions of operators for many people, of the last 90 days. */
@Injectable()
@RemovesExpired({ table: 'bulk_actions', key: 'id', when: "created_at < now() - interval '90 days'" })
export class BulkActionRepository {
  constructor(private readonly database: Database) {}

  async insert(
    action: Pick<BulkActionEntity, 'id' | 'operatorId' | 'kind' | 'tenantId' | 'total'>,
  ): Promise<void> {
    await this.database.repository(BulkActionEntity).insert(action);
  }

  /** Returns the newest actions. */
  listNewest(limit: number): Promise<BulkAction[]> {
    return this.database.rows(
      `SELECT ${columnsOf(BulkActionEntity, 'b')}, ${OPERATOR_NAME_OF_A} AS "operatorName",
         t.name AS "tenantName"
       FROM bulk_actions b LEFT JOIN accounts a ON a.id = b.operator_id AND a.erased_at IS NULL
         LEFT JOIN tenants t ON t.id = b.tenant_id
       ORDER BY b.created_at DESC, b.id LIMIT $1`,
      [limit],
    );
  }

  /** Returns whether an operator has an action that went on within a day; locks their name. */
  async hasRunningForUpdate(operatorId: UserId): Promise<boolean> {
    await this.database.lockNameForUpdate(`bulk actions ${operatorId}`);
    const running = await this.database.row(
      `SELECT 1 FROM bulk_actions WHERE operator_id = $1 AND state = 'running' AND updated_at > now() - interval '1 day' LIMIT 1`,
      [operatorId],
    );
    return running !== null;
  }

  /** Locks an action that has not ended. @returns null for any other */
  findRunningForUpdate(id: string): Promise<BulkActionEntity | null> {
    return this.database.row(
      `SELECT ${columnsOf(BulkActionEntity)} FROM bulk_actions WHERE id = $1 AND state = 'running' FOR UPDATE`,
      [id],
    );
  }

  /** Counts a person. */
  async advance(id: string, personId: UserId, outcome: BulkOutcome): Promise<void> {
    await this.database.rows(
      `UPDATE bulk_actions SET last_id = $2, ${outcome} = ${outcome} + 1, updated_at = now() WHERE id = $1`,
      [id, personId],
    );
  }

  async end(id: string, state: BulkState): Promise<void> {
    await this.database.rows('UPDATE bulk_actions SET state = $2, updated_at = now() WHERE id = $1', [
      id,
      state,
    ]);
  }
}
