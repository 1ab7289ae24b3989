import { Injectable } from '@nestjs/common';
import { CallerScopes } from '../../../ability/index.js';
import type { TenantId, UserId } from '../../../kernel/index.js';
import { AccountRepository } from '../../accounts/account.repository.js';
import { MemberRepository } from './member.repository.js';
import { MembershipDirectory } from './membership-directory.js';
import { PUTS_ON_PARTNERSHIPS } from './member-sql.js';

/** What a member or service account has begun for a member, and takes effect later. */
export interface BegunForMember {
  readonly tenantId: TenantId;
  readonly actorId: UserId;
  readonly userId: UserId;
}

/** What gives roles later, by whom it was begun. */
interface BegunWithRoles extends Pick<BegunForMember, 'tenantId' | 'actorId'> {
  readonly roleIds: readonly string[];
}

/**
 * Decides whether what a member or service account has begun still counts: only while they could
 * begin it again (ADR 79). The methods join the open transaction, and lock the membership unless
 * they say otherwise.
 */
@Injectable()
export class MemberAuthority {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly members: MemberRepository,
    private readonly directory: MembershipDirectory,
    private readonly callers: CallerScopes,
  ) {}

  /** Returns whether the actor is active, holds these scopes, and could give these roles now. */
  async couldGive(
    by: Pick<BegunForMember, 'tenantId' | 'actorId'>,
    scopes: readonly string[],
    roleIds: readonly string[],
  ): Promise<boolean> {
    return (await this.filterGivable([{ ...by, roleIds }], scopes, true)).length > 0;
  }

  /**
   * As {@link couldGive}, of several.
   * @param lock without it, caches answer about all, and one statement about their accounts
   * @returns those that count
   */
  async filterGivable<T extends BegunWithRoles>(
    begun: readonly T[],
    scopes: readonly string[],
    lock: boolean,
  ): Promise<T[]> {
    if (begun.length === 0) return [];
    const suspended = await this.accounts.findSuspended(begun.map(({ actorId }) => actorId));
    const could = await Promise.all(
      begun.map(async ({ tenantId, actorId, roleIds }) => {
        if (suspended.has(actorId)) return false;
        const holds = await this.callers.findScopesOf(actorId, tenantId, lock);
        const above = await this.directory.listRolesAbove(tenantId, actorId, holds, lock);
        return scopes.every((scope) => holds?.(scope) === true) && !roleIds.some((id) => above.includes(id));
      }),
    );
    return begun.filter((_, n) => could[n]);
  }

  /** As {@link couldGive}, of what a person has, who is still a member and no owner. */
  async covers({ userId, ...by }: BegunForMember, scope: string): Promise<boolean> {
    const [member] = await this.members.findJudged(by.tenantId, [userId], false);
    if (!member || member.isOwner) return false;
    const scopes = member.isOnPartnership ? [scope, PUTS_ON_PARTNERSHIPS] : [scope];
    return this.couldGive(by, scopes, member.allRoleIds);
  }
}
