import {
  AbilityPolicy,
  CallerScopes,
  type EntityPolicy,
  forbid,
  type LoadContext,
  type Refusal,
  Scope,
} from '../../ability/index.js';
import { MembershipDirectory, OWNER, TenantLock } from '../../iam/index.js';
import type { Principal } from '../../kernel/index.js';
import { TenantDatabase } from '../../platform/database/index.js';
import '../directory.messages.js';

interface Found {
  readonly id: string;
  /** Roles that its rules give. */
  readonly roleIds: readonly string[];
  readonly givesOwner: boolean;
}

/** Directory, with what the decision needs to know of the caller. */
export interface JudgedDirectory extends Found {
  /** Whether its rules give a role that the caller could not give. */
  readonly exceedsCaller: boolean;
}

const FIND = `SELECT id,
    ARRAY(SELECT DISTINCT role_id FROM directory_rules r CROSS JOIN unnest(r.role_ids) AS given (role_id)
      WHERE r.tenant_id = directories.tenant_id AND r.directory_id = directories.id) AS "roleIds",
    EXISTS (SELECT 1 FROM directory_rules r JOIN roles o ON o.tenant_id = r.tenant_id AND o.id = ANY(r.role_ids)
      WHERE r.tenant_id = directories.tenant_id AND r.directory_id = directories.id AND o.key = '${OWNER}') AS "givesOwner"
  FROM directories WHERE tenant_id = $1 AND id = ANY($2)`;

/** Permissions on the directories of an organization. */
@AbilityPolicy({ module: 'iam', entity: 'directory', collection: 'directories', title: 'scope.directory' })
export class DirectoryPolicy implements EntityPolicy<JudgedDirectory> {
  constructor(
    private readonly database: TenantDatabase,
    private readonly directory: MembershipDirectory,
    private readonly callers: CallerScopes,
    private readonly tenantLock: TenantLock,
  ) {}

  /** First in the lock order: a change of rules changes roles of members. */
  lock(principal: Principal): Promise<void> {
    return this.tenantLock.lockSelectedForUpdate(principal);
  }

  async load(ids: readonly string[], context: LoadContext): Promise<Map<string, JudgedDirectory>> {
    const { principal, lock } = context;
    const { tenantId, userId } = principal;
    if (tenantId === null) return new Map();
    const found = await this.database.loadByIds<Found>(FIND, ids, context);
    const scopesOf = await this.directory.getScopesOfRoles(tenantId, lock);
    const holds = await this.callers.findCallerScopes(principal, lock);
    const isOwner = await this.directory.isOwner(userId, tenantId, lock);
    return new Map(
      [...found].map(([id, directory]) => {
        const exceedsCaller =
          (directory.givesOwner && !isOwner) ||
          [...scopesOf(directory.roleIds)].some((scope) => holds?.(scope) !== true);
        return [id, { ...directory, exceedsCaller }];
      }),
    );
  }

  @Scope('read', {
    title: 'scope.directory.read',
    description: 'scope.directory.read.description',
    allowedWhenArchived: true,
  })
  read(): true {
    return true;
  }

  @Scope('create', { title: 'scope.directory.create', on: 'tenants', impersonation: false })
  create(): true {
    return true;
  }

  @Scope('update', { title: 'scope.directory.update', impersonation: false })
  update({ exceedsCaller }: JudgedDirectory): true | Refusal {
    return !exceedsCaller || forbid('directory.exceeds-caller');
  }

  @Scope('delete', { title: 'scope.directory.delete', impersonation: false })
  delete(): true {
    return true;
  }
}
