import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { type Emitter, Events, PLATFORM } from '../../platform/events/index.js';
import { SubscriptionDisabled } from '../webhook.events.js';
import type { DisabledReason } from './endpoint.entity.js';
import { EndpointMails } from './endpoint-mails.js';
import { EndpointRepository } from './endpoint.repository.js';

/** Reasons that owners and operators can do something about: at the receiver. */
const OF_RECEIVER: ReadonlySet<DisabledReason> = new Set(['failing', 'gone', 'refused-by-receiver']);

/** Disables subscriptions for a reason that their owners see. */
@Injectable()
export class EndpointStop {
  private readonly disabled: Emitter<SubscriptionDisabled>;

  constructor(
    private readonly database: Database,
    private readonly endpoints: EndpointRepository,
    private readonly mails: EndpointMails,
    events: Events,
  ) {
    this.disabled = events.emitter(SubscriptionDisabled);
  }

  /**
   * Disables a subscription and tells other ones. Mails those who manage it if its receiver
   * failed.
   */
  async disable(tenantId: TenantId, id: string, reason: DisabledReason): Promise<void> {
    await this.database.transaction(async () => {
      if (!(await this.endpoints.disable(tenantId, id, reason))) return;
      await this.disabled.emit({
        tenantIds: tenantId === PLATFORM ? [] : [tenantId],
        subject: `webhooks/subscriptions/${id}`,
        actorId: null,
        data: { subscriptionId: id, reason },
      });
      if (OF_RECEIVER.has(reason)) await this.mails.queue(tenantId, id);
    });
  }
}
