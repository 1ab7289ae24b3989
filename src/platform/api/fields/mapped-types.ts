import type { Type } from '@nestjs/common';
import * as mapped from '@nestjs/mapped-types';
import { describeFields, fieldsOf } from './model.js';

/*
 * Mapped types of @nestjs/swagger, with validators and documentation, without loading that library.
 */

/** Class with some of the fields of another one. */
export function PickType<T, K extends keyof T & string>(base: Type<T>, keys: readonly K[]): Type<Pick<T, K>> {
  const picked = mapped.PickType(base, keys);
  describeFields(
    picked,
    choose(base, (name) => keys.some((key) => key === name)),
  );
  return picked;
}

/** Class without some of the fields of another one. */
export function OmitType<T, K extends keyof T & string>(base: Type<T>, keys: readonly K[]): Type<Omit<T, K>> {
  const rest = mapped.OmitType(base, keys);
  describeFields(
    rest,
    choose(base, (name) => !keys.some((key) => key === name)),
  );
  return rest;
}

/**
 * Class with the fields of another one, all optional. They may be null only if that class says so.
 */
export function PartialType<T>(base: Type<T>): Type<Partial<T>> {
  const partial = mapped.PartialType(base, { skipNullProperties: false });
  const optional = Object.entries(fieldsOf(base)).map(([name, schema]) => [
    name,
    { ...schema, required: false },
  ]);
  describeFields(partial, Object.fromEntries(optional) as ReturnType<typeof fieldsOf>);
  return partial;
}

/** Class with the fields of two others. */
export function IntersectionType<A, B>(first: Type<A>, second: Type<B>): Type<A & B> {
  const both = mapped.IntersectionType(first, second) as Type<A & B>;
  describeFields(both, { ...fieldsOf(first), ...fieldsOf(second) });
  return both;
}

function choose(base: object, keeps: (name: string) => boolean): ReturnType<typeof fieldsOf> {
  return Object.fromEntries(Object.entries(fieldsOf(base)).filter(([name]) => keeps(name)));
}
