import { Injectable } from '@nestjs/common';
import type { Principal, TenantId, UserId } from '../../../kernel/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { Lifecycle } from '../../../platform/lifecycle/index.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { namesOfGiven } from '../../audit/audit.declarations.js';
import { AccessCache } from '../members/access-cache.js';
import { type Role, RoleRepository } from './role.repository.js';
import { RoleService } from './role.service.js';

/**
 * Maximum number of an organization's own roles. The cache of held scopes loads all roles of an
 * organization at once.
 */
const MAX_ROLES = 100;

/** Creates, changes and deletes roles of an organization. */
@Injectable()
export class RoleChangeService {
  constructor(
    private readonly roles: RoleRepository,
    private readonly service: RoleService,
    private readonly cache: AccessCache,
    private readonly lifecycle: Lifecycle,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Creates a role.
   * @throws {AppError} conflict if the key is taken or the organization has too many roles;
   *   validation-error on `scopes[n]` for a scope that the caller cannot give
   */
  async create(
    tenantId: TenantId,
    caller: Principal,
    role: Pick<Role, 'key' | 'name' | 'scopes'>,
  ): Promise<Role> {
    const scopes = await this.service.requireGivableScopes(caller, role.scopes);
    if ((await this.roles.findByKeys(tenantId, [role.key])).length > 0)
      throw new AppError('conflict', { reason: { id: 'role.key-taken', values: { key: role.key } } });
    if ((await this.roles.countOwn(tenantId)) >= MAX_ROLES)
      throw new AppError('conflict', { reason: { id: 'role.too-many', values: { max: MAX_ROLES } } });
    const created = await this.roles.insert(tenantId, { ...role, scopes });
    await this.record('created', tenantId, caller.userId, created.id);
    return created;
  }

  /**
   * Changes the given fields of a role.
   * @throws {AppError} validation-error on `scopes[n]` for a scope that the caller cannot give, and
   *   on `scopes` if another module refuses further ones; not-found for an unknown role
   */
  async update(
    tenantId: TenantId,
    caller: Principal,
    id: string,
    changes: { name?: string | undefined; scopes?: readonly string[] | undefined },
  ): Promise<Role> {
    const scopes = changes.scopes && (await this.service.requireGivableScopes(caller, changes.scopes));
    const { scopes: before } = await this.service.get(tenantId, id);
    const updated = await this.roles.update(tenantId, id, { ...changes, scopes });
    if (!updated) throw new AppError('not-found');
    if (scopes?.some((scope) => !before.includes(scope)))
      await this.lifecycle.emit('role.extended', { tenantId, roleId: id });
    await this.record('updated', tenantId, caller.userId, id, namesOfGiven(changes));
    return updated;
  }

  async delete(tenantId: TenantId, actorId: UserId, id: string): Promise<void> {
    await this.roles.delete(tenantId, id);
    await this.record('deleted', tenantId, actorId, id);
  }

  /** Records a change of a role, and invalidates the cache of it. */
  private async record(
    what: 'created' | 'updated' | 'deleted',
    tenantId: TenantId,
    actorId: UserId,
    id: string,
    changed: readonly string[] = [],
  ): Promise<void> {
    await this.audit.record({
      actorId,
      tenantId,
      action: `role.${what}`,
      subject: `iam/roles/${id}`,
      changed,
    });
    await this.cache.announceRoles(tenantId);
  }
}
