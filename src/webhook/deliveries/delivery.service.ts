import { Injectable } from '@nestjs/common';
import type { Principal, TenantId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { AppError } from '../../platform/errors/index.js';
import { EndpointRepository } from '../endpoints/endpoint.repository.js';
import { EndpointTrail } from '../endpoints/endpoint-trail.js';
import { EventReaders } from '../endpoints/event-readers.js';
import { requireEnabled } from '../endpoints/endpoint-check.js';
import { Dispatcher } from '../engine/dispatcher.js';
import { type EventBody, EventBodies } from '../engine/event-body.js';
import { matchesType, typesOfStream } from '../matching.js';
import { type Attempt, type Delivery, DeliveryRepository } from './delivery.repository.js';

/** A delivery with its attempts, and with the event that is sent, if the caller may read it. */
export interface DeliveryDetails {
  readonly delivery: Delivery;
  readonly attempts: readonly Attempt[];
  readonly event: EventBody | null;
}

/** Lists deliveries, delivers again, sends tests. The caller has checked the permission before. */
@Injectable()
export class DeliveryService {
  constructor(
    private readonly deliveries: DeliveryRepository,
    private readonly endpoints: EndpointRepository,
    private readonly dispatcher: Dispatcher,
    private readonly bodies: EventBodies,
    private readonly readers: EventReaders,
    private readonly trail: EndpointTrail,
  ) {}

  list(tenantId: TenantId, endpointId: string, page: Page, state: string | undefined): Promise<Delivery[]> {
    return this.deliveries.list(tenantId, endpointId, page, state ?? null);
  }

  /** @throws {AppError} not-found */
  async get(tenantId: TenantId, caller: Principal, id: string): Promise<DeliveryDetails> {
    const delivery = await this.deliveries.find(tenantId, id);
    if (!delivery) throw new AppError('not-found');
    const attempts = await this.deliveries.listAttempts(tenantId, id);
    const mayRead = (await this.readers.createCheck(tenantId, caller, false))(delivery.type);
    return { delivery, attempts, event: mayRead ? await this.findEvent(delivery) : null };
  }

  /** Returns what is sent, as the feed lists it; null once the event has expired. */
  private findEvent(delivery: Delivery): Promise<EventBody | null> {
    return this.bodies.build({
      ...delivery,
      sequence: Number(delivery.sequence),
      personalData: false,
    });
  }

  /**
   * Sends a finished delivery again, with the same `webhook-id`.
   * @throws {AppError} conflict if it is not finished, or the subscription is disabled; not-found
   */
  async redeliver(tenantId: TenantId, caller: Principal, id: string): Promise<void> {
    const delivery = await this.deliveries.find(tenantId, id);
    const endpoint = delivery && (await this.endpoints.findForUpdate(tenantId, delivery.endpointId));
    if (!endpoint) throw new AppError('not-found');
    requireEnabled(endpoint);
    if (!(await this.deliveries.redeliver(tenantId, id)))
      throw new AppError('conflict', { reason: { id: 'webhook.delivery-not-finished' } });
    const { userId: actorId } = caller;
    await this.trail.record(tenantId, endpoint.id, { actorId, action: 'webhook.redelivered' });
    await this.dispatcher.announce();
  }

  /**
   * Sends a test only to this subscription.
   * @param type default: the first type that it matches
   * @returns the id of the delivery
   * @throws {AppError} validation-error on `type` for one that the caller may not read; conflict if
   *   the subscription is disabled; not-found
   */
  async sendTest(
    tenantId: TenantId,
    caller: Principal,
    id: string,
    type: string | undefined,
  ): Promise<string> {
    const endpoint = await this.endpoints.find(tenantId, id);
    if (!endpoint) throw new AppError('not-found');
    requireEnabled(endpoint);
    const names = typesOfStream(tenantId).map(({ name }) => name);
    const matched = names.find((name) => endpoint.types.some((filter) => matchesType(filter, name)));
    const chosen = type ?? matched;
    if (chosen === undefined || !names.includes(chosen))
      throw AppError.violation('type', { id: 'webhook.unknown-type' });
    if (!(await this.readers.createCheck(tenantId, caller, true))(chosen))
      throw AppError.violation('type', { id: 'webhook.type-not-readable' });
    const deliveryId = await this.deliveries.addTest(tenantId, id, chosen);
    await this.trail.record(tenantId, id, { actorId: caller.userId, action: 'webhook.test-sent' });
    await this.dispatcher.announce();
    return deliveryId;
  }
}
