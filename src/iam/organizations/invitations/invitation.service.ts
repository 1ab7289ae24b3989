import { Injectable } from '@nestjs/common';
import { createOneTimeToken } from '../../../platform/crypto/index.js';
import { AppError } from '../../../platform/errors/index.js';
import {
  canonicalEmail,
  type LifecycleEvents,
  LOCK,
  newId,
  type Principal,
  type TenantId,
  type UserId,
} from '../../../kernel/index.js';
import { MAX_COUNTED } from '../../../platform/api/index.js';
import { OnLifecycle } from '../../../platform/lifecycle/index.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { MemberService } from '../members/member.service.js';
import { RoleService } from '../roles/role.service.js';
import { InvitationExpiry } from './invitation-expiry.js';
import { INVITATION_SECONDS, type Invited, InvitationMails } from './invitation-mails.js';
import {
  type Invitation,
  type InvitationFilter,
  type InvitationPage,
  InvitationRepository,
  type ListedInvitation,
} from './invitation.repository.js';

interface NewInvitation extends Invited {
  readonly roles: readonly string[];
}

/** Manages invitations by mail. The caller has checked the permission before. */
@Injectable()
export class InvitationService {
  constructor(
    private readonly invitations: InvitationRepository,
    private readonly mails: InvitationMails,
    private readonly members: MemberService,
    private readonly roles: RoleService,
    private readonly expiry: InvitationExpiry,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Lists the invitations that match, in the order of the page.
   * @returns a page, with one row more if there is a next one; `total` on the first page only
   */
  async list(
    tenantId: TenantId,
    page: InvitationPage,
    { query = null, status = null }: Partial<InvitationFilter>,
  ): Promise<{ readonly invitations: ListedInvitation[]; readonly total: number | null }> {
    const filter = { query, status };
    const invitations = await this.invitations.list(tenantId, page, filter);
    return {
      invitations,
      total: page.after ? null : await this.invitations.count(tenantId, filter, MAX_COUNTED),
    };
  }

  /**
   * Invites an address. The response does not tell whether it has an account.
   * @throws {AppError} conflict if the address belongs to a member or has an open invitation, or
   *   too many addresses have; validation-error on `roles[n]` for a role that the caller cannot
   *   give; too-many-requests if the address or the organization has used up its budget;
   *   insufficient-user-authentication to invite an owner
   */
  async create(
    tenantId: TenantId,
    caller: Principal,
    { roles: keys, ...to }: NewInvitation,
  ): Promise<Invitation> {
    const invitedBy = caller.userId;
    const roles = await this.roles.requireGivableRoles(tenantId, caller, keys);
    await this.roles.requireSignInToGive(caller, roles);
    const { email } = to;
    const emailKey = canonicalEmail(email);
    await this.requireNoMember(tenantId, emailKey);
    await this.expiry.revokeExpired(tenantId, emailKey);
    const { plainToken, tokenHash } = createOneTimeToken();
    const invitation = await this.invitations.insert(tenantId, {
      id: newId(),
      email,
      emailKey,
      tokenHash,
      invitedBy,
      ofSupport: false,
      roleIds: roles.map(({ id }) => id),
      lifetimeSeconds: INVITATION_SECONDS,
    });
    if (!invitation) throw new AppError('conflict', { reason: { id: 'invitation.open-already' } });
    await this.mails.sendFurther(tenantId, to, plainToken);
    await this.record(tenantId, invitedBy, invitation.id, 'created');
    return invitation;
  }

  /**
   * Invites an address for a directory or an import: an owner answers for the invitation.
   * @param ofSupport whether it ends when the organization no longer allows support
   * @returns `known` for a member's address, or one invited already; `limited` if it has to wait;
   *   `ownerless` if no one answers for it
   */
  async inviteForOwner(
    tenantId: TenantId,
    actorId: UserId,
    email: string,
    roles: readonly string[],
    ofSupport: boolean,
  ): Promise<'sent' | 'known' | 'limited' | 'ownerless'> {
    const emailKey = canonicalEmail(email);
    const [owner] = await this.members.listOwners(tenantId, 1);
    if (!owner) return 'ownerless';
    if (await this.members.hasEmail(tenantId, emailKey)) return 'known';
    await this.invitations.revokeExpired(tenantId, emailKey);
    const { plainToken, tokenHash } = createOneTimeToken();
    const invitation = await this.invitations.insert(tenantId, {
      id: newId(),
      email,
      emailKey,
      tokenHash,
      invitedBy: owner.userId,
      ofSupport,
      roleIds: await this.roles.findIds(tenantId, roles),
      lifetimeSeconds: INVITATION_SECONDS,
    });
    if (!invitation) return 'known';
    const to = { email, locale: null, ipAddress: null };
    const isSent = await this.mails.trySendFurther(tenantId, to, plainToken);
    if (isSent) await this.record(tenantId, actorId, invitation.id, 'created');
    else await this.invitations.delete(tenantId, invitation.id);
    return isSent ? 'sent' : 'limited';
  }

  /** Revokes the open invitation to an address, if there is one. */
  async revokeOpen(tenantId: TenantId, actorId: UserId, emailKey: string): Promise<void> {
    const id = await this.invitations.findOpenId(tenantId, emailKey);
    if (id !== null) await this.revoke(tenantId, actorId, id);
  }

  /**
   * Sends an open or expired invitation again, with a new link: the service keeps a hash of the old
   * one, which stops working. The caller, whose permissions the policy has compared with the
   * invitation, answers for it from then on.
   * @throws {AppError} conflict if the address belongs to a member by now, or an expired one would
   *   be one too many; too-many-requests if the address or the organization has used up its budget
   */
  async resend(
    tenantId: TenantId,
    caller: Principal,
    id: string,
    { locale, ipAddress }: Pick<Invited, 'locale' | 'ipAddress'>,
  ): Promise<Invitation> {
    const before = await this.invitations.find(tenantId, id);
    const { plainToken, tokenHash } = createOneTimeToken();
    const renewed = await this.invitations.renew(tenantId, id, {
      tokenHash,
      invitedBy: caller.userId,
      lifetimeSeconds: INVITATION_SECONDS,
    });
    if (!renewed) throw new AppError('not-found');
    const { emailKey, ...invitation } = renewed;
    await this.requireNoMember(tenantId, emailKey);
    const to = { email: invitation.email, locale, ipAddress };
    if (before?.status === 'expired') await this.mails.sendFurther(tenantId, to, plainToken);
    else await this.mails.send(tenantId, to, plainToken);
    await this.record(tenantId, caller.userId, id, 'resent');
    return invitation;
  }

  /** @throws {AppError} not-found */
  async get(tenantId: TenantId, id: string): Promise<Invitation> {
    return (await this.invitations.find(tenantId, id)) ?? AppError.notFound();
  }

  async revoke(tenantId: TenantId, actorId: UserId, id: string): Promise<void> {
    await this.invitations.revoke(tenantId, id);
    await this.record(tenantId, actorId, id, 'revoked');
  }

  /** Revokes what an import has sent while the organization let support in. */
  @OnLifecycle('tenant.support-ended', { order: LOCK.tenants })
  async revokeOfSupport({ tenantId, actorId }: LifecycleEvents['tenant.support-ended']): Promise<void> {
    for (const id of await this.invitations.revokeOfSupport(tenantId))
      await this.record(tenantId, actorId, id, 'revoked');
  }

  /** Removes the invitations to an erased account's address. */
  @OnLifecycle('account.erased', { order: LOCK.tenants })
  async deleteOfAddress({ emailKey }: { emailKey: string | null }): Promise<void> {
    if (emailKey !== null) await this.invitations.deleteByEmailKey(emailKey);
  }

  private async requireNoMember(tenantId: TenantId, emailKey: string): Promise<void> {
    if (await this.members.hasEmail(tenantId, emailKey))
      throw new AppError('conflict', { reason: { id: 'invitation.member-already' } });
  }

  private record(tenantId: TenantId, actorId: UserId, id: string, what: string): Promise<void> {
    const subject = `iam/invitations/${id}`;
    return this.audit.record({ actorId, tenantId, action: `invitation.${what}`, subject });
  }
}
