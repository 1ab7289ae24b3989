import { applyDecorators } from '@nestjs/common';
import { IsBoolean, ValidateBy, ValidateIf, type ValidationOptions } from 'class-validator';
import { ApiProperty, ApiPropertyOptional } from '../swagger/described.js';
import {
  FILLED_LINE_PATTERN,
  isEmailAddress,
  isUlid,
  LINE_PATTERN,
  MAX_EMAIL_LENGTH,
  ULID_PATTERN,
} from '../../../kernel/index.js';

interface TextRules {
  readonly min?: number;
  readonly max: number;
  readonly example: string;
  readonly description?: string;
  readonly optional?: boolean;
  /** Accepts null as well, for a PATCH that clears the field. */
  readonly nullable?: boolean;
  readonly password?: boolean;
  /** Pattern that the text must also match; `shape` describes it in the violation. */
  readonly pattern?: RegExp;
  readonly shape?: string;
}

// eslint-disable-next-line no-control-regex -- refusing control characters is the point
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

function check(
  name: string,
  message: string,
  test: (value: unknown) => boolean,
  options?: ValidationOptions,
): PropertyDecorator {
  return ValidateBy({ name, validator: { validate: test, defaultMessage: () => message } }, options);
}

/**
 * Validates and documents a line of text, measured in code points: no control characters and no
 * lone surrogates. The value is never trimmed or cut.
 */
export function TextField(rules: TextRules): PropertyDecorator {
  const { min = 1, max, optional = false, nullable = false, password = false } = rules;
  const { pattern, shape } = rules;
  const message =
    shape === undefined
      ? `must be a text of ${min} to ${max} characters without control characters${password ? '' : ', and not blank'}`
      : `must be ${min} to ${max} characters: ${shape}`;
  const valid = (value: unknown): boolean => {
    if (typeof value !== 'string' || value.length > 2 * max || CONTROL.test(value) || !value.isWellFormed())
      return false;
    const length = [...value].length;
    if (pattern && !pattern.test(value)) return false;
    return length >= min && length <= max && (password || value.trim() !== '');
  };
  const api = {
    type: String,
    minLength: min,
    maxLength: max,
    pattern: password ? LINE_PATTERN : FILLED_LINE_PATTERN,
    example: rules.example,
    ...(rules.description !== undefined && { description: rules.description }),
    ...(password && { format: 'password' }),
    ...(pattern && { pattern: pattern.source }),
    ...(nullable && { nullable: true }),
  };
  return applyDecorators(
    check('text', message, valid),
    ...(optional ? [ApiPropertyOptional(api)] : [ApiProperty(api)]),
    ...(optional || nullable ? [skipAbsent(optional, nullable)] : []),
  );
}

/**
 * Validates and documents a password.
 * @param purpose `set`: 8 to 1024 code points; `compare`: 1 to 1024
 */
export function PasswordField(
  purpose: 'set' | 'compare',
  rules: Pick<TextRules, 'optional' | 'description'> = {},
): PropertyDecorator {
  return TextField({
    ...rules,
    min: purpose === 'set' ? 8 : 1,
    max: 1024,
    example: 'quiet-harbour-42',
    password: true,
  });
}

/** Validates and documents an e-mail address of at most 254 characters. */
export function EmailField(): PropertyDecorator {
  return applyDecorators(
    check('email', 'must be an e-mail address', isEmailAddress),
    ApiProperty({ type: String, format: 'email', maxLength: MAX_EMAIL_LENGTH, example: 'ada@example.com' }),
  );
}

/** Validates and documents a PKCE code challenge (RFC 7636), S256 only. */
export function CodeChallengeField(
  rules: Pick<TextRules, 'optional' | 'description'> = {},
): PropertyDecorator {
  return TextField({
    min: 43,
    max: 43,
    pattern: /^[A-Za-z0-9_-]{43}$/,
    shape: 'the base64url form of the SHA-256 of the verifier',
    example: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    ...rules,
  });
}

/** Validates and documents a PKCE code verifier (RFC 7636 section 4.1). */
export function CodeVerifierField(): PropertyDecorator {
  return TextField({
    min: 43,
    max: 128,
    pattern: /^[A-Za-z0-9._~-]{43,128}$/,
    shape: 'letters, digits and any of - . _ ~ (RFC 7636 section 4.1)',
    example: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  });
}

/** @returns the indexes of the items that are not texts or do not match the pattern */
export function badItems(list: readonly unknown[], pattern: RegExp): number[] {
  return list.flatMap((item, n) => (typeof item === 'string' && pattern.test(item) ? [] : [n]));
}

interface ListRules {
  readonly min: number;
  readonly max: number;
  /** Pattern of each item; `message` describes it in the violation. */
  readonly pattern: RegExp;
  readonly message: string;
  readonly example: string[];
  readonly description?: string;
  readonly optional?: boolean;
}

/** Validates and documents a list of texts; each invalid item is one violation (`scopes[3]`). */
export function ListField(rules: ListRules): PropertyDecorator {
  const { min, max, pattern, message, example, description, optional = false } = rules;
  const api = {
    type: 'array' as const,
    minItems: min,
    maxItems: max,
    items: { type: 'string', pattern: pattern.source, maxLength: 200 },
    example,
    ...(description !== undefined && { description }),
  };
  return applyDecorators(
    check(
      'list',
      `must be a list of ${min} to ${max} texts`,
      (value) => Array.isArray(value) && value.length >= min && value.length <= max,
    ),
    check('items', message, (value) => !Array.isArray(value) || badItems(value, pattern).length === 0, {
      context: { pattern },
    }),
    ...(optional ? [ApiPropertyOptional(api), skipAbsent(true, false)] : [ApiProperty(api)]),
  );
}

/** Validates and documents an id (ULID). */
export function UlidField({
  optional = false,
  description = 'A ULID.',
}: {
  readonly optional?: boolean;
  readonly description?: string;
} = {}): PropertyDecorator {
  const api = {
    type: String,
    pattern: ULID_PATTERN,
    minLength: 26,
    maxLength: 26,
    example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2',
    description,
  };
  return applyDecorators(
    check('ulid', 'must be an id of 26 characters (ULID)', isUlid),
    ...(optional ? [ApiPropertyOptional(api), skipAbsent(true, false)] : [ApiProperty(api)]),
  );
}

interface IntegerRules {
  readonly min: number;
  readonly max: number;
  readonly example: number;
  readonly description: string;
}

/** Validates and documents an optional integer. */
export function OptionalIntegerField({ min, max, example, description }: IntegerRules): PropertyDecorator {
  return applyDecorators(
    check(
      'integer',
      `must be a whole number from ${min} to ${max}`,
      (value) => typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max,
    ),
    skipAbsent(true, false),
    ApiPropertyOptional({
      type: 'integer',
      format: max < 2 ** 31 ? 'int32' : 'int64',
      minimum: min,
      maximum: max,
      example,
      description,
    }),
  );
}

/** Validates and documents a text that is one of a fixed set. */
export function WordField(
  words: readonly string[],
  { description }: { readonly description?: string } = {},
): PropertyDecorator {
  return applyDecorators(
    check('word', `must be one of: ${words.join(', ')}`, (value) => words.some((word) => word === value)),
    ApiProperty({
      type: String,
      enum: [...words],
      example: words[0],
      ...(description !== undefined && { description }),
    }),
  );
}

/** Validates and documents an optional boolean. */
export function OptionalBooleanField(description: string): PropertyDecorator {
  return applyDecorators(
    IsBoolean({ message: 'must be true or false' }),
    skipAbsent(true, false),
    ApiPropertyOptional({ type: Boolean, example: false, description }),
  );
}

function skipAbsent(optional: boolean, nullable: boolean): PropertyDecorator {
  return ValidateIf(
    (_object, value: unknown) => !((optional && value === undefined) || (nullable && value === null)),
  );
}
