/** Schema of a response that is an HTML page. */
export const HTML_PAGE = { type: 'string', pattern: '^<!doctype html>', maxLength: 10_000 };
