import { etagOfVersion } from '../../platform/web/index.js';
import type { DirectoryGroupEntity } from '../records/group.entity.js';
import type { RecordPage } from '../records/record-list.repository.js';
import { throwNotFound } from '../records/record-rules.js';
import type { DirectoryUserEntity } from '../records/user.entity.js';
import { type Attributes, isComplex } from './attributes.js';
import { type Query, queryOf, type ScimAnswer, type ScimCall, versionOf } from './scim-call.js';
import { ScimError } from './scim-error.js';
import { GROUP_SCHEMA, USER_SCHEMA } from './schemas.js';

/** A group in which a person is. */
export interface GroupOfUser {
  readonly id: string;
  readonly displayName: string;
}

/** Returns a user as SCIM shows it: what the directory sent, and what it cannot set. */
export function userOf(
  { id, attributes, version, createdAt, updatedAt }: DirectoryUserEntity,
  groups: readonly GroupOfUser[],
  baseUrl: string,
): Attributes {
  const refs = groups.map((group) => ({
    value: group.id,
    $ref: `${baseUrl}/Groups/${group.id}`,
    display: group.displayName,
    type: 'direct',
  }));
  return {
    schemas: [USER_SCHEMA, ...Object.keys(attributes).filter((name) => name.includes(':'))],
    id,
    ...attributes,
    ...(refs.length > 0 && { groups: refs }),
    meta: metaOf('User', `${baseUrl}/Users/${id}`, version, createdAt, updatedAt),
  };
}

/** Returns a group as SCIM shows it. */
export function groupOf(
  { id, attributes, version, createdAt, updatedAt }: DirectoryGroupEntity,
  memberIds: readonly string[],
  baseUrl: string,
): Attributes {
  const members = memberIds.map((value) => ({ value, $ref: `${baseUrl}/Users/${value}`, type: 'User' }));
  return {
    schemas: [GROUP_SCHEMA, ...Object.keys(attributes).filter((name) => name.includes(':'))],
    id,
    ...attributes,
    ...(members.length > 0 && { members }),
    meta: metaOf('Group', `${baseUrl}/Groups/${id}`, version, createdAt, updatedAt),
  };
}

function metaOf(
  resourceType: string,
  location: string,
  version: number,
  created: Date,
  lastModified: Date,
): object {
  return {
    resourceType,
    created: created.toISOString(),
    lastModified: lastModified.toISOString(),
    location,
    version: etagOfVersion(version),
  };
}

/**
 * Chooses attributes (RFC 7644 section 3.9). `schemas`, `id` and `meta` are returned always.
 */
function chosen(resource: Attributes, { attributes, excludedAttributes }: Query): Attributes {
  if (attributes.length > 0) return keep(resource, attributes.map(withoutCore));
  return excludedAttributes.length > 0 ? drop(resource, excludedAttributes.map(withoutCore)) : resource;
}

const ALWAYS = new Set(['schemas', 'id', 'meta']);
const withoutCore = (name: string): string =>
  name.replace(/^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/, '');

/** Returns the rest of a wanted name below an attribute; '' for the attribute itself, or null. */
function below(wanted: string, name: string): string | null {
  const key = name.toLowerCase();
  if (wanted === key) return '';
  return wanted.startsWith(`${key}.`) || (key.includes(':') && wanted.startsWith(`${key}:`))
    ? wanted.slice(key.length + 1)
    : null;
}

function keep(resource: Attributes, wanted: readonly string[]): Attributes {
  const kept = Object.entries(resource).flatMap(([name, value]) => {
    if (ALWAYS.has(name)) return [[name, value]];
    const rests = wanted.map((one) => below(one, name)).filter((rest) => rest !== null);
    if (rests.length === 0) return [];
    return [[name, rests.includes('') ? value : within(value, (item) => keepSub(item, rests))]];
  });
  return Object.fromEntries(kept) as Attributes;
}

function drop(resource: Attributes, unwanted: readonly string[]): Attributes {
  const kept = Object.entries(resource).flatMap(([name, value]) => {
    if (ALWAYS.has(name)) return [[name, value]];
    const rests = unwanted.map((one) => below(one, name)).filter((rest) => rest !== null);
    if (rests.includes('')) return [];
    return [[name, rests.length === 0 ? value : within(value, (item) => dropSub(item, rests))]];
  });
  return Object.fromEntries(kept) as Attributes;
}

const within = (value: unknown, change: (item: Attributes) => Attributes): unknown => {
  if (Array.isArray(value)) return value.map((item: unknown) => (isComplex(item) ? change(item) : item));
  return isComplex(value) ? change(value) : value;
};
const keepSub = (item: Attributes, names: readonly string[]): Attributes =>
  Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name.toLowerCase())));
const dropSub = (item: Attributes, names: readonly string[]): Attributes =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name.toLowerCase())));

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
