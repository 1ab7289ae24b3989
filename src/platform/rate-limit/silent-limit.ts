import { Inject, Injectable } from '@nestjs/common';
import { type Settings, SETTINGS } from '../config/index.js';
import { networkOf } from '../web/index.js';
import { LimitMetrics, type SilentBucket } from './limit-metrics.js';
import { TokenBuckets } from './token-buckets.js';

/**
 * Limits the work that requests of a client network queue, without changing the response: the
 * specification requires the route to report success in any case.
 */
@Injectable()
export class SilentLimit {
  constructor(
    private readonly buckets: TokenBuckets,
    private readonly metrics: LimitMetrics,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Takes a token of a bucket of `RATE_RESET` tokens per minute.
   * @returns false if the network has none left
   */
  async allows(bucket: SilentBucket, ipAddress: string): Promise<boolean> {
    const limit = this.settings.RATE_RESET;
    if (limit === null) return true;
    const { isBlocked } = await this.buckets.take(`${bucket}:${networkOf(ipAddress)}`, limit);
    this.metrics.count(bucket, isBlocked);
    return !isBlocked;
  }
}
