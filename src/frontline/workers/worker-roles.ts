import { Injectable } from '@nestjs/common';
import { denialError, denyByState, forbid } from '../../ability/index.js';
import { MemberRoleService, OWNER, RoleService } from '../../iam/index.js';
import type { Locked, Principal, TenantId, UserId } from '../../kernel/index.js';

/** Gives workers roles: any that the caller could give a member, except owner. */
@Injectable()
export class WorkerRoles {
  constructor(
    private readonly roles: RoleService,
    private readonly memberRoles: MemberRoleService,
  ) {}

  /**
   * @returns the ids of the roles
   * @throws {AppError} validation-error on `roles[n]` for an unknown role; forbidden for one that
   *   holds more than the caller, and for owner
   */
  async require(tenantId: TenantId, caller: Principal, keys: readonly string[]): Promise<string[]> {
    if (keys.includes(OWNER)) throw denialError(denyByState(forbid('worker.no-owner')));
    return (await this.roles.requireRolesWithinReach(tenantId, caller, keys)).map(({ id }) => id);
  }

  /** @throws {AppError} as {@link require} */
  async replace(
    tenantId: Locked<TenantId>,
    caller: Principal,
    userId: UserId,
    keys: readonly string[],
  ): Promise<void> {
    const roleIds = await this.require(tenantId, caller, keys);
    await this.memberRoles.replaceRolesOfSource(tenantId, caller.userId, [{ userId, roleIds }], 'manual');
  }
}
