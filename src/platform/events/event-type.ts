import type { Type } from '@nestjs/common';
import { type FieldSchema, fieldsOf } from '../api/index.js';

/** Shape of the name of a type: `<module>.<thing>.<what happened>`. */
const EVENT_TYPE_SHAPE = /^[a-z][a-z-]*\.[a-z][a-z-]*\.[a-z][a-z-]*$/;

/** What a type says about itself, besides its name and fields. */
export interface EventTypeOptions {
  /** What happened, in one sentence. */
  readonly description: string;
  /** Scope that a subscriber of an organization must hold. */
  readonly readScope: string;
  /**
   * Whether operators of the platform can subscribe to it, or they alone; `own`: to those that
   * concern no organization. Default: no.
   */
  readonly platform?: boolean | 'only' | 'own';
  /** Field with the id of a person or thing whose personal data can be added at delivery. */
  readonly personal?: { readonly source: string; readonly field: string };
}

/** A declared type of events. */
export interface EventType extends EventTypeOptions {
  readonly name: string;
  readonly model: Type;
}

const types = new Map<string, EventType>();
const names = new Map<Type, string>();

/**
 * Declares a type of events by the class of its data. The fields are documented with `Output`, as
 * those of a response. A type never changes its meaning: a new meaning is a new name.
 */
export function EventType(name: string, options: EventTypeOptions): (model: Type) => void {
  return (model) => {
    declareEventType({ ...options, name, model });
    names.set(model, name);
  };
}

/** Declares a type of events whose data is of a class that other types have too. */
export function declareEventType(type: EventType): EventType {
  const { name } = type;
  if (!EVENT_TYPE_SHAPE.test(name)) throw new Error(`${name} is not the name of a type of events.`);
  if (types.has(name)) throw new Error(`The type of events ${name} is declared twice.`);
  types.set(name, type);
  return type;
}

/** @returns the declared types, in order of name */
export function eventTypes(): EventType[] {
  return [...types.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

export function findEventType(name: string): EventType | undefined {
  return types.get(name);
}

/** @throws {Error} if the class declares no type */
export function eventTypeOf(model: Type): EventType {
  const type = types.get(names.get(model) ?? '');
  if (!type) throw new Error(`${model.name} is emitted and has no @EventType.`);
  return type;
}

/** JSON Schema of a value, as far as fields of events need it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** @returns the JSON Schema of the data of a type */
export function dataSchemaOf({ model }: Pick<EventType, 'model'>): JsonSchema {
  const fields = Object.entries(fieldsOf(model));
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [name, toSchema(field)])),
    required: fields
      .filter(([, field]) => (field as Record<string, unknown>)['required'] !== false)
      .map(([name]) => name),
  };
}

/** @returns an example of the data of a type, from the examples of its fields */
export function dataExampleOf({ model }: Pick<EventType, 'model'>): Record<string, unknown> {
  const fields = Object.entries(fieldsOf(model));
  return Object.fromEntries(
    fields.map(([name, field]) => [name, (field as Record<string, unknown>)['example']]),
  );
}

/** Converts the options of `@ApiProperty`. */
function toSchema(field: FieldSchema): JsonSchema {
  const { type, example, nullable, required: _, ...rest } = field as Record<string, unknown>;
  const name = typeof type === 'function' ? type.name.toLowerCase() : type;
  return {
    type: nullable === true ? [name, 'null'] : name,
    ...rest,
    ...(example !== undefined && { examples: [example] }),
  };
}
