import { setTimeout as sleep } from 'node:timers/promises';
import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { LimitMetrics } from './limit-metrics.js';
import type { LocalBuckets } from './local-buckets.js';
import type { RedisBuckets } from './redis-buckets.js';
import { type BucketState, type Sharing, TokenBuckets } from './token-buckets.js';

const HEARTBEAT_MS = 1_000;
/** How long the start of the service waits for a Redis that is not there. */
const START_MS = 2_000;

/**
 * Token buckets that all replicas share. Every replica holds each caller to the limit by itself as well, and asks Redis what the others have
 * let through: while Redis is out of reach, and after it has come back and forgotten everything, a caller still gets no more than the limit
 * from each replica (security bar AT-16).
 */
export class SharedBuckets extends TokenBuckets implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('RateLimit');
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;
  private reachable: boolean | undefined;
  /** The heartbeat asks for it: only when it can be counted again is everything as it was. */
  private lastFailed = '';

  constructor(
    private readonly redis: RedisBuckets,
    private readonly local: LocalBuckets,
    private readonly metrics: LimitMetrics,
  ) {
    super();
  }

  override get sharing(): Sharing {
    return this.reachable === true ? 'shared' : 'fallback';
  }

  async onApplicationBootstrap(): Promise<void> {
    const connected = this.redis.connect().catch(() => undefined);
    await Promise.race([connected, sleep(START_MS, undefined, { ref: false })]);
    await this.beat();
  }

  onApplicationShutdown(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    this.redis.disconnect();
  }

  override async take(key: string, limit: number): Promise<BucketState> {
    const local = this.local.take(key, limit);
    if (local.isBlocked) return local;
    const shared = await this.takeShared(key, limit);
    if (shared === null) {
      this.metrics.fellBack();
      return local;
    }
    if (shared.isBlocked) this.local.giveBack(key, limit);
    return shared;
  }

  /** Null while Redis is out of reach. Whoever finds that out has waited for it; after that nobody does. */
  private async takeShared(key: string, limit: number): Promise<BucketState | null> {
    if (!this.reachable) return null;
    try {
      return await this.redis.take(key, limit);
    } catch (error) {
      this.lastFailed = key;
      this.settle(false, error);
      return null;
    }
  }

  private async beat(): Promise<void> {
    try {
      await this.redis.probe(this.lastFailed);
      this.settle(true);
    } catch (error) {
      this.settle(false, error);
    }
    if (this.stopped) return;
    this.timer = setTimeout(() => void this.beat(), HEARTBEAT_MS);
    this.timer.unref();
  }

  private settle(reachable: boolean, error?: unknown): void {
    if (this.stopped || reachable === this.reachable) return;
    this.reachable = reachable;
    if (reachable) return this.logger.log('The rate limits are shared through Redis.');
    const reason = this.redis.trouble || (error instanceof Error ? error.message : 'unknown');
    this.logger.warn(
      { reason },
      'Redis is out of reach: until it is back each replica counts the rate limits by itself.',
    );
  }
}
