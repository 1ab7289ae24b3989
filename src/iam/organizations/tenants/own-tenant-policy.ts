import { Inject, Injectable } from '@nestjs/common';
import type { EntityPolicy, LoadContext } from '../../../ability/index.js';
import type { Principal } from '../../../kernel/index.js';
import { MembershipDirectory } from '../members/membership-directory.js';
import { TenantLockedPolicy } from './tenant-lock.js';
import type { TenantState } from './tenant.js';

/**
 * Base of the policies on what an organization has once, such as its sign-in policy: it has the id
 * of the organization.
 */
@Injectable()
export abstract class OwnTenantPolicy extends TenantLockedPolicy implements EntityPolicy<TenantState> {
  @Inject(MembershipDirectory)
  private readonly directory!: MembershipDirectory;

  /** Loads that of the selected tenant and of no other. */
  async load(ids: readonly string[], { principal, lock }: LoadContext): Promise<Map<string, TenantState>> {
    const { tenantId } = principal;
    if (tenantId === null || !ids.includes(tenantId)) return new Map();
    const state = await this.directory.findState(tenantId, lock);
    return new Map(state?.deletionStarted === false ? [[tenantId, state]] : []);
  }

  defaultSubject({ tenantId }: Principal): string | null {
    return tenantId;
  }
}
