import {
  AbilityPolicy,
  AbilityRegistry,
  CallerScopes,
  Scope,
  type EntityPolicy,
  type LoadContext,
} from '../../../ability/index.js';
import type { Principal } from '../../../kernel/index.js';
import { TenantLock } from '../tenants/tenant-lock.js';
import { scopesOf } from './role-scopes.js';
import { RoleRepository, type JudgedRole } from './role.repository.js';

/** Role, with what the decision needs to know of the caller. */
interface Judged extends JudgedRole {
  /** Whether the role holds a scope that the caller does not. */
  readonly exceedsCaller: boolean;
}

const BUILT_IN = 'A built-in role cannot be changed or deleted.';
const EXCEEDS_CALLER = 'The role holds permissions that you do not hold yourself.';

/** Permissions on the roles of an organization. */
@AbilityPolicy({ module: 'iam', entity: 'role', collection: 'roles' })
export class RolePolicy implements EntityPolicy<Judged> {
  constructor(
    private readonly roles: RoleRepository,
    private readonly callers: CallerScopes,
    private readonly registry: AbilityRegistry,
    private readonly tenantLock: TenantLock,
  ) {}

  async load(ids: readonly string[], { principal, lock }: LoadContext): Promise<Map<string, Judged>> {
    if (principal.tenantId === null) return new Map();
    const { tenantId } = principal;
    const roles = await this.roles.findJudged(tenantId, ids, lock);
    const holds = await this.callers.findCallerScopes(principal, lock);
    return new Map(
      roles.map((role) => [
        role.id,
        {
          ...role,
          exceedsCaller: scopesOf(this.registry, role).some((scope) => holds?.(scope) !== true),
        },
      ]),
    );
  }

  lock(principal: Principal): Promise<void> {
    return this.tenantLock.lockSelectedForUpdate(principal);
  }

  @Scope('read', { allowedWhenArchived: true, on: 'tenants', roles: ['admin', 'member'] })
  read(): true {
    return true;
  }

  @Scope('create', { on: 'tenants' })
  create(): true {
    return true;
  }

  @Scope('update')
  update(role: Judged): true | string {
    if (role.builtIn) return BUILT_IN;
    return !role.exceedsCaller || EXCEEDS_CALLER;
  }

  @Scope('delete')
  delete(role: Judged): true | string {
    if (role.builtIn) return BUILT_IN;
    if (role.exceedsCaller) return EXCEEDS_CALLER;
    return !role.inUse || 'The role is in use. Take it from its members and revoke invitations to it first.';
  }
}
