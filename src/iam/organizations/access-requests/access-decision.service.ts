import { Injectable } from '@nestjs/common';
import { AbilityService } from '../../../ability/index.js';
import type { Principal, TenantId } from '../../../kernel/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { AssignmentService } from '../assignments/assignment.service.js';
import { MemberRoleService } from '../members/member-role.service.js';
import { type AccessRequest, AccessRequestRepository, GIVE } from './access-request.repository.js';
import { AccessRequestService } from './access-request.service.js';

/** Approves and denies requests for access. The caller has checked the permission before. */
@Injectable()
export class AccessDecisionService {
  constructor(
    private readonly service: AccessRequestService,
    private readonly requests: AccessRequestRepository,
    private readonly abilities: AbilityService,
    private readonly memberRoles: MemberRoleService,
    private readonly assignments: AssignmentService,
  ) {}

  /**
   * Approves a request: the member has the role from now on, for the hours.
   * @throws {AppError} forbidden or validation-error if the caller could not give this role to this
   *   member by themselves
   */
  async approve(tenantId: TenantId, caller: Principal, id: string): Promise<AccessRequest> {
    const { userId, role, thing } = await this.service.get(tenantId, caller, id);
    const subject = { module: 'iam', collection: 'members', id: userId };
    await this.abilities.require(caller, [{ scope: GIVE, subject }], true);
    const until = await this.requests.end(tenantId, id, 'approved', caller.userId);
    if (until === null) throw new AppError('conflict', { reason: { id: 'access-request.decided' } });
    if (thing === null) await this.memberRoles.giveRole(tenantId, caller, userId, role, until);
    else {
      const on = `gatehouse:///${thing}`;
      await this.assignments.assign(tenantId, caller, userId, { role, on, until: until.toISOString() });
    }
    return this.service.finish('approved', tenantId, caller, id);
  }

  async deny(tenantId: TenantId, caller: Principal, id: string): Promise<AccessRequest> {
    await this.requests.end(tenantId, id, 'denied', caller.userId);
    return this.service.finish('denied', tenantId, caller, id);
  }
}
