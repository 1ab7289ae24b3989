import type { Type } from '@nestjs/common';

/** Options of `@ApiProperty`. */
export type FieldSchema = NonNullable<Parameters<(typeof import('@nestjs/swagger'))['ApiProperty']>[0]>;
type Fields = Readonly<Record<string, FieldSchema>>;

/**
 * Static method from which @nestjs/swagger reads the fields of a class when it builds a document or
 * a mapped type: the format that its compiler plugin writes. Fields are described without loading
 * the library, which would take a tenth of the start (ADR 21).
 */
const FACTORY = '_OPENAPI_METADATA_FACTORY';

/** @returns the described fields of a class, inherited ones first */
export function fieldsOf(model: object): Fields {
  return (model as { [FACTORY]?: () => Fields })[FACTORY]?.() ?? {};
}

/** Describes fields of a class, in addition to those that it has. */
export function describeFields(model: object, fields: Fields): void {
  const all = { ...fieldsOf(model), ...fields };
  Object.defineProperty(model, FACTORY, { value: () => all, configurable: true });
}

/** Describes the field that is decorated. */
export function describeField(schema: FieldSchema): PropertyDecorator {
  return (target, key) => describeFields((target as { constructor: Type }).constructor, { [key]: schema });
}
