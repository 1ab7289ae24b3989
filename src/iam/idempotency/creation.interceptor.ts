import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { from, lastValueFrom, map, type Observable } from 'rxjs';
import { headerValuesOf } from '../../platform/web/index.js';
import { Idempotency } from './idempotency.js';

/**
 * Path of what a route creates: `:name` is a parameter of the route, `{name}` a member of the
 * response.
 */
export const CreatedAt = Reflector.createDecorator<string>();

/**
 * Adds `Location` to the response of a route that creates something, and sends the response to an
 * earlier request again if it had the same `Idempotency-Key`. Bound to these routes by `@Creates`.
 */
@Injectable()
export class CreationInterceptor implements NestInterceptor {
  private found: Idempotency | undefined;

  constructor(
    private readonly modules: ModuleRef,
    private readonly reflector: Reflector,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<object>): Observable<object> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const path = this.reflector.get(CreatedAt, context.getHandler());
    const keys = headerValuesOf(request, 'idempotency-key');
    return this.respond(request, response, keys, next).pipe(
      map((body) => {
        response.setHeader('Location', locationOf(path, body, request));
        return body;
      }),
    );
  }

  private get service(): Idempotency {
    return (this.found ??= this.modules.get<Idempotency, Idempotency>(Idempotency, { strict: false }));
  }

  private respond(
    request: Request,
    response: Response,
    keys: readonly string[],
    next: CallHandler<object>,
  ): Observable<object> {
    if (keys.length === 0) return next.handle();
    const work = () => lastValueFrom(next.handle());
    return from(
      this.service.once(request, keys, work).then(({ body, replayed }) => {
        if (replayed) response.setHeader('Idempotency-Replayed', 'true');
        return body;
      }),
    );
  }
}

function locationOf(path: string, body: object, { params }: Request): string {
  const members = new Map<string, unknown>(Object.entries(body));
  return path
    .replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
    .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(members.get(name))));
}
