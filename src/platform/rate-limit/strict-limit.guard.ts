import { Inject, Injectable, type ExecutionContext } from '@nestjs/common';
import { ThrottlerGuard } from '@nestjs/throttler';
import type { Request, Response } from 'express';
import { clientIpOf, networkOf } from '../web/index.js';
import { LimitMetrics } from './limit-metrics.js';
import { showBucket, tooManyRequests } from './rate-limit-headers.js';
import { StrictLimit } from './strict-limit.decorator.js';
import type { BucketState } from './buckets/token-buckets.js';

/** Bucket of a route. */
interface DeclaredLimit {
  readonly name: string;
  readonly ttl: number;
  /** 0 means off. */
  readonly limit: number;
}

/**
 * Takes a token of the route's strict bucket: @nestjs/throttler's guard with this API's headers and
 * 429.
 */
@Injectable()
export class StrictLimitGuard extends ThrottlerGuard {
  @Inject()
  private readonly metrics: LimitMetrics;
  /** Cache by handler, as a lookup of metadata costs as much as a bucket. */
  private readonly declared = new WeakMap<object, { readonly limit: DeclaredLimit | null }>();

  /**
   * Asks the bucket of the route alone. The library looks up six settings of each bucket there is:
   * 7 % of a token request.
   */
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const declared = this.limitOf(context.getHandler());
    if (declared === null || declared.limit === 0) return true;
    const http = context.switchToHttp();
    const response = http.getResponse<Response>();
    const { name, ttl, limit } = declared;
    const key = `${name}:${networkOf(clientIpOf(http.getRequest<Request>()))}`;
    const state = (await this.storageService.increment(key, ttl, limit, 0, name)) as BucketState;
    showBucket(response, state);
    this.metrics.count(name, state.isBlocked);
    if (state.isBlocked) throw tooManyRequests(state);
    return true;
  }

  /** @returns null for a route without a strict bucket: most have none */
  private limitOf(handler: object): DeclaredLimit | null {
    let known = this.declared.get(handler);
    if (!known) {
      known = { limit: this.readLimit(handler) };
      this.declared.set(handler, known);
    }
    return known.limit;
  }

  /** @throws {Error} for a bucket that is not configured: its route must not be without a limit */
  private readLimit(handler: object): DeclaredLimit | null {
    const bucket = this.reflector.get(StrictLimit, handler as never);
    if (!bucket) return null;
    const configured = this.throttlers.find(({ name }) => name === bucket.name);
    if (!configured) throw new Error(`The rate limit bucket ${bucket.name} is not configured.`);
    return { name: bucket.name, ttl: Number(configured.ttl), limit: Number(configured.limit) };
  }
}
