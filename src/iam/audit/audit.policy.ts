import { AbilityPolicy, PolicyWithoutEntity, Scope } from '../../ability/index.js';
import './audit.messages.js';

/** Permits to read the audit trail of an organization. Nothing else can be done with its events. */
@AbilityPolicy({ module: 'iam', entity: 'audit', collection: 'audit-events' })
@Scope('read', { allowedWhenArchived: true, on: 'tenants' })
export class AuditPolicy extends PolicyWithoutEntity {}
