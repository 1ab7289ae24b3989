import { Injectable } from '@nestjs/common';
import { AccountService } from '../../iam/index.js';
import type { Principal, TenantId } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import { CertificateService } from '../certificates/certificate.service.js';
import { ConnectionReach } from '../connections/connection-reach.js';
import { ConnectionService, type ShownConnection } from '../connections/connection.service.js';
import { SetupLinkRepository } from '../setup/setup-link.repository.js';
import type { WaitingChange } from './change.repository.js';
import { ConnectionChanges } from './connection-changes.js';

/** Confirms and refuses changes that wait. The policy has checked that the caller is an owner. */
@Injectable()
export class ChangeDecisionService {
  constructor(
    private readonly changes: ConnectionChanges,
    private readonly certificates: CertificateService,
    private readonly connections: ConnectionService,
    private readonly reach: ConnectionReach,
    private readonly links: SetupLinkRepository,
    private readonly accounts: AccountService,
  ) {}

  /**
   * Applies a change as a change of the owner.
   * @throws {AppError} not-found for one that does not wait any more; conflict if the settings have
   *   changed since, or if its requester could not request it now; as
   *   {@link CertificateService.accept}
   */
  async confirm(
    tenantId: TenantId,
    owner: Principal,
    connectionId: string,
    id: string,
  ): Promise<ShownConnection> {
    const waiting = await this.changes.take(tenantId, connectionId, id);
    await this.requireCurrent(tenantId, waiting);
    const change = waiting.reveal();
    if (change.kind === 'certificate')
      await this.certificates.accept(tenantId, owner, connectionId, change.certificate);
    else await this.connections.applySettings(tenantId, owner, connectionId, change.given);
    await this.changes.recordWaiting(tenantId, owner.userId, 'confirmed', waiting);
    return this.connections.get(tenantId, connectionId);
  }

  /** @throws {AppError} not-found for one that does not wait any more */
  async refuse(tenantId: TenantId, owner: Principal, connectionId: string, id: string): Promise<void> {
    const waiting = await this.changes.take(tenantId, connectionId, id);
    await this.changes.recordWaiting(tenantId, owner.userId, 'refused', waiting);
  }

  /** Requires that the change could be requested now, by the same person, of the same settings. */
  private async requireCurrent(
    tenantId: TenantId,
    { connectionId, settingsVersion, ...waiting }: WaitingChange,
  ): Promise<void> {
    const connection = await this.connections.get(tenantId, connectionId);
    if (connection.settingsVersion !== settingsVersion)
      throw new AppError('conflict', { reason: { id: 'connection.change-outdated' } });
    // The creator of a link answers for what it requests.
    const requester = waiting.bySetupLink
      ? await this.links.findCreator(tenantId, waiting.requestedBy)
      : waiting.requestedBy;
    // Without a lock: an account is locked before an organization, which the command has locked.
    const isActive = requester !== null && (await this.accounts.isActive(requester));
    if (!isActive || !(await this.reach.mayChange(requester, tenantId, connectionId)))
      throw new AppError('conflict', { reason: { id: 'connection.requester-ended' } });
  }
}
