import { AbilityPolicy, type EntityPolicy, type LoadContext, Scope } from '../../ability/index.js';
import { TenantLock } from '../../iam/index.js';
import type { Principal } from '../../kernel/index.js';
import { StationRepository } from './station.repository.js';
import '../frontline.messages.js';

interface Judged {
  readonly id: string;
}

/** Permissions on the stations of an organization. */
@AbilityPolicy({ module: 'iam', entity: 'station', collection: 'stations' })
export class StationPolicy implements EntityPolicy<Judged> {
  constructor(
    private readonly stations: StationRepository,
    private readonly tenantLock: TenantLock,
  ) {}

  load(ids: readonly string[], context: LoadContext): Promise<ReadonlyMap<string, Judged>> {
    return this.stations.loadByIds(ids, context);
  }

  lock(principal: Principal): Promise<void> {
    return this.tenantLock.lockSelectedForUpdate(principal);
  }

  @Scope('read', { allowedWhenArchived: true, on: 'tenants' })
  read(): true {
    return true;
  }

  @Scope('create', { on: 'tenants', impersonation: false })
  create(): true {
    return true;
  }

  @Scope('update', { impersonation: false })
  update(): true {
    return true;
  }

  @Scope('delete', { impersonation: false })
  delete(): true {
    return true;
  }
}
