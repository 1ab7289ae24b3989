/** Patterns that the documentation publishes (ECMA-262, as JSON Schema asks). What they say of lines the validators say in code. */

/** A ULID as this service writes it: Crockford's base 32, upper case, 128 bits. */
export const ULID_PATTERN = '^[0-7][0-9A-HJKMNP-TV-Z]{25}$';

const LINE = '[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*';

/** A line without control characters. */
export const LINE_PATTERN = `^${LINE}$`;

/** The same, with something else than white space in it. */
export const FILLED_LINE_PATTERN = `^(?=.*\\S)${LINE}$`;
