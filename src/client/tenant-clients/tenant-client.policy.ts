import { AbilityPolicy, type EntityPolicy, type LoadContext, Scope } from '../../ability/index.js';
import { MembershipDirectory, TenantLock } from '../../iam/index.js';
import { type Principal, SENSITIVE, type TenantId } from '../../kernel/index.js';
import '../client.messages.js';

const BY_APP = { firstParty: true, ...SENSITIVE } as const;

/**
 * Permissions on the clients of an organization, all judged by the id of the organization. A client
 * receives the sign-ins of members: changes are reserved for the first-party app and need a recent
 * sign-in.
 */
@AbilityPolicy({ module: 'iam', entity: 'client', collection: 'client-registries' })
export class TenantClientPolicy implements EntityPolicy<TenantId> {
  constructor(
    private readonly directory: MembershipDirectory,
    private readonly tenantLock: TenantLock,
  ) {}

  /** Loads the selected tenant and no other. */
  async load(ids: readonly string[], { principal, lock }: LoadContext): Promise<Map<string, TenantId>> {
    const { tenantId } = principal;
    if (tenantId === null || !ids.includes(tenantId)) return new Map();
    const state = await this.directory.findState(tenantId, lock);
    return new Map(state?.deletionStarted === false ? [[tenantId, tenantId]] : []);
  }

  defaultSubject({ tenantId }: Principal): string | null {
    return tenantId;
  }

  lock(principal: Principal): Promise<void> {
    return this.tenantLock.lockSelectedForUpdate(principal);
  }

  @Scope('read', { allowedWhenArchived: true })
  read(): true {
    return true;
  }

  @Scope('create', { ...BY_APP })
  create(): true {
    return true;
  }

  @Scope('update', { ...BY_APP })
  update(): true {
    return true;
  }

  @Scope('rotate-secret', { ...BY_APP })
  rotateSecret(): true {
    return true;
  }

  @Scope('delete', { ...BY_APP })
  delete(): true {
    return true;
  }
}
