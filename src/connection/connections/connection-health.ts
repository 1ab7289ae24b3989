import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import { TenantDatabase } from '../../platform/database/index.js';

/**
 * Records when people last signed in by a connection, and why they last could not. At most once a
 * minute, so that sign-ins do not wait for each other's update of one row.
 */
@Injectable()
export class ConnectionHealth {
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

  /** @param error code of the refusal, as the page of the sign-in gets it */
  async recordError(tenantId: TenantId, id: string, error: string): Promise<void> {
    await this.database.rows(
      tenantId,
      `UPDATE connections SET last_error = $3, last_error_at = now() WHERE tenant_id = $1 AND id = $2
         AND (last_error_at IS NULL OR last_error_at < now() - interval '1 minute' OR last_error IS DISTINCT FROM $3)`,
      [id, error],
    );
  }

  /** Records that a certificate verified a signature. */
  async recordCertificate(tenantId: TenantId, id: string, sha256: string): Promise<void> {
    await this.database.rows(
      tenantId,
      `UPDATE connection_certificates SET last_used = now() WHERE tenant_id = $1 AND connection_id = $2 AND sha256 = $3
         AND (last_used IS NULL OR last_used < now() - interval '1 hour')`,
      [id, sha256],
    );
  }
}
