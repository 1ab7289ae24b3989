/** Requests in flight of this replica. */
const TOTAL = 1_500;
/** Of these, requests to receivers that have not answered well last: the rest is for the others. */
const UNPROVEN = 1_200;
/** Of these, requests to receivers whose last attempt failed: the rest is for new ones. */
const TROUBLED = 300;
/** Requests to one receiver. */
const MAX_EACH = 4;
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

/** Whose slot is taken. */
interface Taker {
  readonly endpointId: string;
  /** Whether its last attempt failed. */
  readonly isTroubled: boolean;
}

/**
 * Bounds the requests in flight, in total and to each receiver. A receiver begins with one, and
 * gets more with each success, so that receivers that hang hold few.
 */
export class Slots {
  private readonly slots = new Map<string, Slot>();
  private inFlight = 0;
  private unproven = 0;
  private troubled = 0;
  private sweptAt = 0;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Requests that may begin now. */
  get total(): number {
    return Math.min(BATCH, TOTAL - this.inFlight);
  }

  /** Of {@link total}, requests to receivers whose last attempt failed. */
  get forTroubled(): number {
    return Math.min(this.total, TROUBLED - this.troubled);
  }

  /** Returns the number of requests that may begin to a receiver. */
  freeOf({ endpointId }: Pick<Taker, 'endpointId'>): number {
    const { limit, inFlight } = this.slots.get(endpointId) ?? { limit: 1, inFlight: 0 };
    return limit === 1 && this.unproven >= UNPROVEN ? 0 : Math.max(0, limit - inFlight);
  }

  /** Returns whether there is a request to a receiver. */
  isBusy({ endpointId }: Pick<Taker, 'endpointId'>): boolean {
    return (this.slots.get(endpointId)?.inFlight ?? 0) > 0;
  }

  /** Returns whether the last request to a receiver was answered well. */
  isProven({ endpointId }: Pick<Taker, 'endpointId'>): boolean {
    return (this.slots.get(endpointId)?.limit ?? 1) > 1;
  }

  take({ endpointId, isTroubled }: Taker): void {
    this.forgetIdle();
    const slot = this.slots.get(endpointId) ?? { inFlight: 0, limit: 1, at: 0 };
    this.slots.set(endpointId, slot);
    slot.inFlight += 1;
    slot.at = this.now();
    this.inFlight += 1;
    if (isTroubled) this.troubled += 1;
    if (slot.limit === 1) this.unproven += 1;
  }

  /** Frees a slot. A success allows more requests to the receiver, a failure one. */
  free({ endpointId, isTroubled }: Taker, succeeded: boolean): void {
    const slot = this.slots.get(endpointId);
    if (!slot) return;
    if (slot.limit === 1) this.unproven -= slot.inFlight;
    slot.inFlight -= 1;
    slot.at = this.now();
    this.inFlight -= 1;
    if (isTroubled) this.troubled -= 1;
    slot.limit = succeeded ? Math.min(slot.limit * 2, MAX_EACH) : 1;
    if (slot.limit === 1) this.unproven += slot.inFlight;
    if (slot.inFlight === 0 && slot.limit === 1) this.slots.delete(endpointId);
  }

  /** Forgets receivers without requests, such as those of deleted subscriptions. */
  private forgetIdle(): void {
    const before = this.now() - IDLE_MS;
    if (this.sweptAt > before) return;
    this.sweptAt = this.now();
    for (const [id, { inFlight, at }] of this.slots)
      if (inFlight === 0 && at <= before) this.slots.delete(id);
  }
}
