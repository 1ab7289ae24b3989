import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type Settings, SETTINGS } from '../config/index.js';
import { authenticationOf, clientIpOf, networkOf } from '../web/index.js';
import { LimitMetrics } from './limit-metrics.js';
import { showBucket, tooManyRequests } from './rate-limit-headers.js';
import { TokenBuckets } from './buckets/token-buckets.js';

/** Value of the headers if a limit is off, as for a load test. */
const UNLIMITED = 1_000_000_000;

/** General buckets `read` and `write`: per user with a valid token, else per client network. */
@Injectable()
export class GeneralLimit {
  constructor(
    private readonly buckets: TokenBuckets,
    private readonly metrics: LimitMetrics,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Takes a token and sets the rate limit headers.
   * @param read true for the `read` bucket, false for `write`
   * @throws {AppError} too-many-requests
   */
  async take(request: Request, response: Response, read: boolean): Promise<void> {
    const limit = read ? this.settings.RATE_READ : this.settings.RATE_WRITE;
    const { principal } = authenticationOf(request);
    const caller = principal ? `user:${principal.userId}` : `ip:${networkOf(clientIpOf(request))}`;
    if (limit === null)
      return showBucket(response, { limit: UNLIMITED, remaining: UNLIMITED, nextTokenAt: Date.now() });
    const bucket = read ? 'read' : 'write';
    const state = await this.buckets.take(`${bucket}:${caller}`, limit);
    showBucket(response, state);
    this.metrics.count(bucket, state.isBlocked);
    if (state.isBlocked) throw tooManyRequests(state);
  }
}
