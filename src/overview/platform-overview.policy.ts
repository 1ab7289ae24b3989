import { AbilityPolicy, BY_SUPPORT, PolicyWithoutEntity, Scope } from '../ability/index.js';
import './overview.messages.js';

/** Permits operators to see the figures of the platform. */
@AbilityPolicy({
  module: 'platform',
  entity: 'overview',
  collection: 'overview',
  title: 'scope.platform-overview',
})
@Scope('read', { ...BY_SUPPORT })
export class PlatformOverviewPolicy extends PolicyWithoutEntity {}
