import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import { type ConnectionChanger, ConnectionChanges } from '../changes/connection-changes.js';
import { ConnectionRepository, type ManagedConnection } from '../connections/connection.repository.js';
import { checkCertificate, type CheckedCertificate } from './certificate-check.js';
import { firstWarning } from './certificate-warnings.js';
import { CertificateRepository, type ListedCertificate } from './certificate.repository.js';

/** Maximum number of accepted certificates of a connection. */
const MAX_CERTIFICATES = 10;

/** A certificate, and whether it waits for an owner. */
export interface AddedCertificate extends ListedCertificate {
  readonly isWaiting: boolean;
}

/**
 * Manages the certificates of a connection by SAML, for a rollover: old and new are accepted at
 * the same time, so that the connection needs no new test. The caller has checked the permission
 * before.
 */
@Injectable()
export class CertificateService {
  constructor(
    private readonly certificates: CertificateRepository,
    private readonly connections: ConnectionRepository,
    private readonly changes: ConnectionChanges,
  ) {}

  /**
   * Adds a certificate. One that is accepted already stays. At a connection in use it waits for an
   * owner, unless an owner adds it.
   * @throws {AppError} validation-error on `certificate`; conflict for another kind of connection,
   *   and beyond {@link MAX_CERTIFICATES}
   */
  async add(
    tenantId: TenantId,
    changer: ConnectionChanger,
    connectionId: string,
    pem: string,
  ): Promise<AddedCertificate> {
    const checked = checkCertificate(pem);
    if ('fault' in checked) throw AppError.violation('certificate', checked.fault);
    if (checked.notAfter.getTime() <= Date.now()) throw AppError.violation('certificate', 'has expired');
    const { sha256, notAfter } = checked;
    const accepted = await this.listForUpdate(tenantId, connectionId);
    const known = accepted.find((one) => one.sha256 === sha256);
    if (known) return { ...known, isWaiting: false };
    const connection = await this.getConnection(tenantId, connectionId);
    if (!(await this.changes.mustWait(tenantId, changer, connection)))
      return { ...(await this.accept(tenantId, changer, connectionId, checked)), isWaiting: false };
    const change = { kind: 'certificate', certificate: checked } as const;
    await this.changes.request(tenantId, changer, connection, change);
    return { sha256, notAfter, lastUsed: null, isWaiting: true };
  }

  /** Accepts a certificate from now on. @throws {AppError} conflict as {@link add} */
  async accept(
    tenantId: TenantId,
    changer: ConnectionChanger,
    connectionId: string,
    checked: CheckedCertificate,
  ): Promise<ListedCertificate> {
    const accepted = await this.listForUpdate(tenantId, connectionId);
    const known = accepted.find(({ sha256 }) => sha256 === checked.sha256);
    if (known) return known;
    if (accepted.length >= MAX_CERTIFICATES)
      throw new AppError('conflict', {
        detail: `There can be ${MAX_CERTIFICATES} certificates. Delete one that is not in use.`,
      });
    const { sha256, notAfter } = checked;
    await this.certificates.accept(tenantId, connectionId, checked, firstWarning(notAfter));
    await this.changes.record(tenantId, changer.userId, 'certificate-added', connectionId);
    const connection = await this.getConnection(tenantId, connectionId);
    await this.changes.tellOwners(tenantId, changer, connection, { added: [sha256] });
    return { sha256, notAfter, lastUsed: null };
  }

  /**
   * Deletes a certificate at once, for every caller: signatures by a stolen key must end.
   * @throws {AppError} not-found; conflict for the only certificate
   */
  async delete(
    tenantId: TenantId,
    changer: ConnectionChanger,
    connectionId: string,
    sha256: string,
  ): Promise<void> {
    const accepted = await this.listForUpdate(tenantId, connectionId);
    if (!accepted.some((one) => one.sha256 === sha256)) throw new AppError('not-found');
    if (accepted.length === 1)
      throw new AppError('conflict', { reason: { id: 'connection.only-certificate' } });
    await this.certificates.delete(tenantId, connectionId, sha256);
    await this.changes.record(tenantId, changer.userId, 'certificate-removed', connectionId);
    const connection = await this.getConnection(tenantId, connectionId);
    await this.changes.tellOwners(tenantId, changer, connection, { removed: [sha256] });
  }

  /** Lists the accepted certificates, and locks them against refreshes of the metadata. */
  private async listForUpdate(tenantId: TenantId, connectionId: string): Promise<ListedCertificate[]> {
    const accepted = await this.certificates.listForUpdate(tenantId, connectionId);
    if (!accepted) throw new AppError('conflict', { detail: 'Certificates are for connections by SAML.' });
    return accepted;
  }

  private async getConnection(tenantId: TenantId, id: string): Promise<ManagedConnection> {
    return (await this.connections.find(tenantId, id)) ?? AppError.notFound();
  }
}
