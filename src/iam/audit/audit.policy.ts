import { AbilityPolicy, PolicyWithoutEntity, Scope } from '../../ability/index.js';
import './audit.messages.js';

/** Permits to read the audit trail of an organization. Nothing else can be done with its events. */
@AbilityPolicy({ module: 'iam', entity: 'audit', collection: 'audit-events', title: 'scope.audit' })
export class AuditPolicy extends PolicyWithoutEntity {
  @Scope('read', {
    title: 'scope.audit.read',
    description: 'scope.audit.read.description',
    allowedWhenArchived: true,
    on: 'tenants',
  })
  read(): true {
    return true;
  }
}
