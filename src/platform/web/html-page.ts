/** The schema of an answer that is a page for a browser. */
export const HTML_PAGE = { type: 'string', pattern: '^<!doctype html>', maxLength: 10_000 };
