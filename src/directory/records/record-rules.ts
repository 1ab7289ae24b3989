import type { TenantId } from '../../kernel/index.js';
import { type Attributes, isComplex, normalizeResource } from '../scim/attributes.js';
import { ScimError } from '../scim/scim-error.js';

/** A directory of a tenant. */
export interface DirectoryScope {
  readonly tenantId: TenantId;
  readonly directoryId: string;
}

const MAX_NAME_LENGTH = 255;

/** @throws {ScimError} invalidValue unless it is a text of 1 to 255 characters */
export function requireName(attribute: string, value: unknown): void {
  if (typeof value !== 'string' || value === '' || value.length > MAX_NAME_LENGTH)
    throw new ScimError(400, 'invalidValue', `${attribute} must have 1 to ${MAX_NAME_LENGTH} characters.`);
}

/** U+0000 and lone surrogates in JSON, which PostgreSQL refuses; not such after a backslash. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/** @throws {ScimError} invalidValue for long names, or a text that is not stored */
export function requireStorable(attributes: Attributes): void {
  if (attributes['externalId'] !== undefined) requireName('externalId', attributes['externalId']);
  const { displayName } = attributes;
  if (typeof displayName === 'string' && displayName !== '') requireName('displayName', displayName);
  if (UNSTORABLE.test(JSON.stringify(attributes)))
    throw new ScimError(400, 'invalidValue', 'Texts must not contain U+0000 or half of a character.');
}

/**
 * @param wanted version of the caller's If-Match; null without
 * @throws {ScimError} 412 if it is not the current one
 */
export function requireVersion(wanted: number | null, current: number): void {
  if (wanted !== null && wanted !== current)
    throw new ScimError(412, null, 'The resource has changed. Read it again.');
}

export function throwNotFound(): never {
  throw new ScimError(404, null, 'The resource does not exist.');
}

/**
 * Returns what is stored of the body of a user: normalized, without what clients cannot set. A
 * body without `active` leaves the person as they are: a change of something else must not activate
 * them.
 * @throws {ScimError} 400 for an invalid body
 */
export function userAttributesOf(body: unknown, stored: Attributes = {}): Attributes {
  if (!isComplex(body)) throw new ScimError(400, 'invalidSyntax', 'The body must be an object.');
  const { active = stored['active'] ?? true, ...attributes } = normalizeResource(body, stored);
  requireName('userName', attributes['userName']);
  requireStorable(attributes);
  return { active, ...attributes };
}
