import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import { TenantDatabase } from '../../platform/database/index.js';

/**
 * The last sign-in and the last refusal of connections, at most once a minute, so that sign-ins do
 * not wait for each other's update of one row.
 */
@Injectable()
export class ConnectionHealthRepository {
  constructor(private readonly database: TenantDatabase) {}

  async recordSignIn(tenantId: TenantId, id: string): Promise<void> {
    await this.database.rows(
      tenantId,
      `UPDATE connections SET last_sign_in_at = now(), last_error = NULL, last_error_at = NULL
       WHERE tenant_id = $1 AND id = $2
         AND (last_sign_in_at IS NULL OR last_sign_in_at < now() - interval '1 minute' OR last_error IS NOT NULL)`,
      [id],
    );
  }

  /** @returns false for the same error within a minute */
  async recordError(tenantId: TenantId, id: string, error: string): Promise<boolean> {
    const changed = await this.database.rows(
      tenantId,
      `UPDATE connections SET last_error = $3, last_error_at = now() WHERE tenant_id = $1 AND id = $2
         AND (last_error_at IS NULL OR last_error_at < now() - interval '1 minute' OR last_error IS DISTINCT FROM $3)
       RETURNING 1`,
      [id, error],
    );
    return changed.length === 1;
  }

  /** @returns false within a minute of the last time */
  async recordIncompleteGroups(tenantId: TenantId, id: string): Promise<boolean> {
    const changed = await this.database.rows(
      tenantId,
      `UPDATE connections SET groups_incomplete_at = now() WHERE tenant_id = $1 AND id = $2
         AND (groups_incomplete_at IS NULL OR groups_incomplete_at < now() - interval '1 minute') RETURNING 1`,
      [id],
    );
    return changed.length === 1;
  }
}
