import { AbilityPolicy, type EntityPolicy, Scope } from '../../ability/index.js';
import { OPERATING } from '../../kernel/index.js';
import '../operator.messages.js';

/** Permits operators to read the audit trail of the platform. */
@AbilityPolicy({
  module: 'platform',
  entity: 'audit',
  collection: 'trail',
  title: 'scope.platform-audit',
})
export class PlatformAuditPolicy implements EntityPolicy<unknown> {
  async load(): Promise<ReadonlyMap<string, unknown>> {
    return new Map();
  }

  @Scope('read', {
    title: 'scope.platform-audit.read',
    audience: 'operator',
    platformAccounts: true,
    operators: 'support',
    ...OPERATING,
  })
  read(): true {
    return true;
  }
}
