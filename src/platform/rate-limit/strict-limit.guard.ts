import { Injectable, type ExecutionContext } from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerRequest } from '@nestjs/throttler';
import type { Request, Response } from 'express';
import { clientOf, networkOf } from '../http/index.js';
import type { BucketState } from './gcra-store.js';
import { showBucket, tooManyRequests } from './rate-limit-headers.js';
import { STRICT_LIMIT } from './strict-limit.decorator.js';

/** Asks the strict bucket that the route declares: @nestjs/throttler's guard with our headers and our 429. */
@Injectable()
export class StrictLimitGuard extends ThrottlerGuard {
  /** Most routes declare none, and are not held up by looking for each. */
  protected override async shouldSkip(context: ExecutionContext): Promise<boolean> {
    return this.bucketOf(context) === undefined;
  }

  protected override async handleRequest({
    context,
    limit,
    ttl,
    throttler,
  }: ThrottlerRequest): Promise<boolean> {
    const declared = this.bucketOf(context);
    if (declared !== throttler.name || limit === 0) return true;
    const { request, response } = this.exchange(context);
    const key = `${declared}:${networkOf(clientOf(request).ipAddress)}`;
    const state = (await this.storageService.increment(
      key,
      ttl,
      limit,
      0,
      throttler.name ?? 'default',
    )) as BucketState;
    showBucket(response, state);
    if (state.isBlocked) throw tooManyRequests(state);
    return true;
  }

  private bucketOf(context: ExecutionContext): string | undefined {
    return this.reflector.getAllAndOverride<string | undefined>(STRICT_LIMIT, [
      context.getHandler(),
      context.getClass(),
    ]);
  }

  private exchange(context: ExecutionContext): { request: Request; response: Response } {
    const http = context.switchToHttp();
    return { request: http.getRequest<Request>(), response: http.getResponse<Response>() };
  }
}
