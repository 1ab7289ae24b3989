import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../iam/index.js';
import type { TenantId, UserId } from '../../kernel/index.js';
import { PLATFORM } from '../../platform/events/index.js';

/** What was done to a subscription. */
interface Deed {
  /** Person who did it; the creator of the subscription for what the service did. */
  readonly actorId: UserId;
  readonly action: `webhook.${string}`;
}

/** Returns the subject of what happens to a subscription, in the audit trail and in events. */
export const subjectOf = (id: string): string => `webhooks/subscriptions/${id}`;

/**
 * Records what is done to subscriptions in the audit trail, only by ids: addresses can contain
 * secrets.
 */
@Injectable()
export class EndpointTrail {
  constructor(private readonly audit: AuditTrail) {}

  /** Records it in the open transaction. What operators do belongs to no organization. */
  record(tenantId: TenantId, id: string, { actorId, action }: Deed): Promise<void> {
    const organization = tenantId === PLATFORM ? null : tenantId;
    return this.audit.record({ actorId, tenantId: organization, action, subject: subjectOf(id) });
  }
}
