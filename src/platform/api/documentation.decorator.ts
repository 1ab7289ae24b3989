import { applyDecorators, type CustomDecorator, HttpCode, type Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiTags } from './swagger/described.js';
import type { ErrorCode } from '../errors/index.js';

type RequestBody = NonNullable<Parameters<typeof ApiOperation>[0]>['requestBody'];

/** Keeps a handler from compiling that returns a field which the documentation does not have. */
type Undocumented<Handler extends (...parameters: never[]) => unknown, Body> =
  Exclude<keyof Awaited<ReturnType<Handler>>, keyof Body> extends never ? unknown : 'undocumented field';

/** Decorates handlers that return what the documentation says, and nothing else. */
export type AnswerDecorator<Body> = <Handler extends (...parameters: never[]) => Body | Promise<Body>>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<Handler> & Undocumented<Handler, Body>,
) => void;

/** Tag of the OpenAPI document. */
export interface TagInfo {
  readonly name: string;
  readonly description: string;
}

/** Metadata of {@link Tag}. */
export const TagMark = Reflector.createDecorator<TagInfo>();

/**
 * Groups the operations of a controller under an API tag. The description is declared here, so that
 * each module brings its own.
 */
export function Tag(name: string, description: string): ClassDecorator {
  return applyDecorators(ApiTags(name), TagMark({ name, description }));
}

/** API tag of the documentation and the pages that explain errors. */
export const DocumentationTag = () =>
  Tag('Documentation', 'What explains the service to people and to tools.');

/**
 * Describes an operation. Its id, in the API documentation and the client, is the method's name,
 * which never changes once it is published.
 * @param requestBody of a body that no class of the method's parameters describes
 */
export function Operation(summary: string, description?: string, requestBody?: RequestBody): MethodDecorator {
  return (target, key, descriptor) => {
    ApiOperation({ operationId: String(key), summary, description, requestBody })(target, key, descriptor);
  };
}

/** Declares that a route answers 200. @param type of the response; in brackets, a list of it */
export function Answers<Body>(type: Type<Body>): AnswerDecorator<Body>;
export function Answers<Item>(type: [Type<Item>]): AnswerDecorator<Item[]>;
export function Answers(type: Type | [Type]): MethodDecorator {
  return applyDecorators(HttpCode(200), ApiOkResponse({ type }));
}

/** Declares that a route answers 202: a job finishes what it starts. @param type of the response */
export function Accepts(): MethodDecorator;
export function Accepts<Body>(type: Type<Body>): AnswerDecorator<Body>;
export function Accepts(type?: Type): MethodDecorator {
  return applyDecorators(HttpCode(202), ApiAcceptedResponse({ type }));
}

/** Metadata of {@link Problems}. */
export const ProblemsMark = Reflector.createDecorator<ErrorCode[]>();

/**
 * Declares the errors specific to an operation, for the API documentation. Errors that follow from
 * the route (400, 401 with `@Bearer()`, 404 with an id in the path, 413, 415, 429, 500, 503) are
 * added without it.
 */
export function Problems(...codes: ErrorCode[]): CustomDecorator {
  return ProblemsMark(codes);
}
