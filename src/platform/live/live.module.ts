import { Global, Module } from '@nestjs/common';
import { ChangeFeed } from './change-feed.js';
import { FeedMetrics } from './feed-metrics.js';

@Global()
@Module({ providers: [ChangeFeed, FeedMetrics], exports: [ChangeFeed] })
export class LiveModule {}
