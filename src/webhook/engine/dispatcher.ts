import { setImmediate as endOfTurn } from 'node:timers/promises';
import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { describeCause } from '../../platform/errors/index.js';
import { type FeedEvent, WakingLoop } from '../../platform/events/index.js';
import { ChangeFeed } from '../../platform/live/index.js';
import { type Claim, ClaimsRepository, type Position } from './claims.repository.js';
import { Deliverer } from './deliverer.js';
import { EventBodies } from './event-body.js';
import { ScopeReview } from '../endpoints/scope-review.js';
import { Recovery } from './recovery.js';
import { Slots } from './slots.js';

/** Channel by which a replica tells the others of new deliveries. */
const DELIVERIES_CHANNEL = 'gatehouse_webhook_deliveries';
/** Interval at which retries and probes are looked for. */
const POLL_MS = 500;
/** Shortest time between claims for slots that became free: those that do in it share a claim. */
const MIN_PAUSE_MS = 5;
/** Subscriptions that an announcement names: a notification has 8,000 bytes at most. */
const MAX_ANNOUNCED = 100;
/** Interval at which expired claims are returned. */
const LEASES_MS = 5_000;
/**
 * Time for requests in flight at shutdown; then they are aborted, and another replica sends them
 * again.
 */
const STOP_GRACE_MS = 3_000;

/** Claims due deliveries and sends them (ADR 40). Each replica runs one. */
@Injectable()
export class Dispatcher implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Webhooks');
  private readonly slots = new Slots();
  private readonly inFlight = new Set<Promise<void>>();
  /** Subscriptions to claim for: those with new deliveries, or a slot that became free. */
  private readonly targets = new Map<string, Position>();
  /** Time of the next claim for any subscriptions. */
  private anyAt = 0;
  private readonly aborting = new AbortController();
  private leasesAt = 0;
  /** Time of the next look for reviews and replays: at once after an announcement. */
  private choresAt = 0;
  /** Resolves when the deliveries to unproven receivers that were claimed so far have begun. */
  private turns: Promise<unknown> = Promise.resolve();
  /** Duration of the last claim, in milliseconds. */
  private claimMs = 0;
  private claiming: NodeJS.Timeout | undefined;
  /** Subscription with which the last full claim ended: the next one begins after it. */
  private after: Position | null = null;
  private readonly loop = new WakingLoop(
    () => this.run(),
    (error) =>
      this.logger.warn({ cause: describeCause(error) }, 'Deliveries wait: the database did not answer.'),
    POLL_MS,
  );

  constructor(
    private readonly database: Database,
    private readonly feed: ChangeFeed,
    private readonly claims: ClaimsRepository,
    private readonly deliverer: Deliverer,
    private readonly bodies: EventBodies,
    private readonly recovery: Recovery,
    private readonly review: ScopeReview,
  ) {}

  onModuleInit(): void {
    this.feed.listen(DELIVERIES_CHANNEL, {
      changed: (named) => this.wake(parsePositions(named)),
      lost: () => undefined,
    });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
    const timer = setTimeout(() => this.aborting.abort(), STOP_GRACE_MS);
    await Promise.all(this.inFlight);
    clearTimeout(timer);
  }

  /**
   * Tells all replicas of new deliveries when the open transaction commits.
   * @param endpoints of the deliveries; none if they may be any, or there is other work
   */
  announce(endpoints: readonly Position[] = []): Promise<void> {
    const isNamed = endpoints.length <= MAX_ANNOUNCED;
    return this.feed.announce(DELIVERIES_CHANNEL, isNamed ? formatPositions(endpoints) : '');
  }

  /** @param endpoints to claim for; none for any, and for chores */
  private wake(endpoints: readonly Position[]): void {
    if (endpoints.length === 0) this.choresAt = this.anyAt = 0;
    for (const endpoint of endpoints) this.targets.set(endpoint.endpointId, endpoint);
    this.loop.wake();
  }

  /** @returns milliseconds until the next look */
  private async run(): Promise<number> {
    if (performance.now() >= this.leasesAt) {
      await this.claims.returnExpired();
      this.leasesAt = performance.now() + LEASES_MS;
    }
    const hasChores = performance.now() >= this.choresAt && (await this.doChores());
    const isClaiming = await this.claim();
    return hasChores || isClaiming ? 0 : POLL_MS;
  }

  /** Reviews and replays one subscription each. @returns whether there may be more */
  private async doChores(): Promise<boolean> {
    this.choresAt = performance.now() + POLL_MS;
    const hasReviewed = await this.review.step();
    const hasRecovered = await this.database.transaction(() => this.recovery.step());
    if (hasReviewed || hasRecovered) this.choresAt = this.anyAt = 0;
    return hasReviewed || hasRecovered;
  }

  /** Claims and sends due deliveries. @returns whether there may be more for the free slots */
  private async claim(): Promise<boolean> {
    const room = this.slots.room;
    if (room.total === 0) {
      this.anyAt = 0; // a slot that becomes free claims, from where this one ended
      return false;
    }
    const targets = [...this.targets.values()];
    this.targets.clear();
    const began = performance.now();
    const isAny = began >= this.anyAt;
    if (!isAny && targets.length === 0) return false;
    if (isAny) this.anyAt = began + POLL_MS; // first: an announcement may come during the claim
    const claims = isAny
      ? await this.claims.claim(room, this.after)
      : await this.claims.claimOf(room, targets);
    const isFull = claims.length >= room.total;
    const hasMore = isFull || (isAny && this.after !== null);
    if (isAny) this.after = isFull ? lastOf(claims) : null;
    // New receivers may wait for a slot. Those that have failed wait for the next look.
    if (hasMore || room.forOthers === 0) this.anyAt = 0;
    const events = claims.length > 0 ? await this.findEvents(claims) : [];
    claims.forEach((claim, n) => this.start(claim, events[n] ?? null));
    this.claimMs = performance.now() - began;
    return hasMore;
  }

  /** Finds the events of claims. If that fails, returns the claims before their lease ends. */
  private async findEvents(claims: readonly Claim[]): Promise<(FeedEvent | null)[]> {
    try {
      return await this.bodies.findEvents(claims);
    } catch (error) {
      for (const claim of claims) await this.claims.release(claim);
      throw error;
    }
  }

  /**
   * Sends a delivery: at once to a receiver that has answered well, else in a turn of the event
   * loop of its own, so that new connections to many receivers that may hang delay no other.
   */
  private start(claim: Claim, event: FeedEvent | null): void {
    const deliver = () => this.deliverer.deliver(claim, event, this.aborting.signal);
    const isProven = this.slots.isProven(claim);
    this.slots.take(claim);
    if (!isProven) this.turns = this.turns.then(() => endOfTurn());
    const work = (isProven ? deliver() : this.turns.then(deliver))
      .catch((error: unknown) => {
        // The claim returns after its lease.
        this.logger.warn({ cause: describeCause(error) }, 'A delivery was not recorded and is sent again.');
        return false;
      })
      .then((succeeded) => {
        this.slots.free(claim, succeeded);
        this.inFlight.delete(work);
        this.targets.set(claim.endpointId, claim);
        this.claimSoon();
      });
    this.inFlight.add(work);
  }

  /**
   * Claims for slots that became free, after a pause at least as long as the last claim took: those
   * that become free in the pause share it, and claims take half of the time at most.
   */
  private claimSoon(): void {
    this.claiming ??= setTimeout(
      () => {
        this.claiming = undefined;
        this.loop.wake();
      },
      Math.max(MIN_PAUSE_MS, this.claimMs),
    ).unref();
  }
}

/** Formats subscriptions for a notification. */
const formatPositions = (endpoints: readonly Position[]): string =>
  endpoints.map(({ tenantId, endpointId }) => `${tenantId} ${endpointId}`).join(',');

/** Reads what {@link formatPositions} has written. */
function parsePositions(text: string): Position[] {
  const pairs = text.split(',').map((pair) => pair.split(' '));
  return pairs.flatMap(([tenantId, endpointId]) =>
    tenantId === undefined || endpointId === undefined
      ? []
      : [{ tenantId: tenantId as TenantId, endpointId }],
  );
}

function lastOf(claims: readonly Claim[]): Position | null {
  const key = ({ tenantId, endpointId }: Position) => `${tenantId} ${endpointId}`;
  return claims.reduce<Position | null>((last, one) => (last && key(last) > key(one) ? last : one), null);
}
