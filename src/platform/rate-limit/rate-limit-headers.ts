import type { Response } from 'express';
import { AppError } from '../errors/index.js';
import type { BucketState } from './buckets/token-buckets.js';

/** Sets the rate limit headers, unless they show a bucket with fewer tokens left. */
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

/** Returns the 429 for an empty bucket. */
export function tooManyRequests(state: BucketState): AppError {
  return new AppError('too-many-requests', { retryAfterSeconds: state.timeToBlockExpire });
}
