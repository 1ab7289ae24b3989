import { etagOfVersion } from '../../platform/web/index.js';
import type { DirectoryGroupEntity } from '../records/group.entity.js';
import { type RecordPage, throwNotFound } from '../records/record-lists.js';
import type { DirectoryUserEntity } from '../records/user.entity.js';
import { type Attributes, isComplex } from './attributes.js';
import { chosen } from './representation.js';
import { type Query, queryOf, type ScimAnswer, type ScimCall, versionOf } from './scim-call.js';
import { ScimError } from './scim-error.js';

export const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

/** A page of resources (RFC 7644 section 3.4.2). */
export interface ListResponse {
  readonly schemas: readonly string[];
  readonly totalResults: number;
  readonly itemsPerPage: number;
  readonly startIndex?: number;
  readonly nextCursor?: string;
  readonly Resources: readonly Attributes[];
}

type Stored = DirectoryUserEntity | DirectoryGroupEntity;

/** Answers with a resource; 304 without it to a caller that has its version. */
export function shown(
  { ifNoneMatch, query }: ScimCall,
  { version }: Stored,
  resource: Attributes,
): ScimAnswer {
  const headers = { ETag: etagOfVersion(version) };
  if (ifNoneMatch !== null && versionOf(ifNoneMatch) === version) return { status: 304, headers };
  return { status: 200, body: chosen(resource, query), headers };
}

/** Answers with a resource that was created, and its address. */
export function created(call: ScimCall, stored: Stored, resource: Attributes): ScimAnswer {
  const { body, headers } = shown(call, stored, resource);
  const { location } = resource['meta'] as { location: string };
  return { status: 201, ...(body && { body }), headers: { ...headers, Location: location } };
}

/** Returns a page of resources. */
export function listed<E>(
  { items, total, nextCursor }: RecordPage<E>,
  query: Query,
  show: (item: E) => Attributes,
): ListResponse {
  const start = Math.max(1, query.startIndex ?? 1);
  return {
    schemas: [LIST],
    totalResults: total,
    itemsPerPage: items.length,
    ...(query.cursor === undefined ? { startIndex: start } : nextCursor !== null && { nextCursor }),
    Resources: items.map((item) => chosen(show(item), query)),
  };
}

const ID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/** @throws {ScimError} 404 for a text that no id is */
export const idOf = (text: string): string => (ID.test(text) ? text : throwNotFound());

/** Reads the parameters of a list from the body of `.search` (RFC 7644 section 3.4.3). */
export function searchOf(body: unknown): Query {
  const parameters = objectOf(body);
  return queryOf((name) => parameters[name]);
}

/** Reads `Operations` of a PATCH; its name is case-insensitive, as of any attribute. */
export function operationsOf(body: unknown): unknown {
  return Object.entries(objectOf(body)).find(([name]) => name.toLowerCase() === 'operations')?.[1];
}

/** @throws {ScimError} invalidSyntax for a body that is no object */
function objectOf(body: unknown): Attributes {
  if (!isComplex(body)) throw new ScimError(400, 'invalidSyntax', 'The body must be an object.');
  return body;
}
