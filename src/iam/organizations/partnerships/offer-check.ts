import { Injectable } from '@nestjs/common';
import type { Principal, TenantId } from '../../../kernel/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { AssignmentService } from '../assignments/assignment.service.js';
import { OWNER } from '../roles/role-scopes.js';
import { RoleService } from '../roles/role.service.js';

/** Checks what hosts offer. */
@Injectable()
export class OfferCheck {
  constructor(
    private readonly roles: RoleService,
    private readonly assignments: AssignmentService,
  ) {}

  /**
   * @throws {AppError} validation-error for roles that are unknown, exceed the caller or are the
   *   owner's
   */
  async requireRoles(tenantId: TenantId, caller: Principal, keys: readonly string[]): Promise<string[]> {
    const roles = await this.roles.requireGivableRoles(tenantId, caller, keys);
    if (keys.includes(OWNER))
      throw AppError.violation(`roles[${keys.indexOf(OWNER)}]`, { id: 'assignment.owner' });
    return roles.map(({ id }) => id);
  }

  /** @throws {AppError} forbidden for roles, which the offer has already, that exceed the caller */
  async requireWithinReach(tenantId: TenantId, caller: Principal, keys: readonly string[]): Promise<void> {
    await this.roles.requireRolesWithinReach(tenantId, caller, keys);
  }

  /** @throws {AppError} validation-error for unknown things */
  async requireThings(caller: Principal, on: readonly string[] | undefined): Promise<string[] | undefined> {
    if (on === undefined) return undefined;
    const things = new Set<string>();
    for (const [n, uri] of on.entries())
      things.add(await this.assignments.requireThing(caller, uri, `on[${n}]`));
    return [...things];
  }
}
