import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../iam/index.js';
import type { TenantId, UserId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { CertificateRepository } from '../certificates/certificate.repository.js';
import { METADATA_EXPIRED } from '../metadata/metadata-expiry.js';
import { ConnectionHealthRepository } from './connection-health.repository.js';

/** Actions of refusals of people whom the provider has proven, and by metadata that has expired. */
const REFUSALS: Readonly<Record<string, string>> = {
  account_exists: 'connection.refused-account',
  connection_disabled: 'connection.refused-disabled',
  domain_not_verified: 'connection.refused-domain',
  [METADATA_EXPIRED]: 'connection.refused-metadata',
  not_provisioned: 'connection.refused-member',
};

/** Records when people last signed in by a connection, and why they last could not. */
@Injectable()
export class ConnectionHealth {
  constructor(
    private readonly database: Database,
    private readonly health: ConnectionHealthRepository,
    private readonly certificates: CertificateRepository,
    private readonly audit: AuditTrail,
  ) {}

  /** @param certificates fingerprints of those that have signed it */
  async recordSignIn(tenantId: TenantId, id: string, certificates: readonly string[]): Promise<void> {
    await this.health.recordSignIn(tenantId, id);
    if (certificates.length > 0) await this.certificates.recordUse(tenantId, id, certificates);
  }

  /**
   * Records a refusal; those of {@link REFUSALS} are in the audit trail too.
   * @param error code of the refusal, as the page of the sign-in gets it, or `metadata_expired`
   */
  recordError(tenantId: TenantId, id: string, error: string): Promise<void> {
    return this.database.transaction(async () => {
      const isNew = await this.health.recordError(tenantId, id, error);
      const action = REFUSALS[error];
      if (!isNew || action === undefined) return;
      const actorId = id as UserId; // no account has signed in: the connection did it
      await this.audit.record({ actorId, tenantId, action, subject: `iam/connections/${id}` });
    });
  }

  /** Records that the groups of a person were not whole. */
  recordIncompleteGroups(tenantId: TenantId, id: string): Promise<void> {
    return this.database.transaction(async () => {
      if (!(await this.health.recordIncompleteGroups(tenantId, id))) return;
      const actorId = id as UserId; // the provider sent them
      const action = 'connection.groups-incomplete';
      await this.audit.record({ actorId, tenantId, action, subject: `iam/connections/${id}` });
    });
  }
}
