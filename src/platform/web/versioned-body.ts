import { hash } from 'node:crypto';

/** A strong entity tag is an opaque text in quotation marks (RFC 9110, section 8.8.3). */
const ETAG = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`;
const ETAGS = new RegExp(String.raw`^[ \t]*${ETAG}(?:[ \t]*,[ \t]*${ETAG})*[ \t]*$`);

/** Key of a body whose response has an `ETag`. */
const VERSIONED = Symbol('versioned');

/** Marks a body, so that its response has an `ETag`. */
export function markVersioned<T extends object>(body: T): T {
  return Object.assign(body, { [VERSIONED]: true });
}

export function isVersioned(body: object): boolean {
  return VERSIONED in body;
}

/** @returns a strong entity tag: it changes with every byte of the JSON of the body */
export function etagOf(body: object): string {
  return etagOfJson(JSON.stringify(body));
}

/** @returns the entity tag of a body that is serialized already */
export function etagOfJson(json: string): string {
  return `"${hash('sha256', json, 'base64url').slice(0, 27)}"`;
}

/** @returns the weak entity tag of a record that counts its changes */
export function etagOfVersion(version: number): string {
  return `W/"${version}"`;
}

/** @returns the version that a tag names; undefined for a tag that is not of a version */
export function versionOfEtag(etag: string): number | undefined {
  const [, digits] = /^\s*(?:W\/)?"(\d{1,9})"\s*$/.exec(etag) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** @returns the tags of an `If-Match` that lists tags; null if it is malformed */
export function parseEtags(header: string): string[] | null {
  return ETAGS.test(header) ? (header.match(new RegExp(ETAG, 'g')) ?? []) : null;
}
