import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  type Type,
  UseInterceptors,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { lastValueFrom, type Observable, of } from 'rxjs';
import { type AnswerDecorator, ApiCreatedResponse } from '../../platform/api/index.js';
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
class CreationInterceptor implements NestInterceptor {
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

type Headers = NonNullable<Parameters<typeof ApiCreatedResponse>[0]>['headers'];

/**
 * Declares that a route creates something: 201 with `Location`, and an `Idempotency-Key` by which
 * the request can be repeated for 24 hours without creating it twice. The response must be plain
 * JSON, and the handler must do its work through {@link Database}.
 * @param type of the response
 * @param location path of what is created: `:name` is a parameter of the route, `{name}` a member
 *   of the response
 * @param headers further headers of the response, for the API documentation
 */
export function Creates<Body>(type: Type<Body>, location: string, headers?: Headers): AnswerDecorator<Body> {
  return applyDecorators(
    CreatedAt(location),
    UseInterceptors(CreationInterceptor),
    ApiCreatedResponse({ type, ...(headers && { headers }) }),
  );
}
