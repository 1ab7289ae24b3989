import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import { Database, prepared, TenantDatabase } from '../../platform/database/index.js';
import type { CheckedCertificate } from '../certificates/certificate-check.js';
import { SamlConnectionEntity } from '../connections/connection.entity.js';
import { firstWarning } from '../certificates/certificate-warnings.js';

/** A connection whose metadata is read at an address. */
export interface MetadataSource {
  readonly tenantId: TenantId;
  readonly connectionId: string;
  readonly metadataUrl: string;
  readonly entityId: string;
  /** End of the metadata that was read last. */
  readonly validUntil: Date | null;
}

const COLUMNS = `tenant_id AS "tenantId", connection_id AS "connectionId", metadata_url AS "metadataUrl", entity_id AS "entityId", metadata_valid_until AS "validUntil"`;
const FIND = `SELECT ${COLUMNS} FROM saml_connections WHERE tenant_id = $1 AND connection_id = $2 AND metadata_url IS NOT NULL`;

/** Metadata of SAML connections, and the certificates that come from it. */
@Injectable()
export class MetadataRepository {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
  ) {}

  find(tenantId: TenantId, connectionId: string): Promise<MetadataSource | null> {
    return this.tenants.row(tenantId, FIND, [connectionId]);
  }

  /** Locks the connection against other refreshes and changes of its settings. */
  findForUpdate(tenantId: TenantId, connectionId: string): Promise<MetadataSource | null> {
    return this.tenants.row(tenantId, `${FIND} FOR UPDATE`, [connectionId]);
  }

  /** Claims connections whose metadata is due: no other replica reads it. */
  claimDue(limit: number): Promise<MetadataSource[]> {
    return this.database.rows(
      prepared(`UPDATE saml_connections SET next_fetch_at = now() + interval '1 hour' WHERE (tenant_id, connection_id) IN (
         SELECT tenant_id, connection_id FROM saml_connections WHERE next_fetch_at <= now()
         ORDER BY next_fetch_at LIMIT $1 FOR UPDATE SKIP LOCKED) AND metadata_url IS NOT NULL RETURNING ${COLUMNS}`),
      [limit],
    );
  }

  /** Claims one connection unless its metadata was read, or asked for, within ten minutes. */
  claim(tenantId: TenantId, connectionId: string): Promise<MetadataSource | null> {
    return this.tenants.row(
      tenantId,
      `UPDATE saml_connections SET fetched_at = now()
       WHERE tenant_id = $1 AND connection_id = $2 AND metadata_url IS NOT NULL
         AND (fetched_at IS NULL OR fetched_at < now() - interval '10 minutes') RETURNING ${COLUMNS}`,
      [connectionId],
    );
  }

  /** The next refresh is in a day, or at half of the time for which the metadata is valid. */
  async noteRead(tenantId: TenantId, connectionId: string, validUntil: Date | null): Promise<void> {
    await this.tenants.rows(
      tenantId,
      `UPDATE saml_connections SET fetched_at = now(), fetch_failed_at = NULL,
         metadata_valid_until = $3, next_fetch_at = least(now() + interval '1 day', now() + ($3::timestamptz - now()) / 2)
       WHERE tenant_id = $1 AND connection_id = $2`,
      [connectionId, validUntil],
    );
  }

  async noteFailed(tenantId: TenantId, connectionId: string): Promise<void> {
    const changes = { fetchFailedAt: () => 'now()' };
    await this.tenants.of(SamlConnectionEntity).update(tenantId, { connectionId }, changes);
  }

  /** Returns the fingerprints of the accepted certificates. */
  findAccepted(tenantId: TenantId, connectionId: string): Promise<string[]> {
    return this.tenants.values<string>(
      tenantId,
      'SELECT sha256 FROM connection_certificates WHERE tenant_id = $1 AND connection_id = $2 AND retired_at IS NULL',
      [connectionId],
    );
  }

  /**
   * Accepts these certificates, and retires those that earlier metadata had.
   * @returns whether any has changed
   */
  async replace(
    tenantId: TenantId,
    connectionId: string,
    certificates: readonly CheckedCertificate[],
  ): Promise<boolean> {
    let changed = 0;
    for (const { sha256, certificate, notAfter } of certificates) {
      const rows = await this.tenants.rows(
        tenantId,
        `INSERT INTO connection_certificates (tenant_id, connection_id, sha256, certificate, source, not_after, warn_at)
         VALUES ($1, $2, $3, $4, 'metadata', $5, $6) ON CONFLICT (tenant_id, connection_id, sha256)
         DO UPDATE SET retired_at = NULL, warn_at = excluded.warn_at WHERE connection_certificates.retired_at IS NOT NULL RETURNING 1`,
        [connectionId, sha256, certificate, notAfter, firstWarning(notAfter)],
      );
      changed += rows.length;
    }
    const retired = await this.tenants.rows(
      tenantId,
      `UPDATE connection_certificates SET retired_at = now(), warn_at = NULL
       WHERE tenant_id = $1 AND connection_id = $2 AND source = 'metadata' AND retired_at IS NULL AND sha256 <> ALL($3) RETURNING 1`,
      [connectionId, certificates.map(({ sha256 }) => sha256)],
    );
    return changed + retired.length > 0;
  }
}
