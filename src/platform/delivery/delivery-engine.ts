import { setImmediate as endOfTurn, setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { describeCause } from '../errors/index.js';
import { WakingLoop } from '../events/index.js';
import { DueScan } from './due-scan.js';
import { type Receiver, type SlotLimits, Slots } from './slots.js';

/** Interval of claims without news. */
const POLL_MS = 500;
/** Shortest time between claims for slots that became free: those that do in it share a claim. */
const MIN_PAUSE_MS = 5;
/** Receivers of one claim, so that new deliveries wait for a short statement at most. */
const MAX_TARGETS = 100;
/** Of these, receivers that go before others because they have answered well last. */
const MAX_PREFERRED = 75;
/** Unanswered requests to untried receivers from which on the next ones begin after a pause. */
const MANY_UNANSWERED = 50;
/**
 * Pause before each of these. A new connection takes 0.2 ms of processor (measured): hundreds at a
 * time would delay each step of a delivery that answers.
 */
const UNTRIED_PAUSE_MS = 2;
/**
 * Time for requests in flight at shutdown; then they are aborted, and another replica sends them
 * again.
 */
const STOP_GRACE_MS = 3_000;

/** A receiver to claim for. */
export type Target<R> = R & {
  /** Number of deliveries that may be claimed. */
  readonly free: number;
};

/** Deliveries that one claim may have. */
export interface Bounds {
  readonly total: number;
  /** Of `total`, those to receivers whose last attempt failed. */
  readonly forFailing: number;
}

/** A slot for a delivery that its transaction claims as it adds it. */
export interface Reservation<D> {
  /** Sends the delivery. Call it after the commit. */
  send(delivery: D): void;
  /** Frees the slot. */
  cancel(): void;
}

/** What a claim is about to ask for. */
interface Turn<R> {
  readonly taken: Target<R>[];
  /** Slots of each group that it may use. */
  readonly ofGroups: Map<string, number>;
  /** Slots that it leaves for receivers whose last attempt failed. */
  forFailing: number;
}

/** A claimed delivery. */
export interface Delivery {
  /** Key of its receiver. */
  readonly key: string;
  /** Whether the last attempt to the receiver failed. */
  readonly isFailing?: boolean;
  /** Whether its end can make another delivery to the receiver due. */
  readonly mayBeFollowed?: boolean;
}

/** What is delivered, from which tables, and how. */
export interface DeliveryWork<R extends Receiver, D extends Delivery> {
  /** Name in the log. */
  readonly name: string;
  readonly limits: SlotLimits;
  /** Interval of scans for due deliveries that no announcement names: retries, expired leases. */
  readonly scanMs: number;
  /** Work before each scan. @returns whether there is more of it */
  prepare?(): Promise<boolean>;
  /**
   * Lists receivers with waiting deliveries, in a fixed order.
   * @param after begins with the receivers after this one
   * @returns for each, whether a claim can have one now
   */
  list(after: R | null, limit: number): Promise<readonly (R & { readonly isDue: boolean })[]>;
  /**
   * Claims due deliveries, by a lease that is longer than the longest request, and by
   * `FOR UPDATE SKIP LOCKED`: another replica takes others. Returns none of receivers that pause.
   */
  claim(targets: readonly Target<R>[], bounds: Bounds): Promise<readonly D[]>;
  /**
   * Sends a delivery, and records what became of it. An aborted one is returned without an attempt.
   * @returns whether the receiver accepted it
   */
  send(delivery: D, aborting: AbortSignal): Promise<boolean>;
}

/**
 * Reserves or claims deliveries and sends them (ADR 40), of whichever tables. Each replica runs one
 * for each {@link DeliveryWork}. Bounds the requests to each receiver, so that one that hangs
 * delays no other and uses up no attempts of the deliveries that wait for it.
 */
export class DeliveryEngine<R extends Receiver, D extends Delivery> {
  private readonly scan: DueScan<R>;
  private readonly logger: Logger;
  private readonly slots: Slots;
  private readonly inFlight = new Set<Promise<void>>();
  /** Receivers to claim for, in the order in which they have their turn. */
  private readonly targets = new Map<string, R>();
  /** Receivers with deliveries that wait for the end of one of their requests. */
  private readonly held = new Set<string>();
  /** Receivers of the claim that is running, until what it leaves is noted. */
  private asked: ReadonlyMap<string, R> = new Map();
  private isStopping = false;
  private readonly aborting = new AbortController();
  /** Resolves when the deliveries to untried receivers that were claimed so far have begun. */
  private turns: Promise<unknown> = Promise.resolve();
  /** Requests to untried receivers that have begun and have no answer. */
  private unanswered = 0;
  /** Duration of the last claim, in milliseconds. */
  private claimMs = 0;
  private claiming: NodeJS.Timeout | undefined;
  private readonly loop = new WakingLoop(
    async () => ((await this.claim()) ? 0 : POLL_MS),
    (error) =>
      this.logger.warn({ cause: describeCause(error) }, 'Deliveries wait: the database did not answer.'),
    POLL_MS,
  );

  constructor(private readonly work: DeliveryWork<R, D>) {
    this.logger = new Logger(work.name);
    this.slots = new Slots(work.limits);
    this.scan = new DueScan<R>({
      name: work.name,
      pollMs: work.scanMs,
      before: () => work.prepare?.() ?? Promise.resolve(false),
      list: (after, limit) => work.list(after, limit),
      found: (receivers) => this.claimFor(receivers),
    });
  }

  start(): void {
    this.loop.start();
    this.scan.start();
  }

  /** Looks for receivers with due deliveries now: those that no announcement names. */
  scanAll(): void {
    this.scan.wake();
  }

  /** @returns when no request is in flight */
  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.all([this.loop.stop(), this.scan.stop()]);
    const timer = setTimeout(() => this.aborting.abort(), STOP_GRACE_MS);
    while (this.inFlight.size > 0) await Promise.all(this.inFlight); // a reservation becomes a request
    clearTimeout(timer);
  }

  /** Claims for receivers with due deliveries. */
  claimFor(receivers: readonly R[]): void {
    for (const receiver of receivers) this.targets.set(receiver.key, receiver);
    this.loop.wake();
  }

  /**
   * Takes a slot for a new delivery, so that it needs no claim.
   * @returns null if none is free, or earlier deliveries to the receiver wait
   */
  reserve(receiver: R): Reservation<D> | null {
    const { key } = receiver;
    const hasEarlier = this.targets.has(key) || this.held.has(key) || this.asked.has(key);
    if (this.isStopping || hasEarlier || !this.slots.canReserve(receiver)) return null;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.slots.take(receiver);
    this.inFlight.add(promise);
    const end = (): void => {
      this.inFlight.delete(promise);
      resolve();
    };
    return {
      send: (delivery) => {
        this.begin(delivery, receiver);
        end();
      },
      cancel: () => {
        this.slots.free(receiver, null);
        end();
        if (this.held.delete(key)) this.claimFor([receiver]);
      },
    };
  }

  /**
   * Returns whether a receiver has a request in flight and has not answered one: its next
   * deliveries wait for the end of that one.
   */
  awaitsFirstAnswer(receiver: R): boolean {
    return this.slots.isBusy(receiver) && !this.slots.isProven(receiver);
  }

  /** Claims and sends due deliveries. @returns whether receivers may wait for another claim */
  private async claim(): Promise<boolean> {
    const { total, forFailing } = this.slots;
    if (total <= 0) return false; // a slot that becomes free claims
    const targets = this.takeTargets(forFailing);
    if (targets.length === 0) return false;
    const began = performance.now();
    const receivers = new Map<string, R>(targets.map((target) => [target.key, target]));
    this.asked = receivers;
    try {
      const claimed = await this.work.claim(targets, { total, forFailing });
      const isFull = claimed.length >= total;
      this.noteRest(targets, claimed, isFull);
      for (const delivery of claimed) {
        const receiver = receivers.get(delivery.key);
        if (!receiver) continue; // it returns after its lease
        const current = { ...receiver, isFailing: delivery.isFailing === true };
        this.slots.take(current);
        this.begin(delivery, current);
      }
      this.claimMs = performance.now() - began;
      return true;
    } finally {
      this.asked = new Map();
    }
  }

  /**
   * Takes the next receivers with free slots: most of them of those that answered well last, which
   * must not wait for the claims of many that hang. Receivers without a free slot wait for one.
   */
  private takeTargets(forFailing: number): Target<R>[] {
    const turn: Turn<R> = { taken: [], ofGroups: new Map(), forFailing };
    this.takeInto(turn, MAX_PREFERRED, (receiver) => this.slots.isProven(receiver));
    this.takeInto(turn, MAX_TARGETS, () => true);
    return turn.taken;
  }

  private takeInto(turn: Turn<R>, max: number, isWanted: (receiver: R) => boolean): void {
    const { taken, ofGroups } = turn;
    for (const [key, receiver] of this.targets) {
      if (taken.length >= max) return;
      if (!isWanted(receiver)) continue;
      const { group, isFailing = false } = receiver;
      const ofGroup = group === undefined ? 0 : (ofGroups.get(group) ?? 0);
      const free = isFailing && turn.forFailing <= 0 ? 0 : this.slots.freeOf(receiver, ofGroup);
      if (free > 0) taken.push({ ...receiver, free });
      else if (this.slots.isBusy(receiver)) this.held.add(key);
      else continue; // until a slot of its group, or of such receivers, becomes free
      if (isFailing) turn.forFailing -= free;
      if (group !== undefined) ofGroups.set(group, ofGroup + free);
      this.targets.delete(key);
    }
  }

  /** Notes the receivers that may have more due deliveries than were claimed. */
  private noteRest(targets: readonly Target<R>[], claimed: readonly D[], isFull: boolean): void {
    const counts = new Map<string, number>();
    for (const { key } of claimed) counts.set(key, (counts.get(key) ?? 0) + 1);
    for (const target of targets) {
      const { key, free } = target;
      if ((counts.get(key) ?? 0) >= free) this.held.add(key);
      else if (isFull) this.targets.set(key, target);
    }
  }

  /** Sends a delivery that has a slot: at once to a receiver that has answered well. */
  private begin(delivery: D, receiver: R): void {
    const send = () => this.work.send(delivery, this.aborting.signal);
    const sending = (this.slots.isProven(receiver) ? send() : this.sendInTurn(send))
      .catch((error: unknown) => {
        // The claim returns after its lease.
        this.logger.warn({ cause: describeCause(error) }, 'A delivery was not recorded and is sent again.');
        return false;
      })
      .then((succeeded) => {
        this.slots.free(receiver, succeeded);
        this.inFlight.delete(sending);
        this.claimNext(receiver, succeeded, delivery.mayBeFollowed === true);
      });
    this.inFlight.add(sending);
  }

  /**
   * Sends to an untried receiver in a turn of the event loop of its own, and at a bounded rate if
   * many have not answered: new connections to receivers that may hang must not delay others.
   */
  private async sendInTurn(send: () => Promise<boolean>): Promise<boolean> {
    this.turns = this.turns.then(() => (this.mustPause ? sleep(UNTRIED_PAUSE_MS) : endOfTurn()));
    await this.turns;
    this.unanswered += 1;
    try {
      return await send();
    } finally {
      this.unanswered -= 1;
    }
  }

  private get mustPause(): boolean {
    return this.unanswered >= MANY_UNANSWERED && !this.isStopping;
  }

  /**
   * Claims for a receiver that has accepted a delivery, if it may have more, and for those that
   * wait. One that failed gets its next delivery by a scan: receivers that hang end many requests
   * at a time, and would begin as many.
   */
  private claimNext(receiver: R, succeeded: boolean, mayBeFollowed: boolean): void {
    const { key } = receiver;
    const mayHaveMore = this.held.delete(key) || mayBeFollowed;
    if (succeeded && mayHaveMore) this.targets.set(key, { ...receiver, isFailing: false });
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
