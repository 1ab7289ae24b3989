import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type Type,
  UseInterceptors,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import { ApiOkResponse } from '../swagger/described.js';
import { etagOf } from './etag.js';

/** Metadata of {@link Versioned}. */
export const VersionedMark = Reflector.createDecorator<true>();

/** Adds the `ETag` of the body to a response. */
class EtagInterceptor implements NestInterceptor<object, object> {
  intercept(context: ExecutionContext, next: CallHandler<object>): Observable<object> {
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      map((body) => {
        response.setHeader('ETag', etagOf(body));
        return body;
      }),
    );
  }
}

/**
 * Declares that a route answers 200 with what can be changed, and with its strong `ETag`. The GET
 * and the changes of a resource must return the same body, so that either tag can be
 * sent with the next change.
 * @param type of the response
 */
export function Versioned(type: Type): MethodDecorator {
  return applyDecorators(VersionedMark(true), UseInterceptors(EtagInterceptor), ApiOkResponse({ type }));
}
