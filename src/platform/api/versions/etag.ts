import { createHash } from 'node:crypto';

/** A strong entity tag is an opaque text in quotation marks (RFC 9110, section 8.8.3). */
const ETAG = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`;
const ETAGS = new RegExp(String.raw`^[ \t]*${ETAG}(?:[ \t]*,[ \t]*${ETAG})*[ \t]*$`);

/** @returns a strong entity tag: it changes with every byte of the JSON of the body */
export function etagOf(body: object): string {
  const hash = createHash('sha256').update(JSON.stringify(body)).digest('base64url');
  return `"${hash.slice(0, 27)}"`;
}

/** @returns the tags of an `If-Match` that lists tags; null if it is malformed */
export function parseEtags(header: string): string[] | null {
  return ETAGS.test(header) ? (header.match(new RegExp(ETAG, 'g')) ?? []) : null;
}
