import { AbilityPolicy, type EntityPolicy, Scope } from '../../ability/index.js';
import { OPERATING } from '../../kernel/index.js';
import '../operator.messages.js';

/** Permission to ask what anyone may do, for service accounts of the platform. */
@AbilityPolicy({
  module: 'platform',
  entity: 'decision',
  collection: 'questions',
  title: 'scope.platform-decision',
})
export class OperatedDecisionPolicy implements EntityPolicy<unknown> {
  async load(): Promise<ReadonlyMap<string, unknown>> {
    return new Map();
  }

  @Scope('read', {
    title: 'scope.platform-decision.read',
    audience: 'operator',
    platformAccounts: true,
    ...OPERATING,
  })
  read(): true {
    return true;
  }
}
