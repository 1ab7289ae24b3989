import { Injectable } from '@nestjs/common';
import { CallerScopes } from '../../../ability/index.js';
import type { Principal, TenantId, UserId } from '../../../kernel/index.js';
import type { Page } from '../../../platform/api/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { thingNamed } from '../assignments/assignment.service.js';
import { MemberService } from '../members/member.service.js';
import { OWNER } from '../roles/role-scopes.js';
import { RoleService } from '../roles/role.service.js';
import type { CreateAccessRequestDto } from './access-request.dto.js';
import type { RequestStatus } from './access-request.entity.js';
import { AccessRequestMails } from './access-request-mails.js';
import { type AccessRequest, AccessRequestRepository, DECIDE } from './access-request.repository.js';

/** Longest access in an organization that has set none. */
const DEFAULT_MAX_HOURS = 24;
/** Requests of one member that wait. */
const MAX_PENDING = 20;

/** Requests of members for a role for some hours. The caller has checked the permission before. */
@Injectable()
export class AccessRequestService {
  constructor(
    private readonly requests: AccessRequestRepository,
    private readonly callers: CallerScopes,
    private readonly roles: RoleService,
    private readonly members: MemberService,
    private readonly mails: AccessRequestMails,
    private readonly audit: AuditTrail,
  ) {}

  /** Lists requests: the caller's, or all for those who may decide about them. */
  async list(
    tenantId: TenantId,
    caller: Principal,
    page: Page,
    status: RequestStatus | undefined,
  ): Promise<AccessRequest[]> {
    const userId = (await this.mayDecide(caller)) ? undefined : caller.userId;
    return this.requests.list(tenantId, page, { userId, status });
  }

  /** Lists the requests of all members, for operators. */
  listAll(tenantId: TenantId, page: Page, status: RequestStatus | undefined): Promise<AccessRequest[]> {
    return this.requests.list(tenantId, page, { status });
  }

  /** @throws {AppError} not-found for another member's request, unless the caller may decide */
  async get(tenantId: TenantId, caller: Principal, id: string): Promise<AccessRequest> {
    const found = await this.requests.find(tenantId, id);
    if (!found || (found.userId !== caller.userId && !(await this.mayDecide(caller))))
      throw new AppError('not-found');
    return found;
  }

  /**
   * Asks for a role, and mails those who can give it.
   * @throws {AppError} validation-error for an unknown role, the owner's role, and more hours than
   *   the organization allows; not-found if the caller is not a member; conflict if the same
   *   request waits, or too many do. Not for an unknown thing: only the approver learns of it.
   */
  async create(
    tenantId: TenantId,
    caller: Principal,
    { role: key, on, hours, reason }: CreateAccessRequestDto,
  ): Promise<AccessRequest> {
    const max = await this.findMaxHours(tenantId);
    if (hours > max) throw AppError.violation('hours', { id: 'access-request.too-long', values: { max } });
    const roleId = await this.requireRole(tenantId, key);
    const thing = on === undefined ? null : thingNamed(on);
    await this.members.get(tenantId, caller.userId);
    const { all, same } = await this.requests.countPending(tenantId, caller.userId, roleId, thing);
    if (same > 0) throw new AppError('conflict', { reason: { id: 'access-request.waits-already' } });
    if (all >= MAX_PENDING)
      throw new AppError('conflict', {
        reason: { id: 'access-request.too-many', values: { max: MAX_PENDING } },
      });
    const { userId } = caller;
    const id = await this.requests.insert(tenantId, { userId, roleId, thing, hours, reason });
    await this.record('created', tenantId, userId, { id, userId });
    const request = await this.get(tenantId, caller, id);
    await this.mails.sendToApprovers(tenantId, request);
    return request;
  }

  async withdraw(tenantId: TenantId, caller: Principal, id: string): Promise<AccessRequest> {
    await this.requests.end(tenantId, id, 'withdrawn', caller.userId);
    await this.record('withdrawn', tenantId, caller.userId, { id, userId: caller.userId });
    return this.get(tenantId, caller, id);
  }

  /** Returns the longest access for which members may ask, in hours; 0 for none. */
  async findMaxHours(tenantId: TenantId): Promise<number> {
    return (await this.requests.findMaxHours(tenantId)) ?? DEFAULT_MAX_HOURS;
  }

  async setMaxHours(tenantId: TenantId, actorId: UserId, maxHours: number): Promise<void> {
    await this.requests.setMaxHours(tenantId, maxHours);
    const subject = `iam/tenants/${tenantId}`;
    await this.audit.record({ actorId, tenantId, action: 'access-request.configured', subject });
  }

  /** Records a decision, and mails the requester. */
  async finish(
    what: 'approved' | 'denied',
    tenantId: TenantId,
    caller: Principal,
    id: string,
  ): Promise<AccessRequest> {
    const request = await this.get(tenantId, caller, id);
    await this.record(what, tenantId, caller.userId, request);
    await this.mails.sendToRequester(tenantId, request);
    return request;
  }

  /** @throws {AppError} validation-error for an unknown role, and the owner's */
  private async requireRole(tenantId: TenantId, key: string): Promise<string> {
    const id = await this.roles.findId(tenantId, key);
    if (id === undefined) throw AppError.violation('role', { id: 'role.unknown', values: { key } });
    if (key === OWNER) throw AppError.violation('role', { id: 'assignment.owner' });
    return id;
  }

  private async mayDecide(caller: Principal): Promise<boolean> {
    const holds = await this.callers.findCallerScopes(caller, false);
    return holds?.(DECIDE) === true;
  }

  private async record(
    what: 'created' | 'approved' | 'denied' | 'withdrawn',
    tenantId: TenantId,
    actorId: UserId,
    { id, userId }: Pick<AccessRequest, 'id' | 'userId'>,
  ): Promise<void> {
    const subject = `iam/access-requests/${id}`;
    const action = `access-request.${what}`;
    await this.audit.record({ actorId, tenantId, action, subject, holderId: userId });
  }
}
