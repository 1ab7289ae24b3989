import { Inject, Injectable, type ExecutionContext } from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerRequest } from '@nestjs/throttler';
import type { Request, Response } from 'express';
import { clientOf, networkOf } from '../web/index.js';
import { LimitMetrics } from './limit-metrics.js';
import { showBucket, tooManyRequests } from './rate-limit-headers.js';
import type { StrictBucket } from './buckets/network-bucket.js';
import { StrictLimit } from './strict-limit.decorator.js';
import type { BucketState } from './buckets/token-buckets.js';

/**
 * Takes a token of the route's strict bucket: @nestjs/throttler's guard with this API's headers and
 * 429.
 */
@Injectable()
export class StrictLimitGuard extends ThrottlerGuard {
  @Inject()
  private readonly metrics: LimitMetrics;
  /** Cache by handler, as a lookup of metadata costs as much as a bucket. */
  private readonly declared = new WeakMap<object, { readonly bucket: StrictBucket | undefined }>();

  /** Skips routes without a strict bucket early: most have none. */
  protected override async shouldSkip(context: ExecutionContext): Promise<boolean> {
    return this.bucketOf(context) === undefined;
  }

  protected override async handleRequest({
    context,
    limit,
    ttl,
    throttler,
  }: ThrottlerRequest): Promise<boolean> {
    const declared = this.bucketOf(context) as StrictBucket; // other routes are skipped
    if (declared.name !== throttler.name || limit === 0) return true;
    const { request, response } = this.exchange(context);
    const key = `${declared.name}:${networkOf(clientOf(request).ipAddress)}`;
    const state = (await this.storageService.increment(key, ttl, limit, 0, declared.name)) as BucketState;
    showBucket(response, state);
    this.metrics.count(declared.name, state.isBlocked);
    if (state.isBlocked) throw tooManyRequests(state);
    return true;
  }

  private bucketOf(context: ExecutionContext): StrictBucket | undefined {
    const handler = context.getHandler();
    let known = this.declared.get(handler);
    if (!known) {
      known = { bucket: this.reflector.get(StrictLimit, handler) as StrictBucket | undefined };
      this.declared.set(handler, known);
    }
    return known.bucket;
  }

  private exchange(context: ExecutionContext): { request: Request; response: Response } {
    const http = context.switchToHttp();
    return { request: http.getRequest<Request>(), response: http.getResponse<Response>() };
  }
}
