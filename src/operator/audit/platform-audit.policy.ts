import { AbilityPolicy, BY_SUPPORT, PolicyWithoutEntity, Scope } from '../../ability/index.js';
import '../operator.messages.js';

/** Permits operators to read the audit trail of the platform. */
@AbilityPolicy({ module: 'platform', entity: 'audit', collection: 'trail', title: 'scope.platform-audit' })
@Scope('read', { ...BY_SUPPORT })
export class PlatformAuditPolicy extends PolicyWithoutEntity {}
