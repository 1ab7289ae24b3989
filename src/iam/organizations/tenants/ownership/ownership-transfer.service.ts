import { Injectable } from '@nestjs/common';
import { AppError } from '../../../../platform/errors/index.js';
import type { Locked, PersonPrincipal, TenantId, UserId } from '../../../../kernel/index.js';
import { AccountRepository, type Account } from '../../../accounts/account.repository.js';
import { MemberRoleRepository } from '../../members/member-role.repository.js';
import { type Member, MemberRepository } from '../../members/member.repository.js';
import { MemberChanges } from '../../members/member-changes.js';
import { MEMBER, OWNER } from '../../roles/role-scopes.js';
import { RoleService } from '../../roles/role.service.js';
import type { TransferOwnershipDto } from '../tenant.dto.js';
import { type Receiver, TenantMails } from '../tenant-mails.js';
import '../../organization.messages.js';

/** Transfers the ownership of an organization. The caller has checked the permission before. */
@Injectable()
export class OwnershipTransferService {
  constructor(
    private readonly members: MemberRepository,
    private readonly memberRoles: MemberRoleRepository,
    private readonly accounts: AccountRepository,
    private readonly roles: RoleService,
    private readonly changes: MemberChanges,
    private readonly mails: TenantMails,
  ) {}

  /**
   * Makes a member an owner and takes that role from the caller.
   * The account is read without a lock, which would come too late in the lock order: a suspension
   * or erasure next to the transfer has the same result as one after it.
   * @returns the new owner
   * @throws {AppError} validation-error on `userId` for the caller, a person who is not a member, a
   *   suspended one, or a client that cannot give the role; on `keepRoles[n]` for a role that the
   *   caller cannot keep
   */
  async transfer(
    tenantId: Locked<TenantId>,
    caller: PersonPrincipal,
    { userId, keepRoles }: TransferOwnershipDto,
  ): Promise<Member> {
    const to = userId as UserId;
    if (to === caller.userId) throw AppError.violation('userId', 'must be another member');
    const account = await this.getTarget(tenantId, to);
    const owner = await this.roles.requireGivableRoles(tenantId, caller, [OWNER], () => 'userId');
    const kept = await this.getKeptRoles(tenantId, caller, keepRoles);
    await this.memberRoles.add(tenantId, to, idsOf(owner), 'manual');
    const roles = kept.map((id) => ({ id }));
    await this.memberRoles.replace(tenantId, caller.userId, roles);
    await this.changes.recordTransfer(tenantId, caller.userId, to);
    await this.tell(tenantId, await this.accounts.find(caller.userId), 'mail.ownership-transferred');
    await this.tell(tenantId, account, 'mail.ownership-received');
    return this.getMember(tenantId, to);
  }

  /** Mails one of the two persons. */
  private tell(
    tenantId: TenantId,
    person: Receiver | null,
    kind: 'mail.ownership-transferred' | 'mail.ownership-received',
  ): Promise<void> {
    return this.mails.send(tenantId, person ? [person] : [], { kind: 'ownership' }, (text, organization) => ({
      subject: text(`${kind}.subject`),
      paragraphs: [
        organization === null ? text(`${kind}.without-name`) : text(`${kind}.done`, { organization }),
        text(`${kind}.what-now`),
      ],
    }));
  }

  private async getTarget(tenantId: TenantId, userId: UserId): Promise<Account> {
    const member = await this.members.find(tenantId, userId);
    if (!member) throw AppError.violation('userId', 'must be a member of the organization');
    if (member.status === 'suspended')
      throw AppError.violation('userId', 'must be a member who is not suspended');
    if (member.until !== null)
      throw AppError.violation('userId', 'must be a member whose access does not end');
    const account = await this.accounts.find(userId);
    if (!account || account.suspendedAt !== null)
      throw AppError.violation('userId', 'must be a member whose account is not suspended');
    return account;
  }

  /** @returns ids of the roles that the caller has afterwards, at least one */
  private async getKeptRoles(
    tenantId: TenantId,
    caller: PersonPrincipal,
    keepRoles: readonly string[] | undefined,
  ): Promise<string[]> {
    if (keepRoles) {
      const n = keepRoles.indexOf(OWNER);
      if (n >= 0) throw AppError.violation(`keepRoles[${n}]`, 'must be another role than the one given away');
      const keys = [...new Set(keepRoles)];
      return idsOf(await this.roles.requireGivableRoles(tenantId, caller, keys, (at) => `keepRoles[${at}]`));
    }
    const held = (await this.getMember(tenantId, caller.userId)).roles.filter((key) => key !== OWNER);
    return this.roles.findIds(tenantId, held.length > 0 ? held : [MEMBER]);
  }

  private async getMember(tenantId: TenantId, userId: UserId): Promise<Member> {
    return (await this.members.find(tenantId, userId)) ?? AppError.notFound();
  }
}

const idsOf = (roles: readonly { readonly id: string }[]): string[] => roles.map(({ id }) => id);
