import { ULID_PATTERN } from './patterns.js';

const ULID = new RegExp(ULID_PATTERN);

/** Whether the text is a ULID in its canonical spelling. */
export function isUlid(text: unknown): text is string {
  return typeof text === 'string' && ULID.test(text);
}
