import {
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { newId, type TenantId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { type Bounds, DeliveryEngine, type Reservation, type Target } from '../../platform/delivery/index.js';
import type { FeedEvent } from '../../platform/events/index.js';
import { ChangeFeed } from '../../platform/live/index.js';
import { type Claim, ClaimsRepository, type Position, type Waiting } from './claims.repository.js';
import { Deliverer } from './deliverer.js';
import { EventBodies } from './event-body.js';

/** Channel by which a replica tells the others of new deliveries. */
const DELIVERIES_CHANNEL = 'gatehouse_webhook_deliveries';
/** Subscriptions that a notification names: it has 8,000 bytes at most. */
const MAX_NAMED = 100;
/** Notifications of an announcement: one of more subscriptions names none. */
const MAX_NOTIFICATIONS = 10;
/** Requests in flight of this replica. */
const LIMITS = { total: 1_500, unproven: 1_200, troubled: 300, each: 4 };

/** A claimed delivery, with its event; null if that has expired, or for a test. */
export type EventClaim = Claim & { readonly event: FeedEvent | null };

/** Delivers events to subscriptions (ADR 40). */
@Injectable()
export class Dispatcher implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private scanAll: () => void = () => undefined;
  /** Marks the notifications of this replica, which has claimed by then. */
  private readonly mark = newId();
  private readonly engine = new DeliveryEngine<Waiting, EventClaim>({
    name: 'Webhooks',
    limits: LIMITS,
    keyOf: ({ endpointId }) => ({ key: endpointId }),
    receiverOf: ({ tenantId, endpointId }) => ({ tenantId, endpointId }),
    claim: (targets, bounds) => this.claim(targets, bounds),
    isTroubled: ({ isTroubled = false }) => isTroubled,
    mayBeFollowed: ({ orderKey }) => orderKey !== null,
    send: (claim, aborting) => this.deliverer.deliver(claim, claim.event, aborting),
  });

  constructor(
    private readonly database: Database,
    private readonly feed: ChangeFeed,
    private readonly claims: ClaimsRepository,
    private readonly deliverer: Deliverer,
    private readonly bodies: EventBodies,
  ) {}

  onModuleInit(): void {
    this.feed.listen(DELIVERIES_CHANNEL, {
      changed: (named) => (named === '' ? this.scanAll() : this.claimForOthers(named)),
      lost: () => undefined,
    });
  }

  onApplicationBootstrap(): void {
    this.engine.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.engine.stop();
  }

  /** @param scanAll called after an announcement that names no subscriptions */
  onUnnamed(scanAll: () => void): void {
    this.scanAll = scanAll;
  }

  /**
   * Tells all replicas of new deliveries when the open transaction commits. Those of a subscription
   * that has not answered yet wait for its request, of which this replica alone learns the end.
   * @param endpoints of the deliveries; none if they may be any, or there is other work
   */
  async announce(endpoints: readonly Position[] = []): Promise<void> {
    const named = endpoints.filter((endpoint) => !this.engine.awaitsFirstAnswer(endpoint));
    if (endpoints.length === 0 || named.length > MAX_NAMED * MAX_NOTIFICATIONS)
      return this.feed.announce(DELIVERIES_CHANNEL, '');
    if (named.length > 0) await this.feed.notify(DELIVERIES_CHANNEL, ...formatPositions(named, this.mark));
    this.database.afterCommit(() => this.claimFor(endpoints));
  }

  /** Claims for subscriptions with due deliveries. */
  claimFor(endpoints: readonly Waiting[]): void {
    this.engine.claimFor(endpoints);
  }

  /** Claims for the subscriptions that another replica has announced. */
  private claimForOthers(named: string): void {
    if (!named.endsWith(this.mark)) this.claimFor(parsePositions(named));
  }

  /** Takes a slot for a new delivery; null if it must wait for a claim. */
  reserve(endpoint: Position): Reservation<EventClaim> | null {
    return this.engine.reserve(endpoint);
  }

  /** Claims deliveries. If their events cannot be read, returns the claims at once. */
  private async claim(targets: readonly Target<Waiting>[], bounds: Bounds): Promise<EventClaim[]> {
    const claims = await this.claims.claim(targets, bounds);
    if (claims.length === 0) return [];
    try {
      const events = await this.bodies.findEvents(claims);
      return claims.map((claim, n) => Object.assign(claim, { event: events[n] ?? null }));
    } catch (error) {
      for (const claim of claims) await this.claims.release(claim);
      throw error;
    }
  }
}

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
