/** Requests in flight of this replica. */
const TOTAL = 1_000;
/** Of these, requests to receivers that have not answered well last: the rest is for the others. */
const UNPROVEN = 700;
/** Requests to one receiver. */
const MAX_EACH = 4;

interface Slot {
  inFlight: number;
  limit: number;
}

/**
 * Bounds the requests in flight, in total and to each receiver. A receiver begins with one, and
 * gets more with each success, so that receivers that hang hold few.
 */
export class Slots {
  private readonly slots = new Map<string, Slot>();
  private inFlight = 0;
  private unproven = 0;

  /** Free slots, for the next claim. */
  get room(): {
    readonly known: ReadonlyMap<string, number>;
    readonly forOthers: number;
    readonly total: number;
  } {
    const mayTakeUnproven = this.unproven < UNPROVEN;
    const known = new Map<string, number>();
    for (const [id, { inFlight, limit }] of this.slots)
      known.set(id, limit > 1 || mayTakeUnproven ? limit - inFlight : 0);
    return { known, forOthers: mayTakeUnproven ? 1 : 0, total: TOTAL - this.inFlight };
  }

  take(id: string): void {
    const slot = this.slots.get(id) ?? { inFlight: 0, limit: 1 };
    this.slots.set(id, slot);
    slot.inFlight += 1;
    this.inFlight += 1;
    if (slot.limit === 1) this.unproven += 1;
  }

  /** Frees a slot. A success allows more requests to the receiver, a failure one. */
  free(id: string, succeeded: boolean): void {
    const slot = this.slots.get(id);
    if (!slot) return;
    if (slot.limit === 1) this.unproven -= slot.inFlight;
    slot.inFlight -= 1;
    this.inFlight -= 1;
    slot.limit = succeeded ? Math.min(slot.limit * 2, MAX_EACH) : 1;
    if (slot.limit === 1) this.unproven += slot.inFlight;
    if (slot.inFlight === 0 && slot.limit === 1) this.slots.delete(id);
  }
}
