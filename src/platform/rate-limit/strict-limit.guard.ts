import { Inject, Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ThrottlerGuard, type ThrottlerRequest } from '@nestjs/throttler';
import type { Request, Response } from 'express';
import { clientIpOf, networkOf } from '../web/index.js';
import type { StrictBucket } from './buckets/bucket.js';
import { RateLimits } from './rate-limits.js';

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
