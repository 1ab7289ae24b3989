import { ApiProperty } from '../swagger/described.js';
import { LINE_PATTERN, ULID_PATTERN } from '../../../kernel/index.js';

/** Whether the field may be null or absent, and its description. */
interface AnswerRules {
  readonly nullable?: boolean;
  readonly required?: boolean;
  readonly description?: string;
}

interface TextRules extends AnswerRules {
  readonly max: number;
  readonly example: string | null;
  readonly pattern?: string;
  readonly format?: string;
}

interface NumberRules extends AnswerRules {
  readonly min: number;
  readonly max: number;
  readonly example: number;
}

/**
 * Documents a line of text in a response. Every field of a response has a bound, so that a client
 * can size its columns; the API lint enforces it.
 */
export function TextAnswer({ max, pattern, ...rules }: TextRules): PropertyDecorator {
  return ApiProperty({
    type: String,
    maxLength: max,
    ...(rules.format === undefined && { pattern: pattern ?? LINE_PATTERN }),
    ...rules,
  });
}

/** Documents an id (ULID) in a response. */
export function UlidAnswer({
  example,
  ...rules
}: AnswerRules & { example: string | null }): PropertyDecorator {
  return ApiProperty({
    type: String,
    minLength: 26,
    maxLength: 26,
    pattern: ULID_PATTERN,
    example,
    ...rules,
  });
}

/** Documents a time in a response (RFC 3339, UTC). */
export function TimeAnswer(rules: AnswerRules = {}): PropertyDecorator {
  return ApiProperty({
    type: String,
    format: 'date-time',
    maxLength: 30,
    example: '2026-11-21T09:00:00.000Z',
    ...rules,
  });
}

/** Documents an integer in a response; its format is `int64` if `max` exceeds 32 bits. */
export function IntegerAnswer({ min, max, ...rules }: NumberRules): PropertyDecorator {
  return ApiProperty({
    type: 'integer',
    format: max < 2 ** 31 ? 'int32' : 'int64',
    minimum: min,
    maximum: max,
    ...rules,
  });
}

/**
 * Documents a text in a response that is one of a fixed set.
 * @param rules `enumName`: name of the set as a schema of its own, to which modules may add
 */
export function WordAnswer<T extends string>(
  words: readonly T[],
  { example, ...rules }: AnswerRules & { example?: T; enumName?: string } = {},
): PropertyDecorator {
  return ApiProperty({ type: 'string', enum: [...words], example: example ?? words[0], ...rules });
}

/** Documents a boolean in a response. */
export function BooleanAnswer(rules: AnswerRules & { example: boolean }): PropertyDecorator {
  return ApiProperty({ type: Boolean, ...rules });
}

/** Documents a list of at most `max` texts in a response. */
export function TextListAnswer({
  max,
  itemMax = 200,
  pattern,
  example,
  description,
}: {
  readonly max: number;
  readonly itemMax?: number;
  readonly pattern: RegExp;
  readonly example: string[];
  readonly description?: string;
}): PropertyDecorator {
  return ApiProperty({
    type: 'array',
    items: { type: 'string', pattern: pattern.source, maxLength: itemMax },
    maxItems: max,
    example,
    ...(description !== undefined && { description }),
  });
}

/** Documents the cursor of the next page. */
export function CursorAnswer(): PropertyDecorator {
  return TextAnswer({ max: 64, nullable: true, description: 'null on the last page.', example: null });
}

/** Documents a list of at most `max` objects in a response. */
export function ListAnswer(item: () => new () => object, max: number): PropertyDecorator {
  return ApiProperty({ type: () => [item()], maxItems: max });
}
