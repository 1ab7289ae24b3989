import { Logger } from '@nestjs/common';
import { describeCause } from '../errors/index.js';
import { WakingLoop } from '../events/index.js';

/** Receivers that one statement steps through. */
const MAX_STEPS = 500;

/** Where due deliveries are looked for. */
interface ScannedWork<R> {
  /** Name in the log. */
  readonly name: string;
  /** Interval at which due deliveries are looked for. */
  readonly pollMs: number;
  /** Work before each look. @returns whether there is more of it */
  readonly before?: () => Promise<boolean>;
  /**
   * Lists receivers with waiting deliveries, in a fixed order.
   * @param after begins with the receivers after this one
   * @returns for each, whether a claim can have one now
   */
  readonly list: (after: R | null, limit: number) => Promise<readonly (R & { readonly isDue: boolean })[]>;
  /** Called with the receivers that have due deliveries. */
  readonly found: (receivers: readonly R[]) => void;
}

/**
 * Finds receivers with due deliveries that no announcement names: retries, and expired leases.
 * Next to the claims of the engine, so that new deliveries wait for none of it.
 */
export class DueScan<R> {
  private readonly logger: Logger;
  /** Receiver with which the last statement ended; null to begin with the first. */
  private after: R | null = null;
  /** Whether one was asked for since the scan began. */
  private isWanted = false;
  private readonly loop: WakingLoop;

  constructor(private readonly work: ScannedWork<R>) {
    this.logger = new Logger(work.name);
    this.loop = new WakingLoop(
      () => this.run(),
      (error) =>
        this.logger.warn({ cause: describeCause(error) }, 'Retries wait: the database did not answer.'),
      work.pollMs,
    );
  }

  start(): void {
    this.loop.start();
  }

  /** @returns when the scan that runs has ended */
  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** Scans now, from the first receiver on. */
  wake(): void {
    this.isWanted = true;
    this.loop.wake();
  }

  /** @returns milliseconds until the next look */
  private async run(): Promise<number> {
    const hasMore = (await this.work.before?.()) ?? false;
    const isOver = await this.scan();
    return hasMore || !isOver || this.isWanted ? 0 : this.work.pollMs;
  }

  /** Lists the next receivers. @returns whether they were the last */
  private async scan(): Promise<boolean> {
    if (this.after === null) this.isWanted = false;
    const found = await this.work.list(this.after, MAX_STEPS);
    const last = found.at(-1);
    this.after = last && found.length === MAX_STEPS ? last : null;
    this.work.found(found.filter(({ isDue }) => isDue));
    return this.after === null;
  }
}
