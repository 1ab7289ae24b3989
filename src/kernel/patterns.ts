/**
 * Patterns published in the OpenAPI document, in the ECMA-262 dialect of JSON Schema. Validators of
 * lines check the same rules in code.
 */

/** Canonical ULID: 128 bits in Crockford's base 32, upper case. */
export const ULID_PATTERN = '^[0-7][0-9A-HJKMNP-TV-Z]{25}$';

const LINE = '[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*';

/** Line of text without control characters. */
export const LINE_PATTERN = `^${LINE}$`;

/** Line of text without control characters that is not blank. */
export const FILLED_LINE_PATTERN = `^(?=.*\\S)${LINE}$`;

/** `Idempotency-Key`: 8 to 255 visible ASCII characters, with spaces between them. */
export const IDEMPOTENCY_KEY_PATTERN = '^[\\x21-\\x7e][\\x20-\\x7e]{6,253}[\\x21-\\x7e]$';

const ULID = new RegExp(ULID_PATTERN);

/** Checks whether a value is a ULID in canonical form (upper case). */
export function isUlid(text: unknown): text is string {
  return typeof text === 'string' && ULID.test(text);
}
