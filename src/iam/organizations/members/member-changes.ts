import { Injectable } from '@nestjs/common';
import type { Locked, TenantId, UserId } from '../../../kernel/index.js';
import { Lifecycle } from '../../../platform/lifecycle/index.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { InvitationRepository } from '../invitations/invitation.repository.js';
import type { Membership } from './member.entity.js';
import { MemberRepository } from './member.repository.js';
import { AccessCache } from './access-cache.js';

/** What every change of memberships does besides: audit trail, caches and the ends of sessions. */
@Injectable()
export class MemberChanges {
  constructor(
    private readonly members: MemberRepository,
    private readonly invitations: InvitationRepository,
    private readonly cache: AccessCache,
    private readonly lifecycle: Lifecycle,
    private readonly audit: AuditTrail,
  ) {}

  /** Ends memberships of a person, and the person's invitations to and tokens for these tenants. */
  async end(actorId: UserId, userId: UserId, tenantIds: readonly Locked<TenantId>[]): Promise<void> {
    await this.members.remove(tenantIds, userId);
    await this.endInvitations(actorId, userId, tenantIds);
    await this.lifecycle.emit('memberships.ended', { userId, tenantIds });
  }

  /**
   * Revokes invitations of a person's address, where a membership begins or ends: the person would
   * come back with the roles of one after a removal.
   */
  async endInvitations(
    actorId: UserId,
    userId: UserId,
    tenantIds: readonly Locked<TenantId>[],
  ): Promise<void> {
    const revoked = await this.invitations.revokeOfPerson(userId, tenantIds);
    await this.audit.record(
      ...revoked.map(({ tenantId, id }) => ({
        actorId,
        tenantId,
        action: 'invitation.revoked',
        subject: `iam/invitations/${id}`,
      })),
    );
  }

  /** Records a change of memberships in the audit trail, and invalidates the caches of it. */
  async record(action: string, actorId: UserId, ...memberships: Membership[]): Promise<void> {
    const event = ({ tenantId, userId }: Membership) => ({
      actorId,
      tenantId,
      action,
      subject: `iam/members/${userId}`,
    });
    await this.audit.record(...memberships.map(event));
    await this.cache.announceMemberships(...memberships);
  }
}
