import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';

/** Rows that are read at once. */
const BATCH = 1_000;

/** Reads what belongs to no person alone, some rows at a time. */
@Injectable()
export class EverythingRepository {
  constructor(private readonly database: Database) {}

  /** @param after id of the last row; '' for the first ones */
  async listTenantIds(after: string): Promise<TenantId[]> {
    const rows = await this.database.rows<{ id: TenantId }>(
      `SELECT id FROM tenants WHERE id > $1 ORDER BY id LIMIT ${BATCH}`,
      [after],
    );
    return rows.map(({ id }) => id);
  }

  /** @param after as above */
  listEvents(after: string): Promise<{ readonly id: string }[]> {
    return this.database.rows<{ id: string }>(
      `SELECT id, action, tenant_id AS "tenantId", account_id AS "actorId", impersonator_id AS "impersonatorId", subject, ticket, created_at AS "createdAt"
       FROM audit_events WHERE id > $1 ORDER BY id LIMIT ${BATCH}`,
      [after],
    );
  }
}
