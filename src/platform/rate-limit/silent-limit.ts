import { Inject, Injectable } from '@nestjs/common';
import { type Settings, SETTINGS } from '../config/index.js';
import { networkOf } from '../web/index.js';
import { LimitMetrics } from './limit-metrics.js';
import type { SilentBucket } from './buckets/network-bucket.js';
import { TokenBuckets } from './buckets/token-buckets.js';

/**
 * Limits the work that requests of a client network queue, without changing the response.
 */
@Injectable()
export class SilentLimit {
  constructor(
    private readonly buckets: TokenBuckets,
    private readonly metrics: LimitMetrics,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Takes a token of the bucket of a client network.
   * @returns false if the network has none left
   */
  async allows(bucket: SilentBucket, ipAddress: string): Promise<boolean> {
    const limit = bucket.sizeIn(this.settings);
    if (limit === null) return true;
    const { isBlocked } = await this.buckets.take(`${bucket.name}:${networkOf(ipAddress)}`, limit);
    this.metrics.count(bucket.name, isBlocked);
    return !isBlocked;
  }
}
