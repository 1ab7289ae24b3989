import { AbilityPolicy, type EntityPolicy, Scope } from '../ability/index.js';
import { OPERATING } from '../kernel/index.js';
import './overview.messages.js';

/** Permits operators to see the figures of the platform. */
@AbilityPolicy({
  module: 'platform',
  entity: 'overview',
  collection: 'overview',
  title: 'scope.platform-overview',
})
export class PlatformOverviewPolicy implements EntityPolicy<unknown> {
  async load(): Promise<ReadonlyMap<string, unknown>> {
    return new Map();
  }

  @Scope('read', {
    title: 'scope.platform-overview.read',
    audience: 'operator',
    platformAccounts: true,
    operators: 'support',
    ...OPERATING,
  })
  read(): true {
    return true;
  }
}
