import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../../kernel/index.js';
import type { MailLook } from '../../../platform/mail/index.js';
import type { Recipient } from '../../accounts/account-mails.js';
import { BrandingService } from '../branding/branding.service.js';
import { TenantDeletionRepository } from '../tenants/deletion/tenant-deletion.repository.js';
import { TenantRepository } from '../tenants/tenant.repository.js';

interface OwnersOfTenant {
  readonly name: string;
  readonly owners: readonly Recipient[];
  /** Of its mails; undefined if it has none of its own. */
  readonly look: MailLook | undefined;
}

/** Finds whom to mail about an organization. */
@Injectable()
export class TenantOwners {
  constructor(
    private readonly tenants: TenantRepository,
    private readonly deletions: TenantDeletionRepository,
    private readonly brandings: BrandingService,
  ) {}

  /**
   * @param limit maximum number of owners
   * @returns null for an unknown organization
   */
  async find(tenantId: TenantId, limit: number): Promise<OwnersOfTenant | null> {
    const tenant = await this.tenants.find(tenantId);
    if (!tenant) return null;
    const owners = await this.deletions.listOwners(tenantId, '', limit);
    return { name: tenant.name, owners, look: await this.brandings.lookOfMails(tenantId) };
  }
}
