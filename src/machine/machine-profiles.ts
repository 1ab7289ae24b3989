import { Injectable } from '@nestjs/common';
import { type ServiceProfile, ServiceProfiles } from '../iam/index.js';
import type { MachinePrincipal } from '../kernel/index.js';
import { ServiceAccountRepository } from './accounts/service-account.repository.js';

/** Reads what a service account sees of itself. */
@Injectable()
export class MachineProfiles extends ServiceProfiles {
  constructor(private readonly accounts: ServiceAccountRepository) {
    super();
  }

  find({ tenantId, userId }: MachinePrincipal): Promise<ServiceProfile | null> {
    return this.accounts.find(tenantId, userId);
  }
}
