import { AbilityPolicy, forbid, type Refusal, Scope } from '../../../ability/index.js';
import { SENSITIVE, type TenantId } from '../../../kernel/index.js';
import { SelectedTenantPolicy } from '../tenants/own-tenant.policy.js';
import '../organization.messages.js';
import { type SupportAccess, SupportAccessRepository } from './support-access.repository.js';

/** Permissions on the support access of an organization, which has the id of the organization. */
@AbilityPolicy({ module: 'iam', entity: 'support-access', collection: 'support-access' })
@Scope('read', { allowedWhenArchived: true })
export class SupportAccessPolicy extends SelectedTenantPolicy<SupportAccess> {
  constructor(private readonly access: SupportAccessRepository) {
    super();
  }

  protected find(tenantId: TenantId): Promise<SupportAccess | null> {
    return this.access.find(tenantId);
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
