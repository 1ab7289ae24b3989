import { applyDecorators } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiBody, ApiConsumes } from './swagger/described.js';

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
