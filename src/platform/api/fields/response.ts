import type { Type } from '@nestjs/common';
import { fieldsOf } from './model.js';

/** What a field of a response may be made of: a time also of a Date. */
type Given<V> = V extends readonly (infer Item)[] ? readonly Item[] : string extends V ? V | Date : V;
type Source<T> = { readonly [Field in keyof T]: Given<T[Field]> };

/**
 * Returns a response with the fields that its class declares by `@Output`, and no others of the
 * source. Dates become times.
 */
export function toResponse<T extends object>(type: Type<T>, source: Source<T>): T {
  const entries = Object.keys(fieldsOf(type)).flatMap((name) => {
    const value = (source as Readonly<Record<string, unknown>>)[name];
    if (value === undefined) return [];
    return [[name, value instanceof Date ? value.toISOString() : value] as const];
  });
  return Object.fromEntries(entries) as T;
}
