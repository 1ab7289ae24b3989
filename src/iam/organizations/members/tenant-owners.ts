import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../../kernel/index.js';
import type { Recipient } from '../../accounts/account-mails.js';
import { TenantDeletionRepository } from '../tenants/deletion/tenant-deletion.repository.js';
import { TenantRepository } from '../tenants/tenant.repository.js';

interface OwnersOfTenant {
  readonly name: string;
  readonly owners: readonly Recipient[];
}

/** Finds whom to mail about an organization. */
@Injectable()
export class TenantOwners {
  constructor(
    private readonly tenants: TenantRepository,
    private readonly deletions: TenantDeletionRepository,
  ) {}

  /**
   * @param limit maximum number of owners
   * @returns null for an unknown organization
   */
  async find(tenantId: TenantId, limit: number): Promise<OwnersOfTenant | null> {
    const tenant = await this.tenants.find(tenantId);
    return tenant && { name: tenant.name, owners: await this.deletions.listOwners(tenantId, '', limit) };
  }
}
