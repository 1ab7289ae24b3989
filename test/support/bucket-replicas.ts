import { randomBytes } from 'node:crypto';
import { readSettings } from '../../src/platform/config/settings.js';
import { Secret } from '../../src/platform/config/secret.js';
import { KeyDerivation } from '../../src/platform/crypto/key-derivation.js';
import { Metrics } from '../../src/platform/observability/metrics.js';
import { LimitMetrics } from '../../src/platform/rate-limit/limit-metrics.js';
import { LocalBuckets } from '../../src/platform/rate-limit/buckets/local-buckets.js';
import { RedisBuckets } from '../../src/platform/rate-limit/buckets/redis-buckets.js';
import { redisClient } from '../../src/platform/rate-limit/buckets/redis-client.js';
import { SharedBuckets } from '../../src/platform/rate-limit/buckets/shared-buckets.js';

/** Requests a minute that a bucket of these tests lets through. */
export const LIMIT = 20;
const secret = randomBytes(32);

/** Token buckets of replicas that share a Redis, and the programs behind them. */
export class BucketReplicas {
  private readonly open: SharedBuckets[] = [];
  private readonly running: { stop(): Promise<void> }[] = [];

  /** Ends what was started. */
  async end(): Promise<void> {
    for (const replica of this.open.splice(0)) replica.onApplicationShutdown();
    await Promise.all(this.running.splice(0).map((program) => program.stop()));
  }

  /** Ends a program with the test. */
  async own<T extends { stop(): Promise<void> }>(start: Promise<T>): Promise<T> {
    const program = await start;
    this.running.push(program);
    return program;
  }

  /** Starts two replicas. */
  startPair(url: string): Promise<[SharedBuckets, SharedBuckets]> {
    return Promise.all([this.start(url), this.start(url)]);
  }

  async start(url: string): Promise<SharedBuckets> {
    const { REDIS_URL } = readSettings({ REDIS_URL: url });
    if (!REDIS_URL) throw new Error('There is no address.');
    const redis = new RedisBuckets(redisClient(REDIS_URL), new KeyDerivation(new Secret(secret)));
    const buckets = new SharedBuckets(redis, new LocalBuckets(), new LimitMetrics(new Metrics()));
    this.open.push(buckets);
    await buckets.onApplicationBootstrap();
    return buckets;
  }
}

export const isShared = (all: readonly SharedBuckets[]) => () =>
  all.every(({ sharing }) => sharing === 'shared');

/** Time in which a bucket gets another token. */
const INTERVAL_MS = 60_000 / LIMIT;

/**
 * Sends concurrent requests of a caller, spread over the replicas, and counts those that pass; once
 * more as another caller where a busy machine took so long that the bucket got another token.
 */
export async function passing(all: readonly SharedBuckets[], count: number, key: string): Promise<number> {
  const began = performance.now();
  const asked = Array.from({ length: count }, (_, n) => all[n % all.length]?.take(key, LIMIT));
  const states = await Promise.all(asked);
  if (performance.now() - began > INTERVAL_MS) return passing(all, count, `${key}:again`);
  return states.filter((state) => state?.isBlocked === false).length;
}

/** Checks exact counts for many callers, whichever node of a cluster stores their buckets. */
export async function expectShared(all: readonly SharedBuckets[], key: string): Promise<void> {
  expect(all.map(({ sharing }) => sharing)).toEqual(all.map(() => 'shared'));
  const callers = Array.from({ length: 30 }, (_, n) => `${key}:${n}`);
  const counts: number[] = [];
  // One after another: Redis has half a second for each request.
  for (const one of callers) counts.push(await passing(all, 3 * LIMIT, one));
  expect(counts).toEqual(callers.map(() => LIMIT));
}
