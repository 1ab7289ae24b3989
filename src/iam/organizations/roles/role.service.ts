import { Injectable } from '@nestjs/common';
import { AbilityRegistry, CallerScopes, type ScopePredicate } from '../../../ability/index.js';
import { AppError, type Violation } from '../../../platform/errors/index.js';
import type { Page } from '../../../platform/api/index.js';
import type { Principal, TenantId, UserId } from '../../../kernel/index.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { MemberRepository } from '../members/member.repository.js';
import { MembershipDirectory } from '../members/membership-directory.js';
import { OWNER, scopesOf } from './role-scopes.js';
import { RoleRepository, type Role } from './role.repository.js';

/** Held scopes are answered from memory, for which an organization's roles are read as a whole. */
const MAX_ROLES = 100;

/** The roles of an organization. Nobody gives away more than they hold. */
@Injectable()
export class RoleService {
  constructor(
    private readonly roles: RoleRepository,
    private readonly members: MemberRepository,
    private readonly directory: MembershipDirectory,
    private readonly callers: CallerScopes,
    private readonly registry: AbilityRegistry,
    private readonly audit: AuditTrail,
  ) {}

  async list(tenantId: TenantId, page: Page): Promise<Role[]> {
    return (await this.roles.list(tenantId, page)).map((role) => this.withScopes(role));
  }

  /** @throws {AppError} conflict for a key that is taken, or too many roles; validation-error for scopes that the caller cannot give */
  async create(
    tenantId: TenantId,
    caller: Principal,
    role: Pick<Role, 'key' | 'name' | 'scopes'>,
  ): Promise<Role> {
    const actorId = caller.userId;
    const scopes = await this.requireGivable(caller, role.scopes);
    if ((await this.roles.findByKeys(tenantId, [role.key])).length > 0)
      throw new AppError('conflict', { detail: `There is a role with the key ${role.key} already.` });
    if ((await this.roles.countOwn(tenantId)) >= MAX_ROLES)
      throw new AppError('conflict', {
        detail: `An organization can have ${MAX_ROLES} roles of its own. Delete one that is not in use.`,
      });
    const created = await this.roles.insert(tenantId, { ...role, scopes });
    await this.audit.record({
      actorId,
      tenantId,
      action: 'role.created',
      subject: `iam/roles/${created.id}`,
    });
    await this.directory.announceRoles(tenantId);
    return created;
  }

  /** @throws {AppError} validation-error for scopes that the caller cannot give */
  async update(
    tenantId: TenantId,
    caller: Principal,
    id: string,
    changes: { name?: string | undefined; scopes?: readonly string[] | undefined },
  ): Promise<Role> {
    const actorId = caller.userId;
    const scopes = changes.scopes && (await this.requireGivable(caller, changes.scopes));
    const updated = await this.roles.update(tenantId, id, { ...changes, scopes });
    if (!updated) throw new AppError('not-found');
    await this.audit.record({ actorId, tenantId, action: 'role.updated', subject: `iam/roles/${id}` });
    await this.directory.announceRoles(tenantId);
    return updated;
  }

  async delete(tenantId: TenantId, actorId: UserId, id: string): Promise<void> {
    await this.roles.delete(tenantId, id);
    await this.audit.record({ actorId, tenantId, action: 'role.deleted', subject: `iam/roles/${id}` });
    await this.directory.announceRoles(tenantId);
  }

  /**
   * The roles of these keys, as the caller may give them.
   * @throws {AppError} validation-error on `roles[n]` for a key that is unknown, holds more than the caller, or makes an owner where the caller is none
   */
  async requireGivableRoles(tenantId: TenantId, caller: Principal, keys: readonly string[]): Promise<Role[]> {
    const found = new Map((await this.roles.findByKeys(tenantId, keys)).map((role) => [role.key, role]));
    const holds = await this.callers.findCallerScopes(caller, true);
    const whyNot = await this.createGiveCheck(tenantId, caller.userId, holds);
    const violations = keys.flatMap((key, n): Violation[] => {
      const role = found.get(key);
      const message = role ? whyNot(role) : `There is no role ${key} here.`;
      return message === null ? [] : [{ propertyPath: `roles[${n}]`, message }];
    });
    if (violations.length > 0) throw new AppError('validation-error', { violations });
    return [...found.values()];
  }

  /** Whether a person could give all of these roles at this moment. */
  async canGive(tenantId: TenantId, actorId: UserId, ids: readonly string[]): Promise<boolean> {
    const holds = await this.directory.findScopePredicate(actorId, tenantId, true);
    const whyNot = await this.createGiveCheck(tenantId, actorId, holds);
    const roles = (await this.roles.findAllOf([tenantId])).filter(({ id }) => ids.includes(id));
    return roles.every((role) => whyNot(role) === null);
  }

  /** Says of a role why this person cannot give it; null where they can. An owner is more than the sum of the scopes. */
  private async createGiveCheck(
    tenantId: TenantId,
    actorId: UserId,
    holds: ScopePredicate | null,
  ): Promise<(role: Role) => string | null> {
    const own = (await this.members.findRoleIds(tenantId, actorId, true)) ?? [];
    return (role) => {
      if (!this.withScopes(role).scopes.every((scope) => holds?.(scope)))
        return `The role ${role.key} holds permissions that you do not hold yourself.`;
      return role.key !== OWNER || own.includes(role.id) ? null : 'Only an owner can make an owner.';
    };
  }

  /** The scopes, each once, as the caller may give them. */
  private async requireGivable(caller: Principal, scopes: readonly string[]): Promise<string[]> {
    const holds = await this.callers.findCallerScopes(caller, true);
    const violations = scopes.flatMap((scope, n): Violation[] => {
      const propertyPath = `scopes[${n}]`;
      if (this.registry.find(scope)?.audience !== 'tenant')
        return [{ propertyPath, message: 'There is no such permission of an organization.' }];
      return holds?.(scope) ? [] : [{ propertyPath, message: 'You do not hold this permission yourself.' }];
    });
    if (violations.length > 0) throw new AppError('validation-error', { violations });
    return [...new Set(scopes)];
  }

  private withScopes(role: Role): Role {
    return { ...role, scopes: scopesOf(this.registry, role) };
  }
}
