import type { ReferenceObject, SchemaObject } from '@nestjs/swagger';

type Schema = SchemaObject | ReferenceObject;
type Schemas = Readonly<Record<string, Schema>>;

/** Follows a reference into the document's schemas. */
export function resolveSchema(schema: Schema, schemas: Schemas): SchemaObject {
  if (!('$ref' in schema)) return schema;
  const target = schemas[schema.$ref.split('/').at(-1) ?? ''];
  if (!target) throw new Error(`The schema ${schema.$ref} does not exist.`);
  return resolveSchema(target, schemas);
}

/**
 * Builds the example of a body from the examples of its fields, so that controllers need not repeat
 * them. Omits a field without an example; the test that validates examples then fails.
 */
export function exampleOf(reference: Schema, schemas: Schemas): unknown {
  const schema = resolveSchema(reference, schemas);
  if (Array.isArray(schema.examples)) return schema.examples[0] as unknown;
  if ('const' in schema) return schema['const'];
  const parts = schema.allOf ?? schema.anyOf ?? schema.oneOf;
  if (parts?.[0]) return exampleOf(parts[0], schemas);
  if (schema.items) return [exampleOf(schema.items, schemas)];
  if (!schema.properties) return schema.enum?.[0] as unknown;
  return Object.fromEntries(
    Object.entries(schema.properties).map(([name, property]) => [name, exampleOf(property, schemas)]),
  );
}

/**
 * Replaces `example` by `examples` in a schema, in place: OpenAPI 3.1 deprecates `example` in
 * favour of JSON Schema's `examples`.
 */
export function useExamples(schema: Schema): void {
  if ('$ref' in schema) return;
  if ('example' in schema) {
    schema.examples = [schema.example as unknown];
    delete schema.example;
  }
  for (const part of [
    ...Object.values(schema.properties ?? {}),
    ...(schema.items ? [schema.items] : []),
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
  ])
    useExamples(part);
}
