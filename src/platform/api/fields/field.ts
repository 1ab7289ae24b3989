import { applyDecorators } from '@nestjs/common';
import { Type } from 'class-transformer';
import { ValidateBy, ValidateIf, ValidateNested } from 'class-validator';
import { DEFAULT_LOCALE, type Message, textOf } from '../../messages/index.js';
import './field.messages.js';
import { describeField, type FieldSchema } from './model.js';

/** What each item of a list must be. */
export type ItemRule = RegExp | ((item: unknown) => boolean);

/** Check of an input value. */
interface Check {
  readonly name: string;
  /** What a valid value must be; the message of the violation. */
  readonly message: string | Message;
  readonly test: (value: unknown) => boolean;
  /** For the validation pipe: rule of the items, each of which is a separate violation. */
  readonly items?: ItemRule;
}

/** What the validation pipe needs of a check, as the library passes it on. */
export interface CheckContext {
  readonly message: string | Message;
  readonly pattern: ItemRule | undefined;
}

/** Format, length and description of a value in a response. */
export interface OutputField {
  readonly schema: FieldSchema;
}

/** Format, length and description of a value, declared once for requests and responses. */
export interface Field extends OutputField {
  readonly checks: readonly Check[];
  /** What the schema of a request has in addition: what the checks refuse. */
  readonly strict?: FieldSchema;
  /** Returns the class of the object, or of each object of a list. */
  readonly object?: () => new () => object;
}

/** Texts of a field that depend on where it is used. */
interface FieldTexts {
  readonly description?: string;
  readonly example?: unknown;
}

export interface InputRules extends FieldTexts {
  readonly optional?: boolean;
  /** Accepts null as well, for a PATCH that clears the field. */
  readonly nullable?: boolean;
}

export interface OutputRules extends FieldTexts {
  /** Present in each response. Default: true. */
  readonly required?: boolean;
  readonly nullable?: boolean;
}

/** What {@link Input} does. */
export function describeInput(
  { schema, strict, checks, object }: Field,
  rules: InputRules = {},
): PropertyDecorator {
  const { optional = false, nullable = false, ...texts } = rules;
  const modes = { ...(nullable && { nullable }), ...(optional && { required: false }) };
  const api = { ...schema, ...strict, ...texts, ...modes };
  return applyDecorators(
    ...checks.map(({ name, message, test, items }) =>
      ValidateBy(
        { name, validator: { validate: test, defaultMessage: () => textOf(message, DEFAULT_LOCALE) } },
        { context: { message, pattern: items } satisfies CheckContext },
      ),
    ),
    ...(object ? [Type(object), ValidateNested()] : []),
    describeField(api as FieldSchema),
    ...(optional || nullable ? [skipAbsent(optional, nullable)] : []),
  );
}

/** What {@link Output} does. */
export function describeOutput({ schema }: OutputField, rules: OutputRules = {}): PropertyDecorator {
  return describeField({ ...schema, ...rules } as FieldSchema);
}

/** @returns the description, if there is one: `undefined` must not override that of the library */
export function described(description: string | undefined): { readonly description?: string } {
  return description === undefined ? {} : { description };
}

function skipAbsent(optional: boolean, nullable: boolean): PropertyDecorator {
  return ValidateIf(
    (_object, value: unknown) => !((optional && value === undefined) || (nullable && value === null)),
  );
}
