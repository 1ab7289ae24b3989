import { AbilityPolicy, Scope, type EntityPolicy } from '../../ability/index.js';

/** Permits to read the audit trail of an organization. Nothing else can be done with its events. */
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
