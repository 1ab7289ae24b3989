import { AbilityPolicy, PolicyWithoutEntity, Scope } from '../ability/index.js';
import './overview.messages.js';

/** Permits to see the figures of an organization. */
@AbilityPolicy({ module: 'iam', entity: 'overview', collection: 'overview', title: 'scope.overview' })
export class OverviewPolicy extends PolicyWithoutEntity {
  @Scope('read', {
    title: 'scope.overview.read',
    description: 'scope.overview.read.description',
    allowedWhenArchived: true,
    on: 'tenants',
  })
  read(): true {
    return true;
  }
}
