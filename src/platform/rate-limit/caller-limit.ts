import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { LimitMetrics } from './limit-metrics.js';
import { showBucket, tooManyRequests } from './rate-limit-headers.js';
import { TokenBuckets } from './buckets/token-buckets.js';

/** Value of the headers if a limit is off, as for a load test. */
const UNLIMITED = 1_000_000_000;

/** Buckets per caller of a protocol that has its own instead of the general one. */
@Injectable()
export class CallerLimit {
  constructor(
    private readonly buckets: TokenBuckets,
    private readonly metrics: LimitMetrics,
  ) {}

  /**
   * Takes a token and sets the rate limit headers.
   * @param limit size of the bucket, in requests per minute; null if it is off
   * @throws {AppError} too-many-requests
   */
  async take(response: Response, bucket: 'scim', caller: string, limit: number | null): Promise<void> {
    if (limit === null)
      return showBucket(response, { limit: UNLIMITED, remaining: UNLIMITED, nextTokenAt: Date.now() });
    const state = await this.buckets.take(`${bucket}:${caller}`, limit);
    showBucket(response, state);
    this.metrics.count(bucket, state.isBlocked);
    if (state.isBlocked) throw tooManyRequests(state);
  }
}
