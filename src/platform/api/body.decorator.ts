import { applyDecorators, type CustomDecorator, type Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiBody, ApiConsumes } from './swagger/described.js';
import { EVENT_TYPE, FORM_TYPE, type FormLimits, type TextBodyRules } from '../web/index.js';

/** Metadata of {@link LargeBody}. */
export const LargeBodyMark = Reflector.createDecorator<number>();

/** Accepts a larger JSON body of this number of bytes, only from authenticated callers. */
export function LargeBody(maxBytes: number): CustomDecorator {
  return LargeBodyMark(maxBytes);
}

/** What the body of a route is that is not JSON. */
export interface RawBodyRules {
  /** Media type, without parameters. */
  readonly type: string;
  readonly maxBytes: number;
}

/** Metadata of {@link RawBody}. */
export const RawBodyMark = Reflector.createDecorator<RawBodyRules>();

/**
 * Takes a body of another type than JSON, as bytes (`request.body`). It is read after the caller
 * has been permitted, and the handler runs in no transaction: a slow client must not hold one.
 */
export function RawBody(
  rules: RawBodyRules,
  { description, example }: { readonly description: string; readonly example: string },
): MethodDecorator {
  const schema = {
    type: 'string' as const,
    description,
    examples: [example],
    maxLength: rules.maxBytes,
    pattern: '^[\\s\\S]*$',
  };
  return applyDecorators(RawBodyMark(rules), ApiConsumes(rules.type), ApiBody({ schema, required: true }));
}

/** Metadata of {@link FormBody} and {@link EventBody}. */
export const TextBodyMark = Reflector.createDecorator<TextBodyRules>();

/**
 * Takes a form besides JSON, as a text (`request.body`), which `parametersOf` reads.
 * @param maxBytes or the provider that knows it for each request
 */
export function FormBody(maxBytes: number | Type<FormLimits>): CustomDecorator {
  return TextBodyMark({ type: FORM_TYPE, maxBytes });
}

/** Takes a security event token besides JSON, as a text (RFC 8935 section 2.1). */
export function EventBody(maxBytes: number): CustomDecorator {
  return TextBodyMark({ type: EVENT_TYPE, maxBytes });
}
