import { setTimeout as sleep } from 'node:timers/promises';
import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { LimitMetrics } from '../limit-metrics.js';
import type { RedisBuckets } from './redis-buckets.js';
import { type BucketState, type ReplicaBuckets, type Sharing, TokenBuckets } from './token-buckets.js';

const HEARTBEAT_MS = 1_000;
/** Maximum time that the start of the service waits for Redis. */
const MAX_CONNECT_MS = 2_000;

/**
 * Token buckets shared by all replicas (ADR 19). Each replica also enforces the limits by itself:
 * while Redis is unavailable, and after it restarts empty, a caller gets at most the limit from
 * each replica (AT-16).
 */
export class SharedBuckets extends TokenBuckets implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('RateLimit');
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;
  private reachable: boolean | undefined;
  /**
   * Key of the last failure. The heartbeat probes its node, as other nodes of a cluster may be up.
   */
  private lastFailedKey = '';

  constructor(
    private readonly redis: RedisBuckets,
    private readonly local: ReplicaBuckets,
    private readonly metrics: LimitMetrics,
  ) {
    super();
  }

  override get sharing(): Sharing {
    return this.reachable === true ? 'shared' : 'fallback';
  }

  async onApplicationBootstrap(): Promise<void> {
    const connected = this.redis.connect().catch(() => undefined);
    await Promise.race([connected, sleep(MAX_CONNECT_MS, undefined, { ref: false })]);
    await this.beat();
  }

  onApplicationShutdown(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    this.redis.disconnect();
  }

  override async take(key: string, limit: number): Promise<BucketState> {
    const local = await this.local.take(key, limit);
    if (local.isBlocked) return local;
    const shared = await this.takeShared(key, limit);
    if (shared === null) {
      this.metrics.countFallback();
      return local;
    }
    if (shared.isBlocked) await this.local.giveBack(key, limit);
    return shared;
  }

  /**
   * Takes a token in Redis; null while Redis is unavailable. Only the request that finds that out
   * waits for it.
   */
  private async takeShared(key: string, limit: number): Promise<BucketState | null> {
    if (!this.reachable) return null;
    try {
      return await this.redis.take(key, limit);
    } catch (error) {
      this.lastFailedKey = key;
      this.settle(false, error);
      return null;
    }
  }

  private async beat(): Promise<void> {
    try {
      await this.redis.probe(this.lastFailedKey);
      this.settle(true);
    } catch (error) {
      this.settle(false, error);
    }
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.beat().catch((error: unknown) => this.settle(false, error));
    }, HEARTBEAT_MS);
    this.timer.unref();
  }

  private settle(reachable: boolean, error?: unknown): void {
    if (this.stopped || reachable === this.reachable) return;
    this.reachable = reachable;
    if (reachable) return this.logger.log('The rate limits are shared through Redis.');
    const reason = this.redis.lastError || (error instanceof Error ? error.message : 'unknown');
    this.logger.warn(
      { reason },
      'Redis is unavailable: until it is back, each replica counts the rate limits by itself.',
    );
  }
}
