import {
  AbilityPolicy,
  AbilityRegistry,
  CallerScopes,
  Scope,
  type EntityPolicy,
  type LoadContext,
  forbid,
  type Refusal,
} from '../../../ability/index.js';
import { TenantLockedPolicy } from '../tenants/tenant-lock.js';
import { scopesOf } from './role-scopes.js';
import { RoleRepository, type JudgedRole } from './role.repository.js';
import '../organization.messages.js';

/** Role, with what the decision needs to know of the caller. */
interface Judged extends JudgedRole {
  /** Whether the role holds a scope that the caller does not. */
  readonly exceedsCaller: boolean;
}

/** Permissions on the roles of an organization. */
@AbilityPolicy({ module: 'iam', entity: 'role', collection: 'roles' })
@Scope('read', { allowedWhenArchived: true, on: 'tenants', roles: ['admin', 'member'] })
@Scope('create', { on: 'tenants', impersonation: false })
export class RolePolicy extends TenantLockedPolicy implements EntityPolicy<Judged> {
  constructor(
    private readonly roles: RoleRepository,
    private readonly callers: CallerScopes,
    private readonly registry: AbilityRegistry,
  ) {
    super();
  }

  async load(ids: readonly string[], { principal, lock }: LoadContext): Promise<Map<string, Judged>> {
    if (principal.tenantId === null) return new Map();
    const { tenantId } = principal;
    const roles = await this.roles.findJudged(tenantId, ids, lock);
    const holds = await this.callers.findCallerScopes(principal, lock);
    return new Map(
      roles.map((role) => {
        const exceedsCaller = scopesOf(this.registry, role).some((scope) => holds?.(scope) !== true);
        return [role.id, { ...role, exceedsCaller }];
      }),
    );
  }

  @Scope('update', { impersonation: false })
  update(role: Judged): true | Refusal {
    if (role.builtIn) return forbid('role.built-in');
    return !role.exceedsCaller || forbid('role.exceeds-caller');
  }

  @Scope('delete', { impersonation: false })
  delete(role: Judged): true | Refusal {
    if (role.builtIn) return forbid('role.built-in');
    if (role.exceedsCaller) return forbid('role.exceeds-caller');
    return !role.inUse || forbid('role.in-use');
  }
}
