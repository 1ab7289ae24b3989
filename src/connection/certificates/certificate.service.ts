import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../iam/index.js';
import type { TenantId, UserId } from '../../kernel/index.js';
import { TenantDatabase } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { ConnectionDirectory } from '../connections/connection-directory.js';
import { checkCertificate } from './certificate-check.js';
import { firstWarning } from './certificate-warnings.js';

/** Maximum number of accepted certificates of a connection. */
const MAX_CERTIFICATES = 10;

/** An accepted certificate, without its text. */
export interface ListedCertificate {
  readonly sha256: string;
  readonly notAfter: Date;
  readonly lastUsed: Date | null;
}

/**
 * Manages the certificates of a connection by SAML, for a rollover: old and new are accepted at
 * the same time, so that the connection needs no new test. The caller has checked the permission
 * before.
 */
@Injectable()
export class CertificateService {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly directory: ConnectionDirectory,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Adds a certificate. One that is accepted already stays.
   * @throws {AppError} validation-error on `certificate`; conflict for another kind of connection,
   *   and beyond {@link MAX_CERTIFICATES}
   */
  async add(
    tenantId: TenantId,
    actorId: UserId,
    connectionId: string,
    pem: string,
  ): Promise<ListedCertificate> {
    const checked = checkCertificate(pem);
    if ('fault' in checked) throw AppError.violation('certificate', checked.fault);
    if (checked.notAfter.getTime() <= Date.now()) throw AppError.violation('certificate', 'has expired');
    const accepted = await this.listForUpdate(tenantId, connectionId);
    const known = accepted.find(({ sha256 }) => sha256 === checked.sha256);
    if (known) return known;
    if (accepted.length >= MAX_CERTIFICATES)
      throw new AppError('conflict', {
        detail: `There can be ${MAX_CERTIFICATES} certificates. Delete one that is not in use.`,
      });
    const { sha256, certificate, notAfter } = checked;
    await this.tenants.rows(
      tenantId,
      `INSERT INTO connection_certificates (tenant_id, connection_id, sha256, certificate, source, not_after, warn_at)
       VALUES ($1, $2, $3, $4, 'manual', $5, $6) ON CONFLICT (tenant_id, connection_id, sha256)
       DO UPDATE SET retired_at = NULL, source = 'manual', warn_at = excluded.warn_at`,
      [connectionId, sha256, certificate, notAfter, firstWarning(notAfter)],
    );
    await this.record(tenantId, actorId, 'connection.certificate-added', connectionId);
    return { sha256, notAfter, lastUsed: null };
  }

  /** @throws {AppError} not-found; conflict for the only certificate */
  async delete(tenantId: TenantId, actorId: UserId, connectionId: string, sha256: string): Promise<void> {
    const accepted = await this.listForUpdate(tenantId, connectionId);
    if (!accepted.some((one) => one.sha256 === sha256)) throw new AppError('not-found');
    if (accepted.length === 1)
      throw new AppError('conflict', { reason: { id: 'connection.only-certificate' } });
    await this.tenants.rows(
      tenantId,
      'DELETE FROM connection_certificates WHERE tenant_id = $1 AND connection_id = $2 AND sha256 = $3',
      [connectionId, sha256],
    );
    await this.record(tenantId, actorId, 'connection.certificate-removed', connectionId);
  }

  /** Lists the accepted certificates, and locks them against refreshes of the metadata. */
  private async listForUpdate(tenantId: TenantId, connectionId: string): Promise<ListedCertificate[]> {
    const saml = await this.tenants.row(
      tenantId,
      'SELECT 1 FROM saml_connections WHERE tenant_id = $1 AND connection_id = $2 FOR UPDATE',
      [connectionId],
    );
    if (!saml) throw new AppError('conflict', { detail: 'Certificates are for connections by SAML.' });
    return this.tenants.rows<ListedCertificate>(
      tenantId,
      `SELECT sha256, not_after AS "notAfter", last_used AS "lastUsed" FROM connection_certificates
       WHERE tenant_id = $1 AND connection_id = $2 AND retired_at IS NULL ORDER BY first_seen, sha256`,
      [connectionId],
    );
  }

  private async record(tenantId: TenantId, actorId: UserId, action: string, id: string): Promise<void> {
    await this.audit.record({ actorId, tenantId, action, subject: `iam/connections/${id}` });
    await this.directory.announce(id);
  }
}
