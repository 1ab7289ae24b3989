import {
  AbilityPolicy,
  Scope,
  type EntityPolicy,
  type LoadContext,
  forbid,
  type Refusal,
} from '../../../ability/index.js';
import type { Principal } from '../../../kernel/index.js';
import { TenantLock } from '../tenants/tenant-lock.js';
import { InvitationRepository, type JudgedInvitation } from './invitation.repository.js';
import '../organization.messages.js';

/** Permissions on the invitations of an organization. */
@AbilityPolicy({ module: 'iam', entity: 'invitation', collection: 'invitations' })
export class InvitationPolicy implements EntityPolicy<JudgedInvitation> {
  constructor(
    private readonly invitations: InvitationRepository,
    private readonly tenantLock: TenantLock,
  ) {}

  async load(
    ids: readonly string[],
    { principal, lock }: LoadContext,
  ): Promise<Map<string, JudgedInvitation>> {
    if (principal.tenantId === null) return new Map();
    const found = await this.invitations.findJudged(principal.tenantId, ids, lock);
    return new Map(found.map((invitation) => [invitation.id, invitation]));
  }

  lock(principal: Principal): Promise<void> {
    return this.tenantLock.lockSelectedForUpdate(principal);
  }

  @Scope('read', { allowedWhenArchived: true, on: 'tenants' })
  read(): true {
    return true;
  }

  @Scope('create', { on: 'tenants' })
  create(): true {
    return true;
  }

  @Scope('revoke')
  revoke({ status }: JudgedInvitation): true | Refusal {
    return status === 'open' || forbid(`invitation.${status}`);
  }
}
