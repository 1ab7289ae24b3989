import { Global, Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import { type RedisAddress, type Settings, SETTINGS } from '../config/index.js';
import { KeyDerivation } from '../crypto/index.js';
import { CallerLimit } from './caller-limit.js';
import { GeneralLimit } from './general-limit.js';
import { LimitMetrics } from './limit-metrics.js';
import { LocalBuckets } from './buckets/local-buckets.js';
import { RedisBuckets } from './buckets/redis-buckets.js';
import type { RedisClient } from './buckets/redis-client.js';
import { SharedBuckets } from './buckets/shared-buckets.js';
import { SilentLimit } from './silent-limit.js';
import { strictBuckets } from './buckets/network-bucket.js';
import { StrictLimitGuard } from './strict-limit.guard.js';
import { PERIOD_MS, TokenBuckets } from './buckets/token-buckets.js';

const buckets = {
  provide: TokenBuckets,
  inject: [SETTINGS, KeyDerivation, LimitMetrics],
  useFactory: async ({ REDIS_URL }: Settings, keys: KeyDerivation, metrics: LimitMetrics) => {
    const local = new LocalBuckets();
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
      inject: [SETTINGS, TokenBuckets],
      useFactory: (settings: Settings, storage: TokenBuckets) => ({
        storage,
        // 0 means off.
        throttlers: strictBuckets().map((bucket) => ({
          name: bucket.name,
          ttl: PERIOD_MS,
          limit: bucket.sizeIn(settings) ?? 0,
        })),
      }),
    }),
  ],
  providers: [CallerLimit, GeneralLimit, SilentLimit, StrictLimitGuard],
  exports: [BucketModule, CallerLimit, GeneralLimit, SilentLimit, StrictLimitGuard, ThrottlerModule],
})
export class RateLimitModule {}
