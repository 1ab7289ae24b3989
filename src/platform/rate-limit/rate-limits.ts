import { type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ThrottlerGuard, type ThrottlerRequest } from '@nestjs/throttler';
import type { Request, Response } from 'express';
import { type Settings, SETTINGS } from '../config/index.js';
import { AppError } from '../errors/index.js';
import { authenticationOf, clientIpOf, networkOf } from '../web/index.js';
import { Bucket, type StrictBucket } from './buckets/bucket.js';
import { type BucketState, stateOf, TokenBuckets } from './buckets/token-buckets.js';
import { LimitMetrics } from './limit-metrics.js';

const READ = new Bucket('read', 'RATE_READ');
const WRITE = new Bucket('write', 'RATE_WRITE');

/** Size that is shown if a limit is off, as for a load test. */
const UNLIMITED = 1_000_000_000;

/** Takes tokens of the buckets of callers: every rate limit is counted here. */
@Injectable()
export class RateLimits {
  constructor(
    private readonly buckets: TokenBuckets,
    private readonly metrics: LimitMetrics,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Takes a token of a caller's bucket. Nothing is counted if the limit is off. */
  async take(bucket: Bucket, caller: string): Promise<BucketState> {
    const limit = bucket.sizeIn(this.settings);
    if (limit === null) return stateOf(true, 0, Date.now() * 1_000, UNLIMITED);
    const state = await this.buckets.take(`${bucket.name}:${caller}`, limit);
    this.metrics.count(bucket.name, state.isBlocked);
    return state;
  }

  /**
   * Takes a token, and sets the rate limit headers.
   * @throws {AppError} too-many-requests
   */
  async require(bucket: Bucket, caller: string, response: Response): Promise<void> {
    const state = await this.take(bucket, caller);
    showBucket(response, state);
    if (state.isBlocked)
      throw new AppError('too-many-requests', { retryAfterSeconds: state.timeToBlockExpire });
  }

  /**
   * Takes a token of the general bucket: per user with a valid token, else per client network.
   * @param read true for the `read` bucket, false for `write`
   * @throws {AppError} too-many-requests
   */
  requireGeneral(request: Request, response: Response, read: boolean): Promise<void> {
    const { principal } = authenticationOf(request);
    const caller = principal ? `user:${principal.userId}` : `ip:${networkOf(clientIpOf(request))}`;
    return this.require(read ? READ : WRITE, caller, response);
  }
}

/** Sets the rate limit headers, unless they show a bucket with as few tokens left, or fewer. */
export function showBucket(
  response: Response,
  state: Pick<BucketState, 'limit' | 'remaining' | 'nextTokenAt'>,
): void {
  const shown = Number(response.getHeader('X-RateLimit-Remaining')); // NaN without the header
  if (shown <= state.remaining) return;
  response.setHeader('X-RateLimit-Limit', String(state.limit));
  response.setHeader('X-RateLimit-Remaining', String(state.remaining));
  response.setHeader('X-RateLimit-Reset', String(Math.ceil(state.nextTokenAt / 1000)));
}

/** Counts a route in a strict bucket, in addition to the general one. */
export const StrictLimit = Reflector.createDecorator<StrictBucket>();

/**
 * Guard of @nestjs/throttler, with the two methods that it leaves to an application: which routes
 * it skips, and what a request of the others does. The token is taken by {@link RateLimits}, whose
 * headers and 429 are the API's.
 */
@Injectable()
export class StrictLimitGuard extends ThrottlerGuard {
  @Inject()
  private readonly limits: RateLimits;

  protected override shouldSkip(context: ExecutionContext): Promise<boolean> {
    return Promise.resolve(this.bucketOf(context) === undefined);
  }

  protected override async handleRequest({ context }: ThrottlerRequest): Promise<boolean> {
    const { req, res } = this.getRequestResponse(context);
    const bucket = this.bucketOf(context);
    if (bucket) await this.limits.require(bucket, networkOf(clientIpOf(req as Request)), res as Response);
    return true;
  }

  private bucketOf(context: ExecutionContext): StrictBucket | undefined {
    return this.reflector.get(StrictLimit, context.getHandler());
  }
}
