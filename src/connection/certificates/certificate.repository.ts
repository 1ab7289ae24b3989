import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import { Database, prepared, TenantDatabase } from '../../platform/database/index.js';
import type { CheckedCertificate } from './certificate-check.js';
import { CertificateEntity } from './certificate.entity.js';

/** An accepted certificate, without its text. */
export type ListedCertificate = Pick<CertificateEntity, 'sha256' | 'notAfter' | 'lastUsed'>;

/** A certificate that is about to expire. */
export type ExpiringCertificate = Pick<
  CertificateEntity,
  'tenantId' | 'connectionId' | 'sha256' | 'notAfter'
>;

/** Certificates of connections by SAML. */
@Injectable()
export class CertificateRepository {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
  ) {}

  /**
   * Lists the accepted certificates, and locks them against refreshes of the metadata.
   * @returns null for a connection that is not by SAML
   */
  async listForUpdate(tenantId: TenantId, connectionId: string): Promise<ListedCertificate[] | null> {
    const saml = await this.tenants.row(
      tenantId,
      'SELECT 1 FROM saml_connections WHERE tenant_id = $1 AND connection_id = $2 FOR UPDATE',
      [connectionId],
    );
    if (!saml) return null;
    return this.tenants.rows<ListedCertificate>(
      tenantId,
      `SELECT sha256, not_after AS "notAfter", last_used AS "lastUsed" FROM connection_certificates
       WHERE tenant_id = $1 AND connection_id = $2 AND retired_at IS NULL ORDER BY first_seen, sha256`,
      [connectionId],
    );
  }

  /** Accepts a certificate that was added by hand, also one that was retired. */
  async accept(
    tenantId: TenantId,
    connectionId: string,
    { sha256, certificate, notAfter }: CheckedCertificate,
    warnAt: Date | null,
  ): Promise<void> {
    await this.tenants.rows(
      tenantId,
      `INSERT INTO connection_certificates (tenant_id, connection_id, sha256, certificate, source, not_after, warn_at)
       VALUES ($1, $2, $3, $4, 'manual', $5, $6) ON CONFLICT (tenant_id, connection_id, sha256)
       DO UPDATE SET retired_at = NULL, source = 'manual', warn_at = excluded.warn_at`,
      [connectionId, sha256, certificate, notAfter, warnAt],
    );
  }

  async delete(tenantId: TenantId, connectionId: string, sha256: string): Promise<void> {
    await this.tenants.of(CertificateEntity).delete(tenantId, { connectionId, sha256 });
  }

  /**
   * Records, at most once an hour, that certificates have verified a signature. Skips rows of a
   * concurrent sign-in, which does not wait.
   */
  async recordUse(tenantId: TenantId, connectionId: string, sha256: readonly string[]): Promise<void> {
    await this.tenants.rows(
      tenantId,
      prepared(`UPDATE connection_certificates SET last_used = now() WHERE tenant_id = $1 AND connection_id = $2 AND sha256 IN (
         SELECT sha256 FROM connection_certificates WHERE tenant_id = $1 AND connection_id = $2 AND sha256 = ANY($3)
           AND (last_used IS NULL OR last_used < now() - interval '1 hour') FOR UPDATE SKIP LOCKED)`),
      [connectionId, sha256],
    );
  }

  /**
   * Claims due warnings, and sets the time of the next one of each.
   * @param days before the end of a certificate at which warnings are due
   */
  claimExpiring(days: readonly number[], limit: number): Promise<ExpiringCertificate[]> {
    return this.database.rows<ExpiringCertificate>(
      prepared(`UPDATE connection_certificates SET warn_at = (
           SELECT min(not_after - make_interval(days => d)) FROM unnest($2::int[]) d WHERE not_after - make_interval(days => d) > now())
         WHERE (tenant_id, connection_id, sha256) IN (
           SELECT tenant_id, connection_id, sha256 FROM connection_certificates WHERE warn_at <= now()
           ORDER BY warn_at LIMIT $1 FOR UPDATE SKIP LOCKED)
         RETURNING tenant_id AS "tenantId", connection_id AS "connectionId", sha256, not_after AS "notAfter"`),
      [limit, days],
    );
  }
}
