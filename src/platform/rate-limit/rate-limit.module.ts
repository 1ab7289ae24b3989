import { Global, Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import { type RedisAddress, type Settings, SETTINGS } from '../config/index.js';
import { KeyDerivation } from '../crypto/index.js';
import { Processes } from '../processes/index.js';
import { LimitMetrics } from './limit-metrics.js';
import { LocalBuckets } from './buckets/local-buckets.js';
import { ParentBuckets } from './buckets/parent-buckets.js';
import { RedisBuckets } from './buckets/redis-buckets.js';
import type { RedisClient } from './buckets/redis-client.js';
import { SharedBuckets } from './buckets/shared-buckets.js';
import { RateLimits, StrictLimitGuard } from './rate-limits.js';
import { PERIOD_MS, TokenBuckets } from './buckets/token-buckets.js';

const buckets = {
  provide: TokenBuckets,
  inject: [SETTINGS, KeyDerivation, LimitMetrics, Processes],
  useFactory: async (
    { REDIS_URL }: Settings,
    keys: KeyDerivation,
    metrics: LimitMetrics,
    { parent }: Processes,
  ) => {
    const local = parent ? new ParentBuckets(parent) : new LocalBuckets();
    const all = REDIS_URL
      ? new SharedBuckets(new RedisBuckets(await clientOf(REDIS_URL), keys), local, metrics)
      : local;
    metrics.watch(() => all.sharing);
    return all;
  },
};

/**
 * Creates the Redis client. Loads the library only if Redis is configured, to save time and memory.
 */
async function clientOf(address: RedisAddress): Promise<RedisClient> {
  const { redisClient } = await import('./buckets/redis-client.js');
  return redisClient(address);
}

@Global()
@Module({ providers: [LimitMetrics, buckets], exports: [LimitMetrics, TokenBuckets] })
class BucketModule {}

@Global()
@Module({
  imports: [
    BucketModule,
    ThrottlerModule.forRootAsync({
      imports: [BucketModule],
      inject: [TokenBuckets],
      // StrictLimitGuard takes the size of the bucket of each route instead.
      useFactory: (storage: TokenBuckets) => ({ storage, throttlers: [{ ttl: PERIOD_MS, limit: 0 }] }),
    }),
  ],
  providers: [RateLimits, StrictLimitGuard],
  exports: [BucketModule, RateLimits, StrictLimitGuard, ThrottlerModule],
})
export class RateLimitModule {}
