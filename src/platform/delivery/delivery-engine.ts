import { setImmediate as endOfTurn, setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { describeCause } from '../errors/index.js';
import { WakingLoop } from '../events/index.js';
import { type Keyed, type SlotLimits, Slots, type Taker } from './slots.js';

/** Interval of claims without news. */
const POLL_MS = 500;
/** Shortest time between claims for slots that became free: those that do in it share a claim. */
const MIN_PAUSE_MS = 5;
/** Receivers of one claim, so that new deliveries wait for a short statement at most. */
const MAX_TARGETS = 100;
/** Of these, receivers that go before others because they have answered well last. */
const MAX_PREFERRED = 75;
/** Unanswered requests to unproven receivers from which on the next ones begin after a pause. */
const MANY_UNANSWERED = 50;
/**
 * Pause before each of these. A new connection takes 0.2 ms of processor (measured): hundreds at a
 * time would delay each step of a delivery that answers.
 */
const UNPROVEN_PAUSE_MS = 2;
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
  readonly forTroubled: number;
}

/** A slot for a delivery that its transaction claims as it adds it. */
export interface Reservation<C> {
  /** Sends the delivery. Call it after the commit. */
  send(claim: C): void;
  /** Frees the slot. */
  cancel(): void;
}

/** What a claim is about to ask for. */
interface Turn<R> {
  readonly taken: Target<R>[];
  /** Slots of each group that it may use. */
  readonly ofGroups: Map<string, number>;
  /** Slots that it leaves for receivers whose last attempt failed. */
  forTroubled: number;
}

/** What is delivered, from which tables, and how. */
export interface DeliveryWork<R, C extends R> {
  /** Name in the log. */
  readonly name: string;
  readonly limits: SlotLimits;
  keyOf(receiver: R): Keyed;
  /** Returns the receiver of a claim alone, as more of the claim is not kept. */
  receiverOf(claim: C): R;
  /**
   * Claims due deliveries, by a lease that is longer than the longest request, and by
   * `FOR UPDATE SKIP LOCKED`: another replica takes others. Returns none of receivers that pause.
   */
  claim(targets: readonly Target<R>[], bounds: Bounds): Promise<readonly C[]>;
  /** Returns whether the last attempt to a receiver failed, as far as it is known of a receiver. */
  isTroubled(receiver: R): boolean;
  /** Returns whether the end of a claim can make another delivery to its receiver due. */
  mayBeFollowed(claim: C): boolean;
  /**
   * Sends a delivery, and records what became of it. An aborted one is returned without an attempt.
   * @returns whether the receiver accepted it
   */
  send(claim: C, aborting: AbortSignal): Promise<boolean>;
}

/**
 * Claims due deliveries and sends them (ADR 40), of whichever tables. Each replica runs one for
 * each {@link DeliveryWork}. Bounds the requests to each receiver, so that one that hangs delays no
 * other and uses up no attempts of the deliveries that wait for it.
 */
export class DeliveryEngine<R, C extends R> {
  private readonly logger: Logger;
  private readonly slots: Slots;
  private readonly inFlight = new Set<Promise<void>>();
  /** Receivers to claim for, in the order in which they have their turn. */
  private readonly targets = new Map<string, R>();
  /** Receivers with deliveries that wait for the end of one of their requests. */
  private readonly held = new Set<string>();
  /** Receivers of the claim that is running, until what it leaves is noted. */
  private asked: ReadonlySet<string> = new Set();
  private isStopping = false;
  private readonly aborting = new AbortController();
  /** Resolves when the deliveries to unproven receivers that were claimed so far have begun. */
  private turns: Promise<unknown> = Promise.resolve();
  /** Requests to unproven receivers that have begun and have no answer. */
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

  constructor(private readonly work: DeliveryWork<R, C>) {
    this.logger = new Logger(work.name);
    this.slots = new Slots(work.limits);
  }

  start(): void {
    this.loop.start();
  }

  /** @returns when no request is in flight */
  async stop(): Promise<void> {
    this.isStopping = true;
    await this.loop.stop();
    const timer = setTimeout(() => this.aborting.abort(), STOP_GRACE_MS);
    while (this.inFlight.size > 0) await Promise.all(this.inFlight); // a reservation becomes a request
    clearTimeout(timer);
  }

  /** Claims for receivers with due deliveries. */
  claimFor(receivers: readonly R[]): void {
    for (const receiver of receivers) this.targets.set(this.work.keyOf(receiver).key, receiver);
    if (receivers.length > 0) this.loop.wake();
  }

  /**
   * Takes a slot for a new delivery, so that it needs no claim.
   * @returns null if none is free, or earlier deliveries to the receiver wait
   */
  reserve(receiver: R): Reservation<C> | null {
    const keyed = this.work.keyOf(receiver);
    const { key } = keyed;
    const hasEarlier = this.targets.has(key) || this.held.has(key) || this.asked.has(key);
    if (this.isStopping || hasEarlier || !this.slots.canReserve(keyed)) return null;
    const taker = { ...keyed, isTroubled: false };
    const { promise, resolve } = Promise.withResolvers<void>();
    this.slots.take(taker);
    this.inFlight.add(promise);
    const end = (): void => {
      this.inFlight.delete(promise);
      resolve();
    };
    return {
      send: (claim) => {
        this.begin(claim, taker);
        end();
      },
      cancel: () => {
        this.slots.free(taker, null);
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
    const keyed = this.work.keyOf(receiver);
    return this.slots.isBusy(keyed) && !this.slots.isProven(keyed);
  }

  /** Claims and sends due deliveries. @returns whether there may be more for the free slots */
  private async claim(): Promise<boolean> {
    const { total, forTroubled } = this.slots;
    if (total <= 0) return false; // a slot that becomes free claims
    const targets = this.takeTargets(forTroubled);
    if (targets.length === 0) return false;
    const began = performance.now();
    this.asked = new Set(targets.map((target) => this.work.keyOf(target).key));
    try {
      const claims = await this.work.claim(targets, { total, forTroubled });
      const isFull = claims.length >= total;
      this.noteRest(targets, claims, isFull);
      for (const claim of claims) {
        const taker = { ...this.work.keyOf(claim), isTroubled: this.work.isTroubled(claim) };
        this.slots.take(taker);
        this.begin(claim, taker);
      }
      this.claimMs = performance.now() - began;
      return isFull || targets.length === MAX_TARGETS;
    } finally {
      this.asked = new Set();
    }
  }

  /**
   * Takes the next receivers with free slots: most of them of those that answered well last, which
   * must not wait for the claims of many that hang. Receivers without a free slot wait for one.
   */
  private takeTargets(forTroubled: number): Target<R>[] {
    const turn: Turn<R> = { taken: [], ofGroups: new Map(), forTroubled };
    this.takeInto(turn, MAX_PREFERRED, (keyed) => this.slots.isProven(keyed));
    this.takeInto(turn, MAX_TARGETS, () => true);
    return turn.taken;
  }

  private takeInto(turn: Turn<R>, max: number, isWanted: (keyed: Keyed) => boolean): void {
    const { taken, ofGroups } = turn;
    for (const [key, receiver] of this.targets) {
      if (taken.length >= max) return;
      const keyed = this.work.keyOf(receiver);
      if (!isWanted(keyed)) continue;
      const isTroubled = this.work.isTroubled(receiver);
      const ofGroup = keyed.group === undefined ? 0 : (ofGroups.get(keyed.group) ?? 0);
      const free = isTroubled && turn.forTroubled <= 0 ? 0 : this.slots.freeOf(keyed, ofGroup);
      if (free > 0) taken.push({ ...receiver, free });
      else if (this.slots.isBusy(keyed)) this.held.add(key);
      else continue; // until a slot of its group, or of such receivers, becomes free
      if (isTroubled) turn.forTroubled -= free;
      if (keyed.group !== undefined) ofGroups.set(keyed.group, ofGroup + free);
      this.targets.delete(key);
    }
  }

  /** Notes the receivers that may have more due deliveries than were claimed. */
  private noteRest(targets: readonly Target<R>[], claims: readonly C[], isFull: boolean): void {
    const counts = new Map<string, number>();
    for (const claim of claims) {
      const { key } = this.work.keyOf(claim);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    for (const target of targets) {
      const { key } = this.work.keyOf(target);
      const count = counts.get(key) ?? 0;
      if (count >= target.free) this.held.add(key);
      else if (isFull) this.targets.set(key, target);
    }
  }

  /** Sends a delivery that has a slot: at once to a receiver that has answered well. */
  private begin(claim: C, taker: Taker): void {
    const send = () => this.work.send(claim, this.aborting.signal);
    const sending = (this.slots.isProven(taker) ? send() : this.sendInTurn(send))
      .catch((error: unknown) => {
        // The claim returns after its lease.
        this.logger.warn({ cause: describeCause(error) }, 'A delivery was not recorded and is sent again.');
        return false;
      })
      .then((succeeded) => {
        this.slots.free(taker, succeeded);
        this.inFlight.delete(sending);
        this.claimNext(claim, succeeded);
      });
    this.inFlight.add(sending);
  }

  /**
   * Sends to an unproven receiver in a turn of the event loop of its own, and at a bounded rate if
   * many have not answered: new connections to receivers that may hang must not delay others.
   */
  private async sendInTurn(send: () => Promise<boolean>): Promise<boolean> {
    this.turns = this.turns.then(() => (this.mustPause ? sleep(UNPROVEN_PAUSE_MS) : endOfTurn()));
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
  private claimNext(claim: C, succeeded: boolean): void {
    const { key } = this.work.keyOf(claim);
    const mayHaveMore = this.held.delete(key) || this.work.mayBeFollowed(claim);
    if (succeeded && mayHaveMore) this.targets.set(key, this.work.receiverOf(claim));
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
