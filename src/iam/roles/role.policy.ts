import { AbilityPolicy, Scope, type EntityPolicy, type LoadContext } from '../../ability/index.js';
import type { Principal } from '../../platform/http/index.js';
import { TenantLock } from '../tenants/tenant-lock.js';
import { ARCHIVED, type Tenant } from '../tenants/tenant.js';
import { RoleRepository, type JudgedRole } from './role.repository.js';

const BUILT_IN = 'A built-in role cannot be changed or deleted.';

/** What may be done with the roles of an organization. */
@AbilityPolicy({ module: 'iam', entity: 'role', collection: 'roles' })
export class RolePolicy implements EntityPolicy<JudgedRole> {
  constructor(
    private readonly roles: RoleRepository,
    private readonly tenantLock: TenantLock,
  ) {}

  async load(ids: readonly string[], { principal, lock }: LoadContext): Promise<Map<string, JudgedRole>> {
    if (principal.tenantId === null) return new Map();
    const roles = await this.roles.findJudged(principal.tenantId, ids, lock);
    return new Map(roles.map((role) => [role.id, role]));
  }

  lock(principal: Principal): Promise<void> {
    return this.tenantLock.take(principal);
  }

  @Scope('read', { on: 'tenants', roles: ['admin', 'member'] })
  read(): true {
    return true;
  }

  @Scope('create', { on: 'tenants' })
  create(tenant: Tenant): true | string {
    return tenant.archivedAt === null || ARCHIVED;
  }

  @Scope('update')
  update(role: JudgedRole): true | string {
    if (role.tenantArchived) return ARCHIVED;
    return !role.builtIn || BUILT_IN;
  }

  @Scope('delete')
  delete(role: JudgedRole): true | string {
    if (role.tenantArchived) return ARCHIVED;
    if (role.builtIn) return BUILT_IN;
    return !role.inUse || 'The role is in use. Take it from its members and revoke invitations to it first.';
  }
}
