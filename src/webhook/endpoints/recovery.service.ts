import { Injectable } from '@nestjs/common';
import type { Principal, TenantId } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import { EVENT_DAYS, EventFeed } from '../../platform/events/index.js';
import { Dispatcher } from '../engine/dispatcher.js';
import { EndpointTrail } from './endpoint-trail.js';
import { EndpointRepository } from './endpoint.repository.js';
import { requireEnabled } from './endpoint-check.js';

const DAY_MS = 86_400_000;

/** Starts and stops replays to subscriptions. The caller has checked the permission before. */
@Injectable()
export class RecoveryService {
  constructor(
    private readonly endpoints: EndpointRepository,
    private readonly feed: EventFeed,
    private readonly dispatcher: Dispatcher,
    private readonly trail: EndpointTrail,
  ) {}

  /**
   * Starts to deliver the events since a time that were not delivered.
   * @throws {AppError} validation-error on `since` if they have expired, or for a time to come;
   *   not-found; conflict if the subscription is disabled
   */
  async start(tenantId: TenantId, caller: Principal, id: string, since: string): Promise<void> {
    const endpoint = (await this.endpoints.findForUpdate(tenantId, id)) ?? AppError.notFound();
    const time = new Date(since);
    if (time.getTime() < Date.now() - EVENT_DAYS * DAY_MS)
      throw AppError.violation('since', { id: 'webhook.since-expired', values: { days: EVENT_DAYS } });
    if (time.getTime() > Date.now()) throw AppError.violation('since', { id: 'webhook.since-future' });
    requireEnabled(endpoint);
    const { after, last } = await this.feed.findPosition(tenantId, time);
    await this.endpoints.startRecovery(tenantId, id, { since: time, after, until: last });
    await this.trail.record(tenantId, id, { actorId: caller.userId, action: 'webhook.recovery-started' });
    await this.dispatcher.announce();
  }

  /** Stops a replay. What it has added is delivered. */
  async cancel(tenantId: TenantId, caller: Principal, id: string): Promise<void> {
    if (await this.endpoints.cancelRecovery(tenantId, id))
      await this.trail.record(tenantId, id, { actorId: caller.userId, action: 'webhook.recovery-cancelled' });
  }
}
