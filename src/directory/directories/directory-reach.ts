import { Injectable } from '@nestjs/common';
import { CallerScopes, type ScopePredicate } from '../../ability/index.js';
import { MembershipDirectory } from '../../iam/index.js';
import type { TenantId, UserId } from '../../kernel/index.js';

/** Finds what a member must be able to give to have a directory's token: the roles of its rules. */
@Injectable()
export class DirectoryReach {
  constructor(
    private readonly callers: CallerScopes,
    private readonly directory: MembershipDirectory,
  ) {}

  /**
   * @param holds what the member may use in the organization; null for nothing
   * @param lock read the database, and lock roles and membership
   * @returns a function that tells whether one of these roles is more than the member could give
   */
  async createCheck(
    tenantId: TenantId,
    userId: UserId,
    holds: ScopePredicate | null,
    lock: boolean,
  ): Promise<(roleIds: readonly string[]) => boolean> {
    const above = new Set(await this.directory.listRolesAbove(tenantId, userId, holds, lock));
    return (roleIds) => roleIds.some((id) => above.has(id));
  }

  /** Returns whether a member could create a token of a directory whose rules give these roles. */
  async mayCreateToken(
    tenantId: TenantId,
    userId: UserId,
    roleIds: readonly string[],
    lock: boolean,
  ): Promise<boolean> {
    const holds = await this.callers.findScopesOf(userId, tenantId, lock);
    if (holds?.('iam:directory-token:create') !== true) return false;
    if (roleIds.length === 0) return true;
    return !(await this.createCheck(tenantId, userId, holds, lock))(roleIds);
  }
}
