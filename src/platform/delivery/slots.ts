/** Bounds of the requests in flight of one engine. */
export interface SlotLimits {
  readonly total: number;
  /** Of these, requests to receivers that did not answer well last: the rest is for the others. */
  readonly untried: number;
  /** Of these, requests to receivers whose last attempt failed: the rest is for new ones. */
  readonly failing: number;
  /** Requests to one receiver. */
  readonly each: number;
  /** Requests to all receivers of one group, such as to the addresses of one client. */
  readonly ofGroup?: number;
}

/** Deliveries of one claim: their statements wait for the connections of the pool. */
const BATCH = 200;
/** Time for which the limit of an idle receiver is remembered. */
const IDLE_MS = 60_000;

interface Slot {
  inFlight: number;
  limit: number;
  /** Time of the last change. */
  at: number;
}

/** A receiver of deliveries. */
export interface Receiver {
  readonly key: string;
  /** Receivers of the same group share a bound. */
  readonly group?: string;
  /** Whether its last attempt failed, as far as it is known. */
  readonly isFailing?: boolean;
}

/**
 * Bounds the requests in flight, in total and to each receiver. A receiver begins with one, and
 * gets more with each success, so that receivers that hang hold few.
 */
export class Slots {
  private readonly slots = new Map<string, Slot>();
  private readonly groups = new Map<string, number>();
  private inFlight = 0;
  private untried = 0;
  private failing = 0;
  private sweptAt = 0;

  constructor(
    private readonly limits: SlotLimits,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Requests that may begin now. */
  get total(): number {
    return Math.min(BATCH, this.limits.total - this.inFlight);
  }

  /** Of {@link total}, requests to receivers whose last attempt failed. */
  get forFailing(): number {
    return Math.min(this.total, this.limits.failing - this.failing);
  }

  /**
   * Returns the number of requests that may begin to a receiver.
   * @param claimed requests to its group that are about to begin
   */
  freeOf({ key, group }: Receiver, claimed = 0): number {
    const { limit, inFlight } = this.slots.get(key) ?? { limit: 1, inFlight: 0 };
    if (limit === 1 && this.untried >= this.limits.untried) return 0;
    return Math.max(0, Math.min(limit - inFlight, this.freeOfGroup(group) - claimed));
  }

  /**
   * Returns whether a slot can be taken for a receiver next to the claims, of which one may be
   * running: the last ones are left for it.
   */
  canReserve(receiver: Receiver): boolean {
    return this.limits.total - this.inFlight > BATCH && this.freeOf(receiver) > 0;
  }

  /** Returns whether there is a request to a receiver. */
  isBusy({ key }: Receiver): boolean {
    return (this.slots.get(key)?.inFlight ?? 0) > 0;
  }

  /** Returns whether the last request to a receiver was answered well. */
  isProven({ key }: Receiver): boolean {
    return (this.slots.get(key)?.limit ?? 1) > 1;
  }

  take({ key, group, isFailing }: Receiver): void {
    this.forgetIdle();
    const slot = this.slots.get(key) ?? { inFlight: 0, limit: 1, at: 0 };
    this.slots.set(key, slot);
    slot.inFlight += 1;
    slot.at = this.now();
    this.inFlight += 1;
    if (group !== undefined) this.groups.set(group, (this.groups.get(group) ?? 0) + 1);
    if (isFailing) this.failing += 1;
    if (slot.limit === 1) this.untried += 1;
  }

  /**
   * Frees a slot. A success allows more requests to the receiver, a failure one.
   * @param succeeded null if nothing was sent
   */
  free({ key, group, isFailing }: Receiver, succeeded: boolean | null): void {
    const slot = this.slots.get(key);
    if (!slot) return;
    if (slot.limit === 1) this.untried -= slot.inFlight;
    slot.inFlight -= 1;
    slot.at = this.now();
    this.inFlight -= 1;
    if (group !== undefined) this.freeOne(group);
    if (isFailing) this.failing -= 1;
    if (succeeded !== null) slot.limit = succeeded ? Math.min(slot.limit * 2, this.limits.each) : 1;
    if (slot.limit === 1) this.untried += slot.inFlight;
    if (slot.inFlight === 0 && slot.limit === 1) this.slots.delete(key);
  }

  private freeOfGroup(group: string | undefined): number {
    if (group === undefined || this.limits.ofGroup === undefined) return Infinity;
    return this.limits.ofGroup - (this.groups.get(group) ?? 0);
  }

  private freeOne(group: string): void {
    const left = (this.groups.get(group) ?? 0) - 1;
    if (left > 0) this.groups.set(group, left);
    else this.groups.delete(group);
  }

  /** Forgets receivers without requests, such as those of deleted subscriptions. */
  private forgetIdle(): void {
    const before = this.now() - IDLE_MS;
    if (this.sweptAt > before) return;
    this.sweptAt = this.now();
    for (const [key, { inFlight, at }] of this.slots)
      if (inFlight === 0 && at <= before) this.slots.delete(key);
  }
}
