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

  /** Ends the person's tokens for a tenant in which the membership has been suspended. */
  async suspend(tenantId: Locked<TenantId>, actorId: UserId, userId: UserId): Promise<void> {
    await this.lifecycle.emit('memberships.suspended', { userId, tenantIds: [tenantId] });
    await this.record('member.suspended', actorId, { tenantId, userId });
  }

  /**
   * Records a member whose account was created in the open transaction. Invalidates nothing: no
   * replica knows the account yet.
   * @param isGiven whether the member has a role
   */
  recordNewcomer(tenantId: TenantId, actorId: UserId, userId: UserId, isGiven: boolean): Promise<void> {
    const subject = `iam/members/${userId}`;
    return this.audit.record(
      { actorId: userId, tenantId, action: 'member.joined', subject },
      ...(isGiven ? [{ actorId, tenantId, action: 'member.roles-changed', subject }] : []),
    );
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

  /** Records a role on a thing that a member has got or lost. Its id names it in the trail. */
  async recordAssignment(
    action: 'role.assigned' | 'role.unassigned',
    tenantId: TenantId,
    actorId: UserId,
    { id, userId }: { readonly id: string; readonly userId: UserId },
  ): Promise<void> {
    const subject = `iam/assignments/${id}`;
    await this.audit.record({ actorId, tenantId, action, subject, holderId: userId });
    await this.cache.announceMemberships({ tenantId, userId });
  }

  /** Records that an owner has made another member the owner in their place. */
  async recordTransfer(tenantId: TenantId, from: UserId, to: UserId): Promise<void> {
    const subject = `iam/members/${to}`;
    await this.audit.record({ actorId: from, tenantId, action: 'tenant.ownership-transferred', subject });
    await this.cache.announceMemberships({ tenantId, userId: from }, { tenantId, userId: to });
  }

  /** Removes members of an organization that is being deleted: its trail goes with it. */
  async removeForDeletion(tenantId: Locked<TenantId>, userIds: readonly UserId[]): Promise<void> {
    for (const userId of userIds) {
      await this.members.remove([tenantId], userId);
      await this.lifecycle.emit('memberships.ended', { userId, tenantIds: [tenantId] });
    }
    await this.cache.announceMemberships(...userIds.map((userId) => ({ tenantId, userId })));
  }
}
