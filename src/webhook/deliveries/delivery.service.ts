import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { AppError } from '../../platform/errors/index.js';
import { EndpointRepository } from '../endpoints/endpoint.repository.js';
import { requireEnabled } from '../endpoints/require-enabled.js';
import { Dispatcher } from '../engine/dispatcher.js';
import { type Attempt, type Delivery, DeliveryRepository } from './delivery.repository.js';

/** Lists deliveries, and delivers again. The caller has checked the permission before. */
@Injectable()
export class DeliveryService {
  constructor(
    private readonly deliveries: DeliveryRepository,
    private readonly endpoints: EndpointRepository,
    private readonly dispatcher: Dispatcher,
  ) {}

  list(tenantId: TenantId, endpointId: string, page: Page, state: string | undefined): Promise<Delivery[]> {
    return this.deliveries.list(tenantId, endpointId, page, state ?? null);
  }

  /** @throws {AppError} not-found */
  async get(
    tenantId: TenantId,
    id: string,
  ): Promise<{ readonly delivery: Delivery; readonly attempts: Attempt[] }> {
    const delivery = await this.deliveries.find(tenantId, id);
    if (!delivery) throw new AppError('not-found');
    return { delivery, attempts: await this.deliveries.listAttempts(tenantId, id) };
  }

  /**
   * Sends a finished delivery again, with the same `webhook-id`.
   * @throws {AppError} conflict if it is not finished, or the subscription is disabled; not-found
   */
  async redeliver(tenantId: TenantId, id: string): Promise<void> {
    const delivery = await this.deliveries.find(tenantId, id);
    const endpoint = delivery && (await this.endpoints.findForUpdate(tenantId, delivery.endpointId));
    if (!endpoint) throw new AppError('not-found');
    requireEnabled(endpoint);
    if (!(await this.deliveries.redeliver(tenantId, id)))
      throw new AppError('conflict', { reason: { id: 'webhook.delivery-not-finished' } });
    await this.dispatcher.announce();
  }
}
