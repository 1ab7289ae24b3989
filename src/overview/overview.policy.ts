import { AbilityPolicy, PolicyWithoutEntity, Scope } from '../ability/index.js';
import './overview.messages.js';

/** Permits to see the figures of an organization. */
@AbilityPolicy({ module: 'iam', entity: 'overview', collection: 'overview' })
export class OverviewPolicy extends PolicyWithoutEntity {
  @Scope('read', { allowedWhenArchived: true, on: 'tenants' })
  read(): true {
    return true;
  }
}
