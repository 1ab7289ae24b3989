import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import type { LifecycleEvents } from '../../kernel/index.js';
import { PLATFORM } from '../../platform/events/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { matchesType, typesOfStream } from '../matching.js';
import { EndpointRepository } from './endpoint.repository.js';
import { EndpointStatusChanges } from './endpoint-status-changes.js';
import { EventReaders } from './event-readers.js';

/**
 * Stops subscriptions whose creator may no longer read what they receive. Between the change and
 * the review, nothing is delivered.
 */
@Injectable()
export class ScopeReview {
  constructor(
    private readonly database: Database,
    private readonly endpoints: EndpointRepository,
    private readonly readers: EventReaders,
    private readonly stops: EndpointStatusChanges,
  ) {}

  /** What an operator may do is no event of an organization. */
  @OnLifecycle('operator.ceased', 'operator.changed')
  async reviewOfOperator({ userId }: LifecycleEvents['operator.ceased']): Promise<void> {
    await this.endpoints.markForReview([PLATFORM], userId);
  }

  /**
   * Reviews one subscription that waits for it. Locks the scopes before the subscription, as
   * commands do.
   * @returns whether there was one
   */
  async step(): Promise<boolean> {
    const endpoint = await this.endpoints.findToReview();
    if (!endpoint) return false;
    const { tenantId, id } = endpoint;
    const types = typesOfStream(tenantId)
      .map(({ name }) => name)
      .filter((name) => endpoint.types.some((filter) => matchesType(filter, name)));
    await this.database.transaction(async () => {
      const mayRead = await this.readers.mayReadForShare(endpoint, types);
      const current = await this.endpoints.findForUpdate(tenantId, id);
      if (current && current.createdBy !== endpoint.createdBy) return; // taken over: review again
      if (!mayRead) await this.stops.stop(tenantId, id, 'scope-lost');
      await this.endpoints.endReview(tenantId, id, endpoint.review);
    });
    return true;
  }
}
