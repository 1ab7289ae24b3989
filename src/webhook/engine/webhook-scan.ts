import {
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import { DueScan } from '../../platform/delivery/index.js';
import { ScopeReview } from '../endpoints/scope-review.js';
import { ClaimsRepository, type Waiting } from './claims.repository.js';
import { Dispatcher } from './dispatcher.js';
import { Recovery } from './recovery.js';

/** Interval at which retries, probes, reviews and replays are looked for. */
const POLL_MS = 500;
/** Interval at which expired claims are returned. */
const LEASES_MS = 5_000;

/**
 * Finds what no announcement names: retries and probes that became due, expired claims, reviews and
 * replays.
 */
@Injectable()
export class WebhookScan implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private leasesAt = 0;
  private readonly scan = new DueScan<Waiting>({
    name: 'Webhooks',
    pollMs: POLL_MS,
    before: () => this.prepare(),
    list: (after, limit) => this.claims.listWaiting(after, limit),
    found: (endpoints) => this.dispatcher.claimFor(endpoints),
  });

  constructor(
    private readonly database: Database,
    private readonly claims: ClaimsRepository,
    private readonly dispatcher: Dispatcher,
    private readonly recovery: Recovery,
    private readonly review: ScopeReview,
  ) {}

  onModuleInit(): void {
    this.dispatcher.onUnnamed(() => this.scan.wake());
  }

  onApplicationBootstrap(): void {
    this.scan.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.scan.stop();
  }

  /**
   * Returns expired claims, and takes the next step of reviews and replays.
   * @returns whether there may be a further step
   */
  private async prepare(): Promise<boolean> {
    if (performance.now() >= this.leasesAt) {
      await this.claims.returnExpired();
      this.leasesAt = performance.now() + LEASES_MS;
    }
    const hasReviewed = await this.review.step();
    const hasRecovered = await this.database.transaction(() => this.recovery.step());
    return hasReviewed || hasRecovered;
  }
}
