const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** Whether the text is a ULID in its canonical spelling. */
export function isUlid(text: unknown): text is string {
  return typeof text === 'string' && ULID.test(text);
}
