import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { lastValueFrom, type Observable, of } from 'rxjs';
import { headerValuesOf } from '../../platform/web/index.js';
import { Idempotency } from './idempotency.js';

/**
 * Path of what a route creates: `:name` is a parameter of the route, `{name}` a member of the
 * response.
 */
export const CreatedAt = Reflector.createDecorator<string>();

/**
 * Adds `Location` to the response of a route that creates something, and sends the response to an
 * earlier request again, with its cookies, if it had the same `Idempotency-Key`. Bound to these
 * routes by `@Creates`.
 */
@Injectable()
export class CreationInterceptor implements NestInterceptor {
  constructor(
    private readonly idempotency: Idempotency,
    private readonly reflector: Reflector,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler<object>): Promise<Observable<object>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const work = async () => ({ body: await lastValueFrom(next.handle()), cookies: cookiesOf(response) });
    const keys = headerValuesOf(request, 'idempotency-key');
    const { body, cookies, replayed } =
      keys.length === 0
        ? { ...(await work()), replayed: false }
        : await this.idempotency.once(request, keys, work);
    if (replayed) {
      response.setHeader('Idempotency-Replayed', 'true');
      if (cookies.length > 0) response.setHeader('Set-Cookie', cookies);
    }
    const path = this.reflector.get(CreatedAt, context.getHandler());
    response.setHeader('Location', locationOf(path, body, request));
    return of(body);
  }
}

/** Returns the cookies that the handler has set. */
function cookiesOf(response: Response): string[] {
  const cookies = response.getHeader('set-cookie') ?? [];
  return Array.isArray(cookies) ? cookies : [String(cookies)];
}

function locationOf(path: string, body: object, { params }: Request): string {
  return path
    .replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
    .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(Reflect.get(body, name))));
}
