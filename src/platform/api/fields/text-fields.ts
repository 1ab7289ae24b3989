import {
  FILLED_LINE_PATTERN,
  isEmailAddress,
  isUlid,
  LINE_PATTERN,
  MAX_EMAIL_LENGTH,
  ULID_PATTERN,
} from '../../../kernel/index.js';
import { CODE_CHALLENGE, CODE_VERIFIER } from '../../crypto/index.js';
import { LOCALES, supportedLocale } from '../../messages/index.js';
import { described, type Field } from './field.js';

/** Recommended minimum for a field that holds language tags (RFC 5646 section 4.4.1). */
const MAX_LOCALE_LENGTH = 35;

export interface TextRules {
  readonly min?: number;
  readonly max: number;
  readonly example: string | null;
  readonly description?: string;
  readonly password?: boolean;
  /** Pattern that the text must also match; `shape` describes it in the violation. */
  readonly pattern?: RegExp | string;
  readonly shape?: string;
  /** Format by JSON Schema, in place of a pattern. Documented, and not checked. */
  readonly format?: string;
}

// eslint-disable-next-line no-control-regex -- refusing control characters is the point
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/**
 * Line of text, measured in code points: no control characters and no lone surrogates. The value is
 * never trimmed or cut.
 */
export function textField(rules: TextRules): Field {
  const { min = 1, max, example, description, password = false, pattern, shape, format } = rules;
  const message =
    shape === undefined
      ? ({ id: password ? 'field.password' : 'field.text', values: { min, max } } as const)
      : `must be ${min} to ${max} characters: ${shape}`;
  const shaped = pattern === undefined ? undefined : new RegExp(pattern);
  const source = typeof pattern === 'string' ? pattern : pattern?.source;
  const test = (value: unknown): boolean => {
    if (typeof value !== 'string' || value.length > 2 * max || CONTROL.test(value) || !value.isWellFormed())
      return false;
    const length = [...value].length;
    if (shaped && !shaped.test(value)) return false;
    return length >= min && length <= max && (password || value.trim() !== '');
  };
  return {
    schema: {
      type: String,
      maxLength: max,
      ...(format === undefined ? { pattern: source ?? LINE_PATTERN } : { format }),
      example,
      ...described(description),
    },
    strict: {
      minLength: min,
      pattern: source ?? (password ? LINE_PATTERN : FILLED_LINE_PATTERN),
      ...(password && { format: 'password' }),
    },
    checks: [{ name: 'text', message, test }],
  };
}

interface BlockRules {
  readonly max: number;
  /** Whole text; `message` describes it in the violation. */
  readonly pattern: RegExp;
  readonly message: string;
  readonly example: string;
  readonly description?: string;
}

/** Text of several lines in a format of its own, as PEM or XML. */
export function blockField({ max, pattern, message, example, description }: BlockRules): Field {
  const test = (value: unknown) => typeof value === 'string' && value.length <= max && pattern.test(value);
  return {
    schema: { type: String, maxLength: max, pattern: pattern.source, example, ...described(description) },
    strict: {},
    checks: [{ name: 'block', message, test }],
  };
}

/**
 * Password.
 * @param purpose `set`: 8 to 1024 code points; `compare`: 1 to 1024
 */
export function passwordField(purpose: 'set' | 'compare', rules: { description?: string } = {}): Field {
  const min = purpose === 'set' ? 8 : 1;
  const description = `${min} to 1024 code points of any kind but control characters; never trimmed or cut.`;
  return textField({ description, ...rules, min, max: 1024, example: 'quiet-harbour-42', password: true });
}

/** Email address of at most 254 characters. */
export function emailField({
  example = 'ada@example.com',
  description = 'As entered. Addresses that differ in case only are one address.',
}: { example?: string; description?: string } = {}): Field {
  return {
    schema: {
      type: String,
      format: 'email',
      maxLength: MAX_EMAIL_LENGTH,
      example,
      ...described(description),
    },
    checks: [{ name: 'email', message: { id: 'field.email' }, test: isEmailAddress }],
  };
}

/** PKCE code challenge (RFC 7636), S256 only. */
export function codeChallengeField(rules: { description?: string } = {}): Field {
  return textField({
    min: 43,
    max: 43,
    pattern: CODE_CHALLENGE,
    shape: 'the base64url form of the SHA-256 of the verifier',
    example: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    description: 'PKCE code challenge (RFC 7636 section 4.2), by the method S256 only.',
    ...rules,
  });
}

/** PKCE code verifier (RFC 7636 section 4.1). */
export function codeVerifierField(): Field {
  return textField({
    min: 43,
    max: 128,
    pattern: CODE_VERIFIER,
    shape: 'letters, digits and any of - . _ ~ (RFC 7636 section 4.1)',
    example: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    description: 'PKCE code verifier (RFC 7636 section 4.1), of which the challenge is the hash.',
  });
}

/** Language that texts exist in, as a tag with or without a region (BCP 47). */
export function localeField({
  description = 'Language tag (BCP 47), with or without a region.',
}: { description?: string } = {}): Field {
  const known = Object.keys(LOCALES);
  const pattern = `^(${known.join('|')})(-[A-Za-z0-9]{1,8})*$`;
  const shape = new RegExp(pattern);
  return {
    schema: {
      type: String,
      minLength: 2,
      maxLength: MAX_LOCALE_LENGTH,
      pattern,
      example: 'de-AT',
      ...described(description),
    },
    checks: [
      {
        name: 'locale',
        message: `must be a language tag (BCP 47) of one of ${known.join(', ')}, such as de-AT`,
        test: (value) =>
          typeof value === 'string' &&
          value.length <= MAX_LOCALE_LENGTH &&
          shape.test(value) &&
          supportedLocale(value) !== null,
      },
    ],
  };
}

/** Id (ULID). */
export function ulidField({
  example = '01K3V9D7Q8Z4X5N6M7P8R9S0T2',
  description = 'A ULID: ids of one kind sort by the time of their creation.',
}: { example?: string | null; description?: string } = {}): Field {
  return {
    schema: {
      type: String,
      minLength: 26,
      maxLength: 26,
      pattern: ULID_PATTERN,
      example,
      ...described(description),
    },
    checks: [{ name: 'ulid', message: 'must be an id of 26 characters (ULID)', test: isUlid }],
  };
}

/**
 * Text that is one of a fixed set.
 * @param rules `enumName`: name of the set as its own schema, to which modules may add
 */
export function wordField<const T extends string>(
  words: readonly T[],
  { example, enumName, description }: { example?: T; enumName?: string; description?: string } = {},
): Field {
  return {
    schema: {
      type: 'string',
      enum: [...words],
      ...(enumName !== undefined && { enumName }),
      example: example ?? words[0],
      ...described(description),
    },
    checks: [
      {
        name: 'word',
        message: `must be one of: ${words.join(', ')}`,
        test: (value) => words.some((word) => word === value),
      },
    ],
  };
}
