import { Injectable } from '@nestjs/common';
import type { MachinePrincipal, PlatformPrincipal, TenantId } from '../../kernel/index.js';
import { PlatformAccountRepository } from '../platform/platform-account.repository.js';
import { ServiceAccountRepository } from './service-account.repository.js';

/** A service account as it sees itself. */
export interface ServiceProfile {
  readonly id: string;
  /** Its organization; null for one of the platform. */
  readonly tenantId: TenantId | null;
  readonly name: string;
  readonly roles: string[];
  readonly createdAt: Date;
}

/** Reads what service accounts see of themselves. */
@Injectable()
export class ServiceProfiles {
  constructor(
    private readonly accounts: ServiceAccountRepository,
    private readonly platform: PlatformAccountRepository,
  ) {}

  /** @returns null for an account that is gone */
  async find({ tenantId, userId }: MachinePrincipal | PlatformPrincipal): Promise<ServiceProfile | null> {
    if (tenantId !== null) return this.accounts.find(tenantId, userId);
    const account = await this.platform.find(userId);
    return account && { ...account, tenantId: null, roles: [account.role] };
  }
}
