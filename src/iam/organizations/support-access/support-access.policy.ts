import {
  AbilityPolicy,
  type EntityPolicy,
  forbid,
  type LoadContext,
  type Refusal,
  Scope,
} from '../../../ability/index.js';
import { type Principal, SENSITIVE } from '../../../kernel/index.js';
import { TenantLockedPolicy } from '../tenants/tenant-lock.js';
import '../organization.messages.js';
import { type SupportAccess, SupportAccessRepository } from './support-access.repository.js';

/** Permissions on the support access of an organization, which has the id of the organization. */
@AbilityPolicy({ module: 'iam', entity: 'support-access', collection: 'support-access' })
@Scope('read', { allowedWhenArchived: true })
export class SupportAccessPolicy extends TenantLockedPolicy implements EntityPolicy<SupportAccess> {
  constructor(private readonly access: SupportAccessRepository) {
    super();
  }

  /** Loads the access of the selected tenant and of no other. */
  async load(ids: readonly string[], { principal }: LoadContext): Promise<Map<string, SupportAccess>> {
    const { tenantId } = principal;
    if (tenantId === null || !ids.includes(tenantId)) return new Map();
    const access = await this.access.find(tenantId);
    return new Map(access ? [[tenantId, access]] : []);
  }

  defaultSubject({ tenantId }: Principal): string | null {
    return tenantId;
  }

  @Scope('grant', { roles: [], ...SENSITIVE })
  grant({ supportAccess }: SupportAccess): true | Refusal {
    return supportAccess === 'on_request' || forbid('support-access.not-on-request');
  }

  @Scope('end', { allowedWhenArchived: true, impersonation: false })
  end({ until }: SupportAccess): true | Refusal {
    return until !== null || forbid('support-access.not-granted');
  }
}
