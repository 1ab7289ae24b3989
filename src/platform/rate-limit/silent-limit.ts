import { Inject, Injectable } from '@nestjs/common';
import { type Settings, SETTINGS } from '../config/index.js';
import { networkOf } from '../web/index.js';
import { LimitMetrics, type SilentBucket } from './limit-metrics.js';
import { TokenBuckets } from './token-buckets.js';

/**
 * Limits by client network the work that a request queues, where the answer must stay the same
 * beyond the limit: the specification lets the route always report success.
 */
@Injectable()
export class SilentLimit {
  constructor(
    private readonly buckets: TokenBuckets,
    private readonly metrics: LimitMetrics,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Takes a token of a bucket with `RATE_RESET` tokens a minute.
   * @returns false where the network has none left
   */
  async allows(bucket: SilentBucket, ipAddress: string): Promise<boolean> {
    const limit = this.settings.RATE_RESET;
    if (limit === null) return true;
    const { isBlocked } = await this.buckets.take(`${bucket}:${networkOf(ipAddress)}`, limit);
    this.metrics.asked(bucket, isBlocked);
    return !isBlocked;
  }
}
