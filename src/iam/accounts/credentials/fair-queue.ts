import { siteOf } from '../../../platform/web/index.js';

/** What a {@link FairQueue} keeps to. */
interface Bounds {
  /** Jobs that run at once. */
  readonly slots: number;
  /** Jobs that may wait for a slot. */
  readonly places: number;
  readonly maxWaitMs: number;
}

interface Origin {
  readonly network: string;
  readonly site: string;
}

interface Waiter extends Origin {
  start(): void;
  refuse(): void;
}

/** Networks and sites whose last turn is remembered; the longest unserved are forgotten first. */
const MAX_TURNS = 4_096;

/**
 * Runs a few jobs at once and lets a bounded number wait, fairly by site and by network in it. The
 * one that was served longest ago comes first, so a caller with many networks, each of them with
 * one waiting job, does not delay a network that has just arrived: theirs have had their turns. No
 * site has more than half of the places while another waits; one job too many displaces the newest
 * of the site that has the most, or of those with as many the one that was served last.
 */
export class FairQueue {
  private busy = 0;
  private lastTurn = 0;
  /** Oldest first. */
  private readonly waiters: Waiter[] = [];
  /** The last turn of networks and sites, the least recent first. */
  private readonly turns = new Map<string, number>();

  /** @param refusal makes the error of a job that finds no place or has waited too long */
  constructor(
    private readonly bounds: Bounds,
    private readonly refusal: () => Error,
  ) {}

  get running(): number {
    return this.busy;
  }

  get waiting(): number {
    return this.waiters.length;
  }

  /**
   * Runs the job as soon as a slot is free and its network has the turn.
   * @param network as `networkOf` names it
   * @throws the refusal when the site's share of the places is taken, or after the longest wait
   */
  async run<T>(network: string, job: () => Promise<T>): Promise<T> {
    const origin = { network, site: siteOf(network) };
    if (this.busy < this.bounds.slots) {
      this.busy += 1;
      this.countTurn(origin);
    } else await this.wait(origin);
    try {
      return await job();
    } finally {
      this.releaseSlot();
    }
  }

  /** Resolves when a slot has been handed over. */
  private wait(origin: Origin): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        ...origin,
        start: () => {
          clearTimeout(timer);
          resolve();
        },
        refuse: () => {
          clearTimeout(timer);
          this.remove(waiter);
          reject(this.refusal());
        },
      };
      const timer = setTimeout(waiter.refuse, this.bounds.maxWaitMs);
      this.waiters.push(waiter);
      this.refuseExcess();
    });
  }

  /** Gives the slot to the next waiter. */
  private releaseSlot(): void {
    const [next] = this.waiters.toSorted((a, b) => this.compareTurns(a, b));
    if (!next) {
      this.busy -= 1;
      return;
    }
    this.remove(next);
    this.countTurn(next);
    next.start();
  }

  private countTurn({ site, network }: Origin): void {
    this.lastTurn += 1;
    for (const name of [site, network]) {
      this.turns.delete(name);
      this.turns.set(name, this.lastTurn);
    }
    for (const [name] of this.turns) {
      if (this.turns.size <= MAX_TURNS) break;
      this.turns.delete(name);
    }
  }

  /** Orders by who comes first: sites take turns, and networks take the turns of their site. */
  private compareTurns(a: Origin, b: Origin): number {
    return this.turnOf(a.site) - this.turnOf(b.site) || this.turnOf(a.network) - this.turnOf(b.network);
  }

  private turnOf(name: string): number {
    return this.turns.get(name) ?? 0;
  }

  /** Refuses those beyond the share of their site, and one when there are too many in all. */
  private refuseExcess(): void {
    const { places } = this.bounds;
    for (;;) {
      const sites = Map.groupBy(this.waiters, ({ site }) => site);
      const largest = Math.max(...[...sites.values()].map(({ length }) => length));
      const share = sites.size > 1 ? Math.floor(places / 2) : places;
      if (largest <= share && this.waiting <= places) return;
      const crowded = this.waiters.filter(({ site }) => sites.get(site)?.length === largest);
      this.findLast(crowded)?.refuse();
    }
  }

  /** The newest of the network with the most waiters, at the site that was served last. */
  private findLast(waiters: readonly Waiter[]): Waiter | undefined {
    const networks = Map.groupBy(waiters, ({ network }) => network);
    const countOf = ({ network }: Waiter) => networks.get(network)?.length ?? 0;
    const [last] = waiters
      .toReversed()
      .toSorted(
        (a, b) =>
          this.turnOf(b.site) - this.turnOf(a.site) || countOf(b) - countOf(a) || this.compareTurns(b, a),
      );
    return last;
  }

  private remove(waiter: Waiter): void {
    this.waiters.splice(this.waiters.indexOf(waiter), 1);
  }
}
