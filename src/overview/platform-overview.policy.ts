import { AbilityPolicy, BY_SUPPORT, PolicyWithoutEntity, Scope } from '../ability/index.js';
import './overview.messages.js';

/** Permits operators to see the figures of the platform. */
@AbilityPolicy({
  module: 'platform',
  entity: 'overview',
  collection: 'overview',
  title: 'scope.platform-overview',
})
export class PlatformOverviewPolicy extends PolicyWithoutEntity {
  @Scope('read', { ...BY_SUPPORT })
  read(): true {
    return true;
  }
}
