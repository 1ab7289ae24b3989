import { Query, type Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { fieldsOf } from './fields/model.js';

/** Query parameters that the handler of a route reads. */
const QueryNames = Reflector.createDecorator<readonly string[]>();

/**
 * Lets a route take any query parameter: `@AnyQuery('why')`, for endpoints of a standard that asks
 * to ignore unknown ones, and for pages.
 */
export const AnyQuery = Reflector.createDecorator<string>();

// The target of metadata is any function or class.
// eslint-disable-next-line @typescript-eslint/no-unsafe-function-type
type Target = Function;

const reflector = new Reflector();

/**
 * Handler parameter: the query of the request, validated as a body is. Its values are texts.
 * @param type class whose fields are the query parameters
 */
export function QueryOf(type: Type): ParameterDecorator {
  return (target, key, index) => {
    Query()(target, key, index);
    acceptQuery(...Object.keys(fieldsOf(type)))(target, key, index);
  };
}

/** Declares the query parameters that a parameter of a handler is read from. */
export function acceptQuery(...names: readonly string[]): ParameterDecorator {
  return (target, key) => {
    const descriptor = key === undefined ? undefined : Object.getOwnPropertyDescriptor(target, key);
    if (key === undefined || !descriptor) throw new Error('Only methods of a controller read a query.');
    const known = reflector.get(QueryNames, descriptor.value as Target) as readonly string[] | undefined;
    QueryNames([...(known ?? []), ...names])(target, key, descriptor);
  };
}

/** @returns the names of the query parameters that a route takes; null if it takes any */
export function queryNamesOf(handler: Target, controller: Target): readonly string[] | null {
  if (reflector.getAllAndOverride<string | undefined>(AnyQuery, [handler, controller]) !== undefined)
    return null;
  return (reflector.get(QueryNames, handler) as readonly string[] | undefined) ?? [];
}
