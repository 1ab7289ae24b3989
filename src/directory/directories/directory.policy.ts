import {
  AbilityPolicy,
  CallerScopes,
  type EntityPolicy,
  forbid,
  type LoadContext,
  PolicyWithoutEntity,
  type Refusal,
  Scope,
} from '../../ability/index.js';
import { TenantLock } from '../../iam/index.js';
import { type Principal, SENSITIVE } from '../../kernel/index.js';
import { DirectoryReach } from './directory-reach.js';
import { DirectoryRepository, type FoundDirectory } from './directory.repository.js';
import '../directory.messages.js';

/** Directory, with what the decision needs to know of the caller. */
export interface JudgedDirectory extends FoundDirectory {
  /** Whether its rules give a role that the caller could not give. */
  readonly exceedsCaller: boolean;
}

/** Permissions on the directories of an organization. */
@AbilityPolicy({ module: 'iam', entity: 'directory', collection: 'directories' })
export class DirectoryPolicy implements EntityPolicy<JudgedDirectory> {
  constructor(
    private readonly directories: DirectoryRepository,
    private readonly callers: CallerScopes,
    private readonly reach: DirectoryReach,
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
    const found = await this.directories.loadByIds(ids, context);
    const holds = await this.callers.findCallerScopes(principal, lock);
    const exceeds = await this.reach.createCheck(tenantId, userId, holds, lock);
    return new Map(
      [...found].map(([id, directory]) => [id, { ...directory, exceedsCaller: exceeds(directory.roleIds) }]),
    );
  }

  @Scope('read', { allowedWhenArchived: true })
  read(): true {
    return true;
  }

  @Scope('create', { on: 'tenants', impersonation: false })
  create(): true {
    return true;
  }

  @Scope('update', { impersonation: false })
  update({ exceedsCaller }: JudgedDirectory): true | Refusal {
    return !exceedsCaller || forbid('directory.exceeds-caller');
  }

  @Scope('delete', { impersonation: false })
  delete(): true {
    return true;
  }
}

/** Permissions on the tokens of directories, which are judged by their directory. */
@AbilityPolicy({ module: 'iam', entity: 'directory-token', collection: 'directory-tokens' })
export class DirectoryTokenPolicy extends PolicyWithoutEntity {
  /** Who holds a token says who is in a group, and so who has the roles of its rules. */
  @Scope('create', { on: 'directories', firstParty: true, ...SENSITIVE })
  create({ exceedsCaller }: JudgedDirectory): true | Refusal {
    return !exceedsCaller || forbid('directory.exceeds-caller');
  }

  @Scope('revoke', { on: 'directories', impersonation: false })
  revoke(): true {
    return true;
  }
}
