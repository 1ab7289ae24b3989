import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
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
  private readonly aborting = new AbortController();
  private leasesAt = 0;
  /** Time of the next look for reviews and replays: at once after an announcement. */
  private choresAt = 0;
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
    const wake = () => {
      this.choresAt = 0;
      this.loop.wake();
    };
    this.feed.listen(DELIVERIES_CHANNEL, { changed: wake, lost: () => undefined });
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

  /** Tells all replicas of new deliveries when the open transaction commits. */
  announce(): Promise<void> {
    return this.feed.announce(DELIVERIES_CHANNEL, '');
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
    if (hasReviewed || hasRecovered) this.choresAt = 0;
    return hasReviewed || hasRecovered;
  }

  /** Claims and sends due deliveries. @returns whether there may be more for the free slots */
  private async claim(): Promise<boolean> {
    const room = this.slots.room;
    if (room.total === 0) return false; // a slot that becomes free claims, from where this one ended
    const began = performance.now();
    const claims = await this.claims.claim(room, this.after);
    const hasPassedAll = this.after === null;
    const isFull = claims.length >= room.total;
    this.after = isFull ? lastOf(claims) : null;
    const events = claims.length > 0 ? await this.findEvents(claims) : [];
    claims.forEach((claim, n) => this.start(claim, events[n] ?? null));
    this.claimMs = performance.now() - began;
    return isFull || !hasPassedAll;
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

  private start(claim: Claim, event: FeedEvent | null): void {
    this.slots.take(claim);
    const work = this.deliverer
      .deliver(claim, event, this.aborting.signal)
      .catch((error: unknown) => {
        // The claim returns after its lease.
        this.logger.warn({ cause: describeCause(error) }, 'A delivery was not recorded and is sent again.');
        return false;
      })
      .then((succeeded) => {
        this.slots.free(claim, succeeded);
        this.inFlight.delete(work);
        this.claimSoon();
      });
    this.inFlight.add(work);
  }

  /**
   * Claims for slots that became free, after a pause as long as the last claim took: those that
   * become free in the pause share it, and claims take half of the time at most.
   */
  private claimSoon(): void {
    this.claiming ??= setTimeout(() => {
      this.claiming = undefined;
      this.loop.wake();
    }, this.claimMs).unref();
  }
}

function lastOf(claims: readonly Claim[]): Position | null {
  const key = ({ tenantId, endpointId }: Position) => `${tenantId} ${endpointId}`;
  return claims.reduce<Position | null>((last, one) => (last && key(last) > key(one) ? last : one), null);
}
