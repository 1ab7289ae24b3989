import { Injectable } from '@nestjs/common';
import { EventFeed } from '../../platform/events/index.js';
import { DeliveryRepository } from '../deliveries/delivery.repository.js';
import { type Endpoint, EndpointRepository } from '../endpoints/endpoint.repository.js';
import { typesOfStream, wants } from '../matching.js';

/** Events of one step, of which each subscription has one a second. */
const STEP = 100;

/** Replays events to subscriptions, at a bounded rate. */
@Injectable()
export class Recovery {
  constructor(
    private readonly endpoints: EndpointRepository,
    private readonly deliveries: DeliveryRepository,
    private readonly feed: EventFeed,
  ) {}

  /**
   * Adds the deliveries of the next events of one replay, in the open transaction. Skips what was
   * delivered, so that a second replay changes nothing.
   * @returns whether there was one
   */
  async step(): Promise<boolean> {
    const endpoint = await this.endpoints.findRecoveringForUpdate();
    if (!endpoint) return false;
    const { tenantId, id, recoverFrom } = endpoint;
    const until = endpoint.recoverUntil === null ? Infinity : Number(endpoint.recoverUntil);
    const types = typesOfStream(tenantId).map(({ name }) => name);
    const after = Number(endpoint.recoverAfter);
    const page = await this.feed.read(tenantId, { after, limit: STEP, types });
    const since = recoverFrom ?? new Date(0);
    const wanted = page.events.filter(
      (event) => event.sequence <= until && event.createdAt >= since && wants(endpoint, event),
    );
    const kept = await this.deliveries.findKept(
      tenantId,
      id,
      wanted.map((event) => event.id),
    );
    const missed = wanted.filter((event) => !kept.has(event.id));
    const planned = await this.deliveries.plan(
      missed.map((event) => ({ event, endpoint: endpoint satisfies Endpoint })),
    );
    await this.deliveries.insert(planned);
    const isOver = !page.more || page.after >= until;
    await this.endpoints.setRecovery(tenantId, id, isOver ? null : page.after);
    return true;
  }
}
