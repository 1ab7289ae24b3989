import { AbilityPolicy, Scope, type EntityPolicy } from '../../ability/index.js';

/** Who may read an organization's audit trail. Its events cannot be changed, so there is nothing else to judge. */
@AbilityPolicy({ module: 'iam', entity: 'audit', collection: 'audit-events' })
export class AuditPolicy implements EntityPolicy<unknown> {
  async load(): Promise<ReadonlyMap<string, unknown>> {
    return new Map();
  }

  @Scope('read', { allowedWhenArchived: true, on: 'tenants' })
  read(): true {
    return true;
  }
}
