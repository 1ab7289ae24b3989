import { Injectable } from '@nestjs/common';
import { MembershipDirectory } from '../../iam/index.js';
import type { TenantId } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import { ConnectionRepository } from '../connections/connection.repository.js';

/** Keeps the connection that an organization requires of its members. */
@Injectable()
export class ConnectionEnforcement {
  constructor(
    private readonly memberships: MembershipDirectory,
    private readonly connections: ConnectionRepository,
  ) {}

  /**
   * Keeps the only active connection of an organization that requires one: without it, members
   * could not enter. The command holds the lock of the tenant, so that the policy stays.
   * @throws {AppError} conflict
   */
  async requireNotEnforced(tenantId: TenantId, id: string): Promise<void> {
    const { signInPolicy } = await this.memberships.findConditions(tenantId, true);
    if (signInPolicy?.sso !== 'required') return;
    if ((await this.connections.findActiveIds(tenantId)).join() === id)
      throw new AppError('conflict', { reason: { id: 'connection.enforced' } });
  }
}
