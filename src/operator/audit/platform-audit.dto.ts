import { AuditQuery } from '../../iam/index.js';
import { Input } from '../../platform/api/index.js';

/** Query of the audit trail of the platform. */
export class PlatformAuditQuery extends AuditQuery {
  @Input.ulid({
    optional: true,
    description: 'Lists only events of this organization.',
    example: '01K3V9D7Q8Z4X5N6M7P8R9S0T3',
  })
  tenantId?: string;
}
