import { ApiProperty } from '../swagger/described.js';
import { LINE_PATTERN, ULID_PATTERN } from '../../../kernel/index.js';

/** Whether the field may be null or missing, and what it means. */
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

/** The fields of answers: every one bounded, so that a client can size its columns and a lint can prove it. */
export function TextAnswer({ max, pattern, ...rules }: TextRules): PropertyDecorator {
  return ApiProperty({
    type: String,
    maxLength: max,
    ...(rules.format === undefined && { pattern: pattern ?? LINE_PATTERN }),
    ...rules,
  });
}

/** An id of ours. */
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

/** A moment, in UTC. */
export function TimeAnswer(rules: AnswerRules = {}): PropertyDecorator {
  return ApiProperty({
    type: String,
    format: 'date-time',
    maxLength: 30,
    example: '2026-11-21T09:00:00.000Z',
    ...rules,
  });
}

/** A whole number within bounds; `int64` where the bounds ask for it. */
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
 * One of a few words.
 * @param rules `enumName`, where the words are a list of their own in the document, to which modules may add
 */
export function WordAnswer<T extends string>(
  words: readonly T[],
  { example, ...rules }: AnswerRules & { example?: T; enumName?: string } = {},
): PropertyDecorator {
  return ApiProperty({ type: 'string', enum: [...words], example: example ?? words[0], ...rules });
}

/** True or false. */
export function BooleanAnswer(rules: AnswerRules & { example: boolean }): PropertyDecorator {
  return ApiProperty({ type: Boolean, ...rules });
}

/** A list of at most `max` short texts. */
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

/** The cursor of a list. */
export function CursorAnswer(): PropertyDecorator {
  return TextAnswer({ max: 64, nullable: true, description: 'null on the last page.', example: null });
}

/** A list of at most `max` items. */
export function ListAnswer(item: () => new () => object, max: number): PropertyDecorator {
  return ApiProperty({ type: () => [item()], maxItems: max });
}
