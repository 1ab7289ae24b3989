/** What a {@link FairQueue} keeps to. */
interface Bounds {
  /** Jobs that run at once. */
  readonly slots: number;
  /** Jobs that may wait for a slot. */
  readonly places: number;
  readonly maxWaitMs: number;
}

interface Waiter {
  start(): void;
  refuse(): void;
}

/**
 * Runs a few jobs at once and lets a bounded number wait, fairly by network: free slots go round-robin to the networks that wait, and no
 * network has more than half of the places while another waits. Otherwise one network could keep every other one from being served.
 */
export class FairQueue {
  private busy = 0;
  /** Who waits, by network. Networks in the order in which they are served; none without a waiter. */
  private readonly queues = new Map<string, Waiter[]>();

  /** @param refusal makes the error of a job that finds no place or has waited too long */
  constructor(
    private readonly bounds: Bounds,
    private readonly refusal: () => Error,
  ) {}

  get running(): number {
    return this.busy;
  }

  get waiting(): number {
    return [...this.queues.values()].reduce((sum, queue) => sum + queue.length, 0);
  }

  /**
   * Runs the job as soon as a slot is free and its network has the turn.
   * @throws the refusal when the network's share of the places is taken, or after the longest wait
   */
  async run<T>(network: string, job: () => Promise<T>): Promise<T> {
    if (this.busy < this.bounds.slots) this.busy += 1;
    else await this.wait(network);
    try {
      return await job();
    } finally {
      this.handOver();
    }
  }

  /** Resolves when a slot has been handed over. */
  private wait(network: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        start: () => {
          clearTimeout(timer);
          resolve();
        },
        refuse: () => {
          clearTimeout(timer);
          this.remove(network, waiter);
          reject(this.refusal());
        },
      };
      const timer = setTimeout(waiter.refuse, this.bounds.maxWaitMs);
      const queue = this.queues.get(network) ?? [];
      this.queues.set(network, queue);
      queue.push(waiter);
      this.refuseExcess(queue);
    });
  }

  /** Gives the slot to the network whose turn it is; a network that goes on waiting is then the last in the order. */
  private handOver(): void {
    const [first] = this.queues;
    if (!first) {
      this.busy -= 1;
      return;
    }
    const [network, queue] = first;
    const next = queue.shift();
    this.queues.delete(network);
    if (queue.length > 0) this.queues.set(network, queue);
    next?.start();
  }

  /** Refuses the newest waiters of the network that has the most: those beyond its share, and one when there are too many in all. */
  private refuseExcess(joined: Waiter[]): void {
    const { places } = this.bounds;
    // Of queues of the same length the one that has just grown.
    const [longest = joined] = [joined, ...this.queues.values()].toSorted((a, b) => b.length - a.length);
    const share = this.queues.size > 1 ? Math.floor(places / 2) : places;
    while (longest.length > share) longest.at(-1)?.refuse();
    if (this.waiting > places) longest.at(-1)?.refuse();
  }

  private remove(network: string, waiter: Waiter): void {
    const queue = this.queues.get(network) ?? [];
    queue.splice(queue.indexOf(waiter), 1);
    if (queue.length === 0) this.queues.delete(network);
  }
}
