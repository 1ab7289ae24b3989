import { AbilityPolicy, type EntityPolicy, type LoadContext, Scope } from '../../ability/index.js';
import { TenantLock } from '../../iam/index.js';
import type { Principal } from '../../kernel/index.js';
import { TenantDatabase } from '../../platform/database/index.js';
import '../directory.messages.js';

interface Judged {
  readonly id: string;
}

/** Permissions on the directories of an organization. */
@AbilityPolicy({ module: 'iam', entity: 'directory', collection: 'directories', title: 'scope.directory' })
export class DirectoryPolicy implements EntityPolicy<Judged> {
  constructor(
    private readonly database: TenantDatabase,
    private readonly tenantLock: TenantLock,
  ) {}

  /** First in the lock order: a change of rules changes roles of members. */
  lock(principal: Principal): Promise<void> {
    return this.tenantLock.lockSelectedForUpdate(principal);
  }

  load(ids: readonly string[], context: LoadContext): Promise<ReadonlyMap<string, Judged>> {
    const sql = 'SELECT id FROM directories WHERE tenant_id = $1 AND id = ANY($2)';
    return this.database.loadByIds<Judged>(sql, ids, context);
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
  update(): true {
    return true;
  }

  @Scope('delete', { title: 'scope.directory.delete', impersonation: false })
  delete(): true {
    return true;
  }
}
