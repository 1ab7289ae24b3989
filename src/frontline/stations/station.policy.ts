import { AbilityPolicy, type EntityPolicy, type LoadContext, Scope } from '../../ability/index.js';
import { TenantLockedPolicy } from '../../iam/index.js';
import { StationRepository } from './station.repository.js';
import '../frontline.messages.js';

interface Judged {
  readonly id: string;
}

/** Permissions on the stations of an organization. */
@AbilityPolicy({ module: 'iam', entity: 'station', collection: 'stations' })
@Scope('read', { allowedWhenArchived: true, on: 'tenants' })
@Scope('create', { on: 'tenants', impersonation: false })
@Scope('update', { impersonation: false })
@Scope('delete', { impersonation: false })
export class StationPolicy extends TenantLockedPolicy implements EntityPolicy<Judged> {
  constructor(private readonly stations: StationRepository) {
    super();
  }

  load(ids: readonly string[], context: LoadContext): Promise<ReadonlyMap<string, Judged>> {
    return this.stations.loadByIds(ids, context);
  }
}
