import { Injectable } from '@nestjs/common';
import type { Principal, TenantId } from '../../../kernel/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { thingNamed } from '../assignments/assignment.service.js';
import { MemberService } from '../members/member.service.js';
import { OWNER } from '../roles/role-scopes.js';
import { RoleService } from '../roles/role.service.js';

/** Checks for which roles members ask. */
@Injectable()
export class AccessRequestCheck {
  constructor(
    private readonly roles: RoleService,
    private readonly members: MemberService,
  ) {}

  /**
   * @param on URI of a thing; undefined for the whole organization
   * @returns the id of the role, and the thing as `thingOf` spells it
   * @throws {AppError} validation-error for a role that is unknown, and the owner's role; not-found
   *   if the caller is not a member. Not for an unknown thing: only the approver learns of it.
   */
  async require(
    tenantId: TenantId,
    caller: Principal,
    key: string,
    on: string | undefined,
  ): Promise<{ readonly roleId: string; readonly thing: string | null }> {
    const roleId = await this.roles.findId(tenantId, key);
    if (roleId === undefined) throw AppError.violation('role', { id: 'role.unknown', values: { key } });
    if (key === OWNER) throw AppError.violation('role', { id: 'assignment.owner' });
    const thing = on === undefined ? null : thingNamed(on);
    await this.members.get(tenantId, caller.userId);
    return { roleId, thing };
  }
}
