import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import { EventSequencer, PLATFORM, type StreamedEvent } from '../../platform/events/index.js';
import { DeliveryRepository } from '../deliveries/delivery.repository.js';
import { EndpointRepository, type ReceivingEndpoint } from '../endpoints/endpoint.repository.js';
import { DirectDeliveries } from './direct-deliveries.js';
import { Dispatcher } from './dispatcher.js';
import { wants } from '../matching.js';

/** Types after which the scopes of subscribers may be others. */
const CHANGES_SCOPES = /^iam\.(?:role|member|account|service-account|tenant\.ownership)\b/;
/** Types by which an organization is archived or restored. */
const PAUSES: Readonly<Record<string, boolean>> = {
  'iam.tenant.archived': true,
  'iam.tenant.restored': false,
};

/** Makes the deliveries of numbered events, in their transaction. */
@Injectable()
export class FanOut implements OnModuleInit {
  constructor(
    private readonly sequencer: EventSequencer,
    private readonly endpoints: EndpointRepository,
    private readonly deliveries: DeliveryRepository,
    private readonly direct: DirectDeliveries,
    private readonly dispatcher: Dispatcher,
  ) {}

  onModuleInit(): void {
    this.sequencer.consume((events) => this.addDeliveries(events));
  }

  private async addDeliveries(events: readonly StreamedEvent[]): Promise<void> {
    const byTenant = Map.groupBy(events, ({ tenantId }) => tenantId);
    await this.pause(events);
    const isReviewed = await this.markForReview(byTenant);
    const found = await this.endpoints.listReceiving([...byTenant.keys()]);
    const ready: ReceivingEndpoint[] = [];
    for (const endpoint of found) ready.push(...(await this.lockIfOrdered(endpoint)));
    const deliveries = ready.flatMap((endpoint) =>
      (byTenant.get(endpoint.tenantId) ?? [])
        .filter((event) => wants(endpoint, event))
        .map((event) => ({ event, endpoint })),
    );
    const waiting = await this.direct.add(deliveries);
    if (isReviewed) await this.dispatcher.announce();
    if (waiting.length > 0) await this.dispatcher.announce(waiting);
  }

  /** Locks a subscription with an order, so that no delivery ends while the next one is added. */
  private async lockIfOrdered(endpoint: ReceivingEndpoint): Promise<ReceivingEndpoint[]> {
    if (endpoint.ordering === 'none') return [endpoint];
    const locked = await this.endpoints.findForUpdate(endpoint.tenantId, endpoint.id);
    return locked && locked.status !== 'disabled' ? [{ ...locked, hasDue: endpoint.hasDue }] : [];
  }

  /** The last one counts, as an organization can be archived and restored in one batch. */
  private async pause(events: readonly StreamedEvent[]): Promise<void> {
    for (const { tenantId, type } of events) {
      const paused = PAUSES[type];
      if (paused === undefined || tenantId === PLATFORM) continue;
      await this.endpoints.setPaused([tenantId], paused);
      if (!paused) await this.deliveries.promoteFirst(tenantId, null);
    }
  }

  /** Holds back the subscriptions of organizations in which scopes may have changed. */
  private async markForReview(byTenant: ReadonlyMap<TenantId, readonly StreamedEvent[]>): Promise<boolean> {
    const affected = [...byTenant].filter(([, events]) =>
      events.some(({ type }) => CHANGES_SCOPES.test(type)),
    );
    return affected.length > 0 && this.endpoints.markForReview(affected.map(([tenantId]) => tenantId));
  }
}
