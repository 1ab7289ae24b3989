import { Injectable } from '@nestjs/common';
import {
  AbilityRegistry,
  type Collection,
  parseSubject,
  type Subject,
  thingOf,
} from '../../../ability/index.js';
import type { Locked, Principal, TenantId, UserId } from '../../../kernel/index.js';
import type { Page } from '../../../platform/api/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { toEnd } from '../ends/end-of-access.js';
import { MemberService } from '../members/member.service.js';
import { MemberChanges } from '../members/member-changes.js';
import { PartnerSight } from '../partnerships/partner-sight.js';
import { OWNER } from '../roles/role-scopes.js';
import { RoleService } from '../roles/role.service.js';
import type { AssignmentsQuery, AssignRoleDto } from './assignment.dto.js';
import { type Assignment, AssignmentRepository, type RuledAssignment } from './assignment.repository.js';

const NO_SCOPES: ReadonlySet<string> = new Set();
/** Assignments of one member. */
const MAX_ASSIGNMENTS = 1_000;

/** Gives members roles on single things. The caller has checked the permission before. */
@Injectable()
export class AssignmentService {
  constructor(
    private readonly assignments: AssignmentRepository,
    private readonly roles: RoleService,
    private readonly members: MemberService,
    private readonly sight: PartnerSight,
    private readonly changes: MemberChanges,
    private readonly registry: AbilityRegistry,
  ) {}

  /** Lists assignments that have not ended and that the caller sees, in order of id. */
  async list(
    tenantId: TenantId,
    caller: Principal,
    page: Page,
    query: AssignmentsQuery,
  ): Promise<Assignment[]> {
    return this.listAll(tenantId, page, query, await this.sight.findThings(caller, tenantId));
  }

  /**
   * Lists assignments that have not ended, in order of id, for operators.
   * @param things lists only those on one of these things; null for all
   */
  async listAll(
    tenantId: TenantId,
    page: Page,
    query: AssignmentsQuery,
    things: readonly string[] | null = null,
  ): Promise<Assignment[]> {
    const roleId = query.role === undefined ? undefined : await this.roles.findId(tenantId, query.role);
    if (query.role !== undefined && roleId === undefined) return [];
    return this.assignments.list(tenantId, page, {
      userId: query.userId,
      thing: query.on === undefined ? undefined : thingNamed(query.on),
      things: things ?? undefined,
      roleId,
      endsBefore: query.expiring === undefined ? undefined : new Date(query.expiring),
    });
  }

  /** @throws {AppError} not-found if the person is not a member */
  async listOfMember(
    tenantId: TenantId,
    caller: Principal,
    page: Page,
    userId: UserId,
  ): Promise<Assignment[]> {
    await this.sight.getMember(caller, tenantId, userId);
    return this.list(tenantId, caller, page, { userId });
  }

  /** @throws {AppError} not-found if the person is not a member, or has no such assignment */
  async get(tenantId: TenantId, caller: Principal, userId: UserId, id: string): Promise<Assignment> {
    const found = await this.assignments.find(tenantId, userId, id);
    const things = await this.sight.findThings(caller, tenantId);
    if (!found || things?.includes(found.thing) === false) throw new AppError('not-found');
    return found;
  }

  /**
   * Assigns a role on a thing. It holds at once, on what is below the thing too.
   * @throws {AppError} validation-error for a role that is unknown, exceeds the caller or is the
   *   owner's, an end in the past, or an entity of a module that the organization does not have;
   *   conflict if the member has too many
   */
  async assign(
    tenantId: TenantId,
    caller: Principal,
    userId: UserId,
    { role: key, on, until }: AssignRoleDto,
  ): Promise<Assignment> {
    const [role] = await this.roles.requireGivableRoles(tenantId, caller, [key], () => 'role');
    if (!role || role.key === OWNER) throw AppError.violation('role', { id: 'assignment.owner' });
    const end = toEnd(until) ?? null;
    const thing = await this.requireThing(caller, on);
    await this.members.get(tenantId, userId);
    if ((await this.assignments.countOf(tenantId, userId)) >= MAX_ASSIGNMENTS)
      throw new AppError('conflict', {
        reason: { id: 'assignment.too-many', values: { max: MAX_ASSIGNMENTS } },
      });
    const id = await this.assignments.insert(tenantId, {
      userId,
      roleId: role.id,
      thing,
      until: end,
      createdBy: caller.userId,
    });
    await this.changes.recordAssignment('role.assigned', tenantId, caller.userId, { id, userId });
    return this.get(tenantId, caller, userId, id);
  }

  /**
   * Ends an assignment. Effective at once.
   * @throws {AppError} not-found; forbidden if its role holds more than the caller; conflict if a
   *   rule gives it
   */
  async end(tenantId: TenantId, caller: Principal, userId: UserId, id: string): Promise<void> {
    const { role } = await this.get(tenantId, caller, userId, id);
    await this.roles.requireRolesWithinReach(tenantId, caller, [role]);
    await this.endAny(tenantId, caller.userId, userId, id);
  }

  /**
   * Ends an assignment, whatever its role, for operators.
   * @throws {AppError} not-found; conflict if a rule gives it
   */
  async endAny(tenantId: TenantId, actorId: UserId, userId: UserId, id: string): Promise<void> {
    const found = (await this.assignments.find(tenantId, userId, id)) ?? AppError.notFound();
    if (found.source === 'directory')
      throw new AppError('conflict', { reason: { id: 'assignment.by-rule' } });
    await this.assignments.delete(tenantId, id);
    await this.changes.recordAssignment('role.unassigned', tenantId, actorId, { id, userId });
  }

  /**
   * Replaces the roles on things that rules of directories gave to members. Others stay.
   * @param wanted each once
   */
  async replaceRuled(
    tenantId: Locked<TenantId>,
    actorId: UserId,
    userIds: readonly UserId[],
    wanted: readonly RuledAssignment[],
  ): Promise<void> {
    const changed = await this.assignments.replaceRuled(tenantId, userIds, wanted, actorId);
    for (const { isNew, ...one } of changed) {
      const action = isNew ? 'role.assigned' : 'role.unassigned';
      await this.changes.recordAssignment(action, tenantId, actorId, one);
    }
  }

  /** Leaves the roles on things that rules gave to members to administrators. */
  adoptRuled(tenantId: TenantId, userIds: readonly UserId[]): Promise<void> {
    return this.assignments.adoptRuled(tenantId, userIds);
  }

  /**
   * Requires that an entity of a module of this service exists. Other services' things are theirs.
   * @param on URI of the thing
   * @param field of the request
   * @returns the thing, as `thingOf` spells it
   * @throws {AppError} validation-error
   */
  async requireThing(principal: Principal, on: string, field = 'on'): Promise<string> {
    const subject = subjectOf(on, field);
    const collection = this.registry.findCollection(subject.module, subject.collection);
    if (collection && !(await this.exists(principal, collection, subject.id)))
      throw AppError.violation(field, { id: 'assignment.unknown-thing' });
    return thingOf(subject);
  }

  /** Tells of nothing of the platform or of persons whether it exists: no role holds on these. */
  private async exists(principal: Principal, collection: Collection, id: string): Promise<boolean> {
    if (!this.registry.isOfTenants(collection)) return false;
    const context = { principal, lock: false, scopes: NO_SCOPES };
    return (await collection.policy.load([id], context)).has(id);
  }
}

/**
 * Returns the thing that a URI names, as `thingOf` spells it, whether or not it exists.
 * @throws {AppError} validation-error as {@link subjectOf}
 */
export const thingNamed = (on: string): string => thingOf(subjectOf(on));

/** @throws {AppError} validation-error for an id that is no ULID: the field does not refuse it */
function subjectOf(on: string, field = 'on'): Subject {
  const subject = parseSubject(on);
  if (!subject) throw AppError.violation(field, { id: 'assignment.unknown-thing' });
  return subject;
}
