import { Global, Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import { SETTINGS, type Settings } from '../config/index.js';
import { GcraStore, PERIOD_MS } from './gcra-store.js';
import { GeneralLimit } from './general-limit.js';
import { LimitMetrics } from './limit-metrics.js';
import { StrictLimitGuard } from './strict-limit.guard.js';

const store = { provide: GcraStore, useFactory: () => new GcraStore() };

@Global()
@Module({ providers: [store], exports: [GcraStore] })
class BucketModule {}

@Global()
@Module({
  imports: [
    BucketModule,
    ThrottlerModule.forRootAsync({
      imports: [BucketModule],
      inject: [SETTINGS, GcraStore],
      useFactory: (settings: Settings, storage: GcraStore) => ({
        storage,
        // A limit of 0 stands for "off".
        throttlers: [
          { name: 'login', ttl: PERIOD_MS, limit: settings.RATE_LOGIN ?? 0 },
          { name: 'refresh', ttl: PERIOD_MS, limit: settings.RATE_REFRESH ?? 0 },
          { name: 'request-password-reset', ttl: PERIOD_MS, limit: settings.RATE_RESET ?? 0 },
        ],
      }),
    }),
  ],
  providers: [GeneralLimit, LimitMetrics, StrictLimitGuard],
  exports: [GeneralLimit, LimitMetrics, StrictLimitGuard, ThrottlerModule],
})
export class RateLimitModule {}
