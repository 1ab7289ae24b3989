import {
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { newId, type TenantId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { DeliveryEngine, type Reservation } from '../../platform/delivery/index.js';
import { ChangeFeed } from '../../platform/live/index.js';
import { ScopeReview } from '../endpoints/scope-review.js';
import { ClaimsRepository, type Position, type Subscriber } from './claims.repository.js';
import { Deliverer, type EventClaim } from './deliverer.js';
import { Recovery } from './recovery.js';

/** Channel by which a replica tells the others of new deliveries. */
const DELIVERIES_CHANNEL = 'gatehouse_webhook_deliveries';
/** Subscriptions that a notification names: it has 8,000 bytes at most. */
const MAX_NAMED = 100;
/** Notifications of an announcement: one of more subscriptions names none. */
const MAX_NOTIFICATIONS = 10;
/** Requests in flight of this replica. */
const LIMITS = { total: 1_500, untried: 1_200, failing: 300, each: 4 };

/** Interval at which retries, probes, reviews and replays are looked for. */
const SCAN_MS = 500;
/** Interval at which expired claims are returned. */
const LEASES_MS = 5_000;

/**
 * Delivers events to subscriptions (ADR 40): new ones by a reserved slot, others by claims, both by
 * the {@link Deliverer}.
 */
@Injectable()
export class Dispatcher implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private leasesAt = 0;
  /** Marks the notifications of this replica, which has claimed by then. */
  private readonly mark = newId();
  private readonly engine = new DeliveryEngine<Subscriber, EventClaim>({
    name: 'Webhooks',
    limits: LIMITS,
    scanMs: SCAN_MS,
    prepare: () => this.prepare(),
    list: (after, limit) => this.claims.listWaiting(after, limit),
    claim: (targets, bounds) => this.deliverer.claim(targets, bounds),
    send: (claim, aborting) => this.deliverer.deliver(claim, aborting),
  });

  constructor(
    private readonly database: Database,
    private readonly feed: ChangeFeed,
    private readonly claims: ClaimsRepository,
    private readonly deliverer: Deliverer,
    private readonly recovery: Recovery,
    private readonly review: ScopeReview,
  ) {}

  onModuleInit(): void {
    this.feed.listen(DELIVERIES_CHANNEL, {
      changed: (named) => (named === '' ? this.engine.scanAll() : this.claimForOthers(named)),
      lost: () => undefined,
    });
  }

  onApplicationBootstrap(): void {
    this.engine.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.engine.stop();
  }

  /**
   * Tells all replicas of new deliveries when the open transaction commits. Those of a subscription
   * that has not answered yet wait for its request, of which this replica alone learns the end.
   * @param endpoints of the deliveries; none if they may be any, or there is other work
   */
  async announce(endpoints: readonly Position[] = []): Promise<void> {
    const named = endpoints.filter((endpoint) => !this.engine.awaitsFirstAnswer(subscriberOf(endpoint)));
    if (endpoints.length === 0 || named.length > MAX_NAMED * MAX_NOTIFICATIONS)
      return this.feed.announce(DELIVERIES_CHANNEL, '');
    if (named.length > 0) await this.feed.notify(DELIVERIES_CHANNEL, ...formatPositions(named, this.mark));
    this.database.afterCommit(() => this.engine.claimFor(endpoints.map(subscriberOf)));
  }

  /** Claims for the subscriptions that another replica has announced. */
  private claimForOthers(named: string): void {
    if (!named.endsWith(this.mark)) this.engine.claimFor(parsePositions(named).map(subscriberOf));
  }

  /** Takes a slot for a new delivery; null if it must wait for a claim. */
  reserve(endpoint: Position): Reservation<EventClaim> | null {
    return this.engine.reserve(subscriberOf(endpoint));
  }

  /**
   * Returns expired claims, and takes the next step of reviews and replays.
   * @returns whether there may be a further step
   */
  private async prepare(): Promise<boolean> {
    if (performance.now() >= this.leasesAt) {
      await this.claims.returnExpired();
      this.leasesAt = performance.now() + LEASES_MS;
    }
    const hasReviewed = await this.review.step();
    const hasRecovered = await this.database.transaction(() => this.recovery.step());
    return hasReviewed || hasRecovered;
  }
}

const subscriberOf = ({ tenantId, endpointId }: Position): Subscriber => ({
  tenantId,
  endpointId,
  key: endpointId,
});

/**
 * Formats subscriptions for notifications.
 * @param mark of this replica; other releases read two words of each subscription and no third
 */
const formatPositions = (endpoints: readonly Position[], mark: string): string[] =>
  Array.from({ length: Math.ceil(endpoints.length / MAX_NAMED) }, (_, n) => {
    const part = endpoints.slice(n * MAX_NAMED, (n + 1) * MAX_NAMED);
    return `${part.map(({ tenantId, endpointId }) => `${tenantId} ${endpointId}`).join(',')} ${mark}`;
  });

/** Reads what {@link formatPositions} has written. */
function parsePositions(text: string): Position[] {
  const pairs = text.split(',').map((pair) => pair.split(' '));
  return pairs.flatMap(([tenantId, endpointId]) =>
    tenantId === undefined || endpointId === undefined
      ? []
      : [{ tenantId: tenantId as TenantId, endpointId }],
  );
}
