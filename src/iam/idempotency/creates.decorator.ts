import { applyDecorators, type Type, UseInterceptors } from '@nestjs/common';
import { type AnswerDecorator, ApiCreatedResponse } from '../../platform/api/index.js';
import { CreatedAt, CreationInterceptor } from './creation.interceptor.js';

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
