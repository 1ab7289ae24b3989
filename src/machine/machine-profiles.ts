import { Injectable } from '@nestjs/common';
import { type ServiceProfile, ServiceProfiles } from '../iam/index.js';
import type { MachinePrincipal, PlatformPrincipal } from '../kernel/index.js';
import { ServiceAccountRepository } from './accounts/service-account.repository.js';
import { PlatformAccountRepository } from './platform/platform-account.repository.js';

/** Reads what a service account sees of itself. */
@Injectable()
export class MachineProfiles extends ServiceProfiles {
  constructor(
    private readonly accounts: ServiceAccountRepository,
    private readonly platform: PlatformAccountRepository,
  ) {
    super();
  }

  async find({ tenantId, userId }: MachinePrincipal | PlatformPrincipal): Promise<ServiceProfile | null> {
    if (tenantId !== null) return this.accounts.find(tenantId, userId);
    const account = await this.platform.find(userId);
    return account && { ...account, tenantId: null, roles: [account.role] };
  }
}
