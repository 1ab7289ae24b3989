import { ULID_PATTERN } from './patterns.js';

const ULID = new RegExp(ULID_PATTERN);

/** Checks whether a value is a ULID in canonical form (upper case). */
export function isUlid(text: unknown): text is string {
  return typeof text === 'string' && ULID.test(text);
}
