import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import { describeCause } from '../../platform/errors/index.js';
import { WakingLoop } from '../../platform/events/index.js';
import { ScopeReview } from '../endpoints/scope-review.js';
import { ClaimsRepository, type Position } from './claims.repository.js';
import { Dispatcher } from './dispatcher.js';
import { Recovery } from './recovery.js';

/** Interval at which retries, probes, reviews and replays are looked for. */
const POLL_MS = 500;
/** Interval at which expired claims are returned. */
const LEASES_MS = 5_000;
/** Subscriptions that one statement steps through. */
const MAX_STEPS = 500;

/**
 * Finds what no announcement names: retries and probes that became due, expired claims, reviews and
 * replays. Beside the claims of the dispatcher, so that new deliveries wait for none of it.
 */
@Injectable()
export class DueScan implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Webhooks');
  private leasesAt = 0;
  /** Subscription with which the last statement ended; null to begin with the first. */
  private after: Position | null = null;
  /** Whether an announcement came since the scan began. */
  private isWanted = false;
  private readonly loop = new WakingLoop(
    () => this.run(),
    (error) =>
      this.logger.warn({ cause: describeCause(error) }, 'Retries wait: the database did not answer.'),
    POLL_MS,
  );

  constructor(
    private readonly database: Database,
    private readonly claims: ClaimsRepository,
    private readonly dispatcher: Dispatcher,
    private readonly recovery: Recovery,
    private readonly review: ScopeReview,
  ) {}

  onModuleInit(): void {
    this.dispatcher.onUnnamed(() => {
      this.isWanted = true;
      this.loop.wake();
    });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  /** @returns milliseconds until the next look */
  private async run(): Promise<number> {
    if (performance.now() >= this.leasesAt) {
      await this.claims.returnExpired();
      this.leasesAt = performance.now() + LEASES_MS;
    }
    const hasReviewed = await this.review.step();
    const hasRecovered = await this.database.transaction(() => this.recovery.step());
    const isOver = await this.scan();
    return hasReviewed || hasRecovered || !isOver || this.isWanted ? 0 : POLL_MS;
  }

  /** Lets the dispatcher claim for the next subscriptions. @returns whether they were the last */
  private async scan(): Promise<boolean> {
    if (this.after === null) this.isWanted = false;
    const found = await this.claims.listWaiting(this.after, MAX_STEPS);
    const last = found.at(-1);
    this.after = last && found.length === MAX_STEPS ? last : null;
    this.dispatcher.claimFor(found.filter(({ isDue }) => isDue));
    return this.after === null;
  }
}
