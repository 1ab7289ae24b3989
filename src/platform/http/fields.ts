import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, ValidateBy, ValidateIf, type ValidationOptions } from 'class-validator';
import { isEmailAddress, MAX_EMAIL_LENGTH } from './email-address.js';
import { FILLED_LINE_PATTERN, LINE_PATTERN } from './patterns.js';

interface TextRules {
  readonly min?: number;
  readonly max: number;
  readonly example: string;
  readonly description?: string;
  readonly optional?: boolean;
  /** Accept null as well, for a PATCH that clears the field. */
  readonly nullable?: boolean;
  readonly password?: boolean;
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

/** A bounded line of text, counted in code points: no control characters, no lone surrogates, never trimmed or cut. */
export function TextField(rules: TextRules): PropertyDecorator {
  const { min = 1, max, optional = false, nullable = false, password = false } = rules;
  const message = `must be a text of ${min} to ${max} characters without control characters${password ? '' : ', and not blank'}`;
  const valid = (value: unknown): boolean => {
    if (typeof value !== 'string' || value.length > 2 * max || CONTROL.test(value) || !value.isWellFormed())
      return false;
    const length = [...value].length;
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
    ...(nullable && { nullable: true }),
  };
  return applyDecorators(
    check('text', message, valid),
    ...(optional ? [ApiPropertyOptional(api)] : [ApiProperty(api)]),
    ...(optional || nullable ? [skipAbsent(optional, nullable)] : []),
  );
}

/** A password: 8 to 1024 code points where it is set; where it is only compared, any length up to that. */
export function PasswordField(purpose: 'set' | 'compare'): PropertyDecorator {
  return TextField({
    min: purpose === 'set' ? 8 : 1,
    max: 1024,
    example: 'quiet-harbour-42',
    password: true,
  });
}

/** An e-mail address of at most 254 characters. */
export function EmailField(): PropertyDecorator {
  return applyDecorators(
    check('email', 'must be an e-mail address', isEmailAddress),
    ApiProperty({ type: String, format: 'email', maxLength: MAX_EMAIL_LENGTH, example: 'ada@example.com' }),
  );
}

/** A true or false that may be left out. */
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
