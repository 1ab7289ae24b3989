import { setImmediate as endOfTurn } from 'node:timers/promises';
import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import { describeCause } from '../../platform/errors/index.js';
import { type FeedEvent, WakingLoop } from '../../platform/events/index.js';
import { ChangeFeed } from '../../platform/live/index.js';
import { type Claim, ClaimsRepository, type Position, type Target } from './claims.repository.js';
import { Deliverer } from './deliverer.js';
import { EventBodies } from './event-body.js';
import { Slots } from './slots.js';

/** Channel by which a replica tells the others of new deliveries. */
const DELIVERIES_CHANNEL = 'gatehouse_webhook_deliveries';
/** Interval of claims without news. */
const POLL_MS = 500;
/** Shortest time between claims for slots that became free: those that do in it share a claim. */
const MIN_PAUSE_MS = 5;
/** Subscriptions that a notification names: it has 8,000 bytes at most. */
const MAX_NAMED = 100;
/** Notifications of an announcement: one of more subscriptions names none. */
const MAX_NOTIFICATIONS = 10;
/** Subscriptions of one claim, so that new deliveries wait for a short statement at most. */
const MAX_TARGETS = 100;
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
  /** Subscriptions to claim for, in the order in which they have their turn. */
  private readonly targets = new Map<string, Position>();
  /** Subscriptions with deliveries that wait for the end of one of their requests. */
  private readonly held = new Set<string>();
  private readonly aborting = new AbortController();
  /** Resolves when the deliveries to unproven receivers that were claimed so far have begun. */
  private turns: Promise<unknown> = Promise.resolve();
  /** Duration of the last claim, in milliseconds. */
  private claimMs = 0;
  private claiming: NodeJS.Timeout | undefined;
  private scanAll: () => void = () => undefined;
  private readonly loop = new WakingLoop(
    async () => ((await this.claim()) ? 0 : POLL_MS),
    (error) =>
      this.logger.warn({ cause: describeCause(error) }, 'Deliveries wait: the database did not answer.'),
    POLL_MS,
  );

  constructor(
    private readonly feed: ChangeFeed,
    private readonly claims: ClaimsRepository,
    private readonly deliverer: Deliverer,
    private readonly bodies: EventBodies,
  ) {}

  onModuleInit(): void {
    this.feed.listen(DELIVERIES_CHANNEL, {
      changed: (named) => (named === '' ? this.scanAll() : this.claimFor(parsePositions(named))),
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

  /** @param scanAll called after an announcement that names no subscriptions */
  onUnnamed(scanAll: () => void): void {
    this.scanAll = scanAll;
  }

  /**
   * Tells all replicas of new deliveries when the open transaction commits.
   * @param endpoints of the deliveries; none if they may be any, or there is other work
   */
  announce(endpoints: readonly Position[] = []): Promise<void> {
    const isNamed = endpoints.length > 0 && endpoints.length <= MAX_NAMED * MAX_NOTIFICATIONS;
    return this.feed.announce(DELIVERIES_CHANNEL, ...(isNamed ? formatPositions(endpoints) : ['']));
  }

  /** Claims for subscriptions with due deliveries. */
  claimFor(endpoints: readonly Position[]): void {
    for (const endpoint of endpoints) this.targets.set(endpoint.endpointId, endpoint);
    if (endpoints.length > 0) this.loop.wake();
  }

  /** Claims and sends due deliveries. @returns whether there may be more for the free slots */
  private async claim(): Promise<boolean> {
    const { total, forTroubled } = this.slots;
    if (total <= 0) return false; // a slot that becomes free claims
    const targets = this.takeTargets();
    if (targets.length === 0) return false;
    const began = performance.now();
    const claims = await this.claims.claim(targets, { total, forTroubled });
    const isFull = claims.length >= total;
    this.noteRest(targets, claims, isFull);
    const events = claims.length > 0 ? await this.findEvents(claims) : [];
    claims.forEach((claim, n) => this.start(claim, events[n] ?? null));
    this.claimMs = performance.now() - began;
    return isFull || targets.length === MAX_TARGETS;
  }

  /** Takes the next subscriptions with free slots. The others wait for one. */
  private takeTargets(): Target[] {
    const taken: Target[] = [];
    for (const [id, position] of this.targets) {
      const free = this.slots.freeOf(position);
      if (free > 0) taken.push({ ...position, free });
      else if (this.slots.isBusy(position)) this.held.add(id);
      else continue;
      this.targets.delete(id);
      if (taken.length === MAX_TARGETS) break;
    }
    return taken;
  }

  /** Notes the subscriptions that may have more due deliveries than were claimed. */
  private noteRest(targets: readonly Target[], claims: readonly Claim[], isFull: boolean): void {
    const counts = new Map<string, number>();
    for (const { endpointId } of claims) counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1);
    for (const { tenantId, endpointId, free } of targets) {
      const count = counts.get(endpointId) ?? 0;
      if (count >= free) this.held.add(endpointId);
      else if (isFull) this.targets.set(endpointId, { tenantId, endpointId });
    }
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
        this.claimNext(claim, succeeded);
      });
    this.inFlight.add(work);
  }

  /**
   * Claims for a receiver that has accepted a delivery, if it may have more, and for those that
   * wait. One that failed gets its next delivery by a scan: receivers that hang end many requests
   * at a time, and would begin as many.
   */
  private claimNext({ tenantId, endpointId, orderKey }: Claim, succeeded: boolean): void {
    const mayHaveMore = this.held.delete(endpointId) || orderKey !== null;
    if (succeeded && mayHaveMore) this.targets.set(endpointId, { tenantId, endpointId });
    if (this.targets.size > 0) this.claimSoon();
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

/** Formats subscriptions for notifications. */
const formatPositions = (endpoints: readonly Position[]): string[] =>
  Array.from({ length: Math.ceil(endpoints.length / MAX_NAMED) }, (_, n) =>
    endpoints
      .slice(n * MAX_NAMED, (n + 1) * MAX_NAMED)
      .map(({ tenantId, endpointId }) => `${tenantId} ${endpointId}`)
      .join(','),
  );

/** Reads what {@link formatPositions} has written. */
function parsePositions(text: string): Position[] {
  const pairs = text.split(',').map((pair) => pair.split(' '));
  return pairs.flatMap(([tenantId, endpointId]) =>
    tenantId === undefined || endpointId === undefined
      ? []
      : [{ tenantId: tenantId as TenantId, endpointId }],
  );
}
