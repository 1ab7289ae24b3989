import { applyDecorators, type Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { markVersioned } from '../../web/index.js';
import type { AnswerDecorator } from '../documentation.decorator.js';
import { ApiOkResponse } from '../swagger/described.js';

/** Metadata of {@link Versioned}. */
export const VersionedMark = Reflector.createDecorator<true>();

type Handler = (...parameters: unknown[]) => object | Promise<object>;

/**
 * Marks what a handler returns. Wraps the handler, because an interceptor would cost each read a
 * tenth of its time.
 */
const markBody: MethodDecorator = (_target, _key, descriptor) => {
  const handler = descriptor.value as Handler;
  const marking = async function (this: unknown, ...parameters: unknown[]): Promise<object> {
    return markVersioned(await handler.apply(this, parameters));
  };
  // Found by its name: by Swagger, among others.
  Object.defineProperty(marking, 'name', { value: handler.name });
  for (const key of Reflect.getMetadataKeys(handler) as unknown[])
    Reflect.defineMetadata(key, Reflect.getMetadata(key, handler), marking);
  descriptor.value = marking as never;
};

/**
 * Declares that a route answers 200 with what can be changed, and with its strong `ETag`. The GET
 * and the changes of a resource must return the same body, so that either tag can be
 * sent with the next change.
 * @param type of the response
 */
export function Versioned<Body>(type: Type<Body>): AnswerDecorator<Body> {
  return applyDecorators(markBody, VersionedMark(true), ApiOkResponse({ type }));
}
