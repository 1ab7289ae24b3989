import { Injectable } from '@nestjs/common';
import type { TenantId, UserId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { type Emitter, Events, PLATFORM } from '../../platform/events/index.js';
import { DeliveryRepository } from '../deliveries/delivery.repository.js';
import { SubscriptionDisabled } from '../webhook.events.js';
import type { DisabledReason } from './endpoint.entity.js';
import { EndpointMails } from './endpoint-mails.js';
import { type Endpoint, EndpointRepository } from './endpoint.repository.js';
import { EndpointTrail, subjectOf } from './endpoint-trail.js';

/** Why the service disables a subscription. */
export type StopReason = Exclude<DisabledReason, 'by-user'>;

/** Reasons that owners and operators can do something about: at the receiver. */
const OF_RECEIVER: ReadonlySet<DisabledReason> = new Set(['failing', 'gone', 'refused-by-receiver']);

/** Enables subscriptions, and disables them for a reason that their owners see. */
@Injectable()
export class EndpointStatusChanges {
  private readonly disabled: Emitter<SubscriptionDisabled>;

  constructor(
    private readonly database: Database,
    private readonly endpoints: EndpointRepository,
    private readonly deliveries: DeliveryRepository,
    private readonly mails: EndpointMails,
    private readonly trail: EndpointTrail,
    events: Events,
  ) {
    this.disabled = events.emitter(SubscriptionDisabled);
  }

  /** Enables a subscription by a person. Does nothing if it is enabled. */
  async enableBy(actorId: UserId, tenantId: TenantId, id: string): Promise<void> {
    if (!(await this.endpoints.enable(tenantId, id))) return;
    await this.deliveries.promoteFirst(tenantId, id);
    await this.trail.record(tenantId, id, { actorId, action: 'webhook.enabled' });
  }

  /** Disables a subscription by a person. Does nothing if it is disabled. */
  async disableBy(actorId: UserId, tenantId: TenantId, id: string): Promise<void> {
    if (await this.disableAs(tenantId, id, { reason: 'by-user', actorId }))
      await this.trail.record(tenantId, id, { actorId, action: 'webhook.disabled' });
  }

  /**
   * Disables a subscription by the service. Mails those who manage it if its receiver failed. Does
   * nothing if it is disabled.
   */
  async stop(tenantId: TenantId, id: string, reason: StopReason): Promise<void> {
    await this.database.transaction(async () => {
      const stopped = await this.disableAs(tenantId, id, { reason, actorId: null });
      if (!stopped) return;
      await this.trail.record(tenantId, id, { actorId: stopped.createdBy, action: 'webhook.stopped' });
      if (OF_RECEIVER.has(reason)) await this.mails.queue(tenantId, id);
    });
  }

  /** Disables it and tells other subscriptions. @returns null if it is disabled already */
  private async disableAs(
    tenantId: TenantId,
    id: string,
    { reason, actorId }: { readonly reason: DisabledReason; readonly actorId: UserId | null },
  ): Promise<Pick<Endpoint, 'createdBy'> | null> {
    const disabled = await this.endpoints.disable(tenantId, id, reason);
    if (!disabled) return null;
    await this.disabled.emit({
      tenantIds: tenantId === PLATFORM ? [] : [tenantId],
      subject: subjectOf(id),
      actorId,
      data: { subscriptionId: id, reason },
    });
    return disabled;
  }
}
