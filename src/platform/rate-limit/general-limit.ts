import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type Settings, SETTINGS } from '../config/index.js';
import { authenticationOf, clientOf, networkOf } from '../web/index.js';
import { LimitMetrics } from './limit-metrics.js';
import { showBucket, tooManyRequests } from './rate-limit-headers.js';
import { TokenBuckets } from './token-buckets.js';

/** Shown where a limit is switched off for a load test. */
const UNLIMITED = 1_000_000_000;

/** The general buckets: reads and writes, per identity where a valid token is present, else per client address. */
@Injectable()
export class GeneralLimit {
  constructor(
    private readonly buckets: TokenBuckets,
    private readonly metrics: LimitMetrics,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** @throws {AppError} too-many-requests; the headers are on the answer either way */
  async take(request: Request, response: Response, read: boolean): Promise<void> {
    const limit = read ? this.settings.RATE_READ : this.settings.RATE_WRITE;
    const { principal } = authenticationOf(request);
    const caller = principal ? `user:${principal.userId}` : `ip:${networkOf(clientOf(request).ipAddress)}`;
    if (limit === null)
      return showBucket(response, { limit: UNLIMITED, remaining: UNLIMITED, nextTokenAt: Date.now() });
    const bucket = read ? 'read' : 'write';
    const state = await this.buckets.take(`${bucket}:${caller}`, limit);
    showBucket(response, state);
    this.metrics.asked(bucket, state.isBlocked);
    if (state.isBlocked) throw tooManyRequests(state);
  }
}
