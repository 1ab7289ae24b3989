import { siteOf } from '../../../platform/web/index.js';

/** Limits of a {@link FairQueue}. */
interface Bounds {
  /** Maximum number of jobs that run at once. */
  readonly slots: number;
  /** Maximum number of jobs that wait for a slot. */
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

/** Maximum number of networks and sites whose last turn is kept; the least recent go first. */
const MAX_TURNS = 4_096;

/**
 * Runs a limited number of jobs at once and queues a limited number, fairly by site and by network
 * within a site. The site and network served least recently come first: a caller with many networks
 * and one waiting job in each does not delay a network that is new to the queue. No site has more
 * than half of the places while another site waits. A job too many displaces the newest job of the
 * site with the most waiting jobs; of several such sites, of the one that was served last.
 */
export class FairQueue {
  private busy = 0;
  private lastTurn = 0;
  /** Oldest first. */
  private readonly waiters: Waiter[] = [];
  /** Number of the last turn by network and site, the least recent first. */
  private readonly turns = new Map<string, number>();

  /** @param refusal creates the error for a job that finds no place or has waited too long */
  constructor(
    private readonly bounds: Bounds,
    private readonly refusal: () => Error,
  ) {}

  /** Number of jobs that run. */
  get running(): number {
    return this.busy;
  }

  /** Number of jobs that wait for a slot. */
  get waiting(): number {
    return this.waiters.length;
  }

  /**
   * Runs a job as soon as a slot is free and it is its network's turn.
   * @param network network of the request, as returned by `networkOf`
   * @throws the refusal if the site has used up its places, or after `maxWaitMs`
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

  /** Resolves when the waiter has got a slot. */
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

  /** Passes the slot to the next waiter, or frees it. */
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

  /** Compares by last turn: first of the sites, then of the networks within a site. */
  private compareTurns(a: Origin, b: Origin): number {
    return this.turnOf(a.site) - this.turnOf(b.site) || this.turnOf(a.network) - this.turnOf(b.network);
  }

  private turnOf(name: string): number {
    return this.turns.get(name) ?? 0;
  }

  /** Refuses the jobs beyond the share of their site, and those beyond the number of places. */
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

  /** Finds the newest waiter of the network with the most waiters, at the site served last. */
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
