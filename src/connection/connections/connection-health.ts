import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../iam/index.js';
import type { TenantId, UserId } from '../../kernel/index.js';
import { Database, TenantDatabase } from '../../platform/database/index.js';
import { METADATA_EXPIRED } from '../metadata/metadata-expiry.js';

/** Actions of refusals of people whom the provider has proven, and by metadata that has expired. */
const REFUSALS: Readonly<Record<string, string>> = {
  account_exists: 'connection.refused-account',
  connection_disabled: 'connection.refused-disabled',
  domain_not_verified: 'connection.refused-domain',
  [METADATA_EXPIRED]: 'connection.refused-metadata',
  not_provisioned: 'connection.refused-member',
};

/**
 * Records when people last signed in by a connection, and why they last could not. At most once a
 * minute, so that sign-ins do not wait for each other's update of one row.
 */
@Injectable()
export class ConnectionHealth {
  constructor(
    private readonly database: TenantDatabase,
    private readonly transactions: Database,
    private readonly audit: AuditTrail,
  ) {}

  async recordSignIn(tenantId: TenantId, id: string): Promise<void> {
    await this.database.rows(
      tenantId,
      `UPDATE connections SET last_sign_in_at = now(), last_error = NULL, last_error_at = NULL
       WHERE tenant_id = $1 AND id = $2
         AND (last_sign_in_at IS NULL OR last_sign_in_at < now() - interval '1 minute' OR last_error IS NOT NULL)`,
      [id],
    );
  }

  /**
   * Records a refusal; those of {@link REFUSALS} are in the audit trail too.
   * @param error code of the refusal, as the page of the sign-in gets it, or `metadata_expired`
   */
  recordError(tenantId: TenantId, id: string, error: string): Promise<void> {
    return this.transactions.transaction(async () => {
      const changed = await this.database.rows(
        tenantId,
        `UPDATE connections SET last_error = $3, last_error_at = now() WHERE tenant_id = $1 AND id = $2
           AND (last_error_at IS NULL OR last_error_at < now() - interval '1 minute' OR last_error IS DISTINCT FROM $3)
         RETURNING 1`,
        [id, error],
      );
      const action = REFUSALS[error];
      if (changed.length === 0 || action === undefined) return;
      const actorId = id as UserId; // no account has signed in: the connection did it
      await this.audit.record({ actorId, tenantId, action, subject: `iam/connections/${id}` });
    });
  }

  /** Records that the groups of a person were not whole. */
  recordIncompleteGroups(tenantId: TenantId, id: string): Promise<void> {
    return this.transactions.transaction(async () => {
      const changed = await this.database.rows(
        tenantId,
        `UPDATE connections SET groups_incomplete_at = now() WHERE tenant_id = $1 AND id = $2
           AND (groups_incomplete_at IS NULL OR groups_incomplete_at < now() - interval '1 minute') RETURNING 1`,
        [id],
      );
      if (changed.length === 0) return;
      const actorId = id as UserId; // the provider sent them
      const action = 'connection.groups-incomplete';
      await this.audit.record({ actorId, tenantId, action, subject: `iam/connections/${id}` });
    });
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
