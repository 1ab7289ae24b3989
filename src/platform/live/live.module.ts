import { Global, Module } from '@nestjs/common';
import { ChangeFeed } from './change-feed.js';

@Global()
@Module({ providers: [ChangeFeed], exports: [ChangeFeed] })
export class LiveModule {}
