import { Injectable } from '@nestjs/common';
import { CallerScopes } from '../../../ability/index.js';
import type { TenantId, UserId } from '../../../kernel/index.js';
import { AccountRepository } from '../../accounts/account.repository.js';
import { RoleService } from '../roles/role.service.js';
import { MemberRepository } from './member.repository.js';
import { PUTS_ON_PARTNERSHIPS } from './member-sql.js';

/** What a member or service account has begun for a member, and takes effect later. */
export interface BegunForMember {
  readonly tenantId: TenantId;
  readonly actorId: UserId;
  readonly userId: UserId;
}

/**
 * Decides whether what a member or service account has begun still counts: only while they could
 * begin it again (ADR 79). The methods join the open transaction, and lock the membership.
 */
@Injectable()
export class MemberAuthority {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly members: MemberRepository,
    private readonly roles: RoleService,
    private readonly callers: CallerScopes,
  ) {}

  /** Returns whether the actor is active, holds these scopes, and could give these roles now. */
  async couldGive(
    { tenantId, actorId }: Pick<BegunForMember, 'tenantId' | 'actorId'>,
    scopes: readonly string[],
    roleIds: readonly string[],
  ): Promise<boolean> {
    // A service account has none.
    const account = await this.accounts.find(actorId);
    if (account && account.suspendedAt !== null) return false;
    const holds = await this.callers.findScopesOf(actorId, tenantId, true);
    return scopes.every((scope) => holds?.(scope) === true) && this.roles.canGive(tenantId, actorId, roleIds);
  }

  /** As {@link couldGive}, of what a person has, who is still a member and no owner. */
  async covers({ userId, ...by }: BegunForMember, scope: string): Promise<boolean> {
    const [member] = await this.members.findJudged(by.tenantId, [userId], false);
    if (!member || member.isOwner) return false;
    return this.couldGive(
      by,
      member.isOnPartnership ? [scope, PUTS_ON_PARTNERSHIPS] : [scope],
      member.allRoleIds,
    );
  }
}
