import { etagOfVersion } from '../../platform/web/index.js';
import type { DirectoryGroupEntity, DirectoryUserEntity, RecordColumns } from '../records/record.entity.js';
import type { GroupOfUser } from '../records/group-membership.repository.js';
import type { RecordPage } from '../records/record-list.repository.js';
import { throwNotFound } from '../records/record-rules.js';
import { type Attributes, isComplex } from './attributes.js';
import { type Query, queryOf, type ScimAnswer, type ScimCall, versionOf } from './scim-call.js';
import { ScimError } from './scim-error.js';
import { GROUP_SCHEMA, USER_SCHEMA } from './schemas.js';

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

/** Attributes that a caller wants, or does not want, by name in lower case. */
class Chosen {
  private readonly whole = new Set<string>();
  /** Names of parts by attribute. */
  private readonly parts = new Map<string, Set<string>>();

  /** Takes names apart once for all resources: a caller may send a hundred thousand names. */
  constructor(names: readonly string[]) {
    for (const name of names.map(withoutCore)) {
      this.whole.add(name);
      const [, attribute, part] = (name.includes(':') ? OF_SCHEMA : OF_ATTRIBUTE).exec(name) ?? [];
      if (attribute === undefined || part === undefined) continue;
      const parts = this.parts.get(attribute) ?? new Set();
      this.parts.set(attribute, parts.add(part));
    }
  }

  /** @returns `whole` for the attribute itself, names of parts of it, or null */
  find(name: string): 'whole' | ReadonlySet<string> | null {
    const key = name.toLowerCase();
    return this.whole.has(key) ? 'whole' : (this.parts.get(key) ?? null);
  }
}

/** A schema ends in its version and the type of resource, which an attribute may follow. */
const OF_SCHEMA = /^(urn:.+?:\d+\.\d+:\w+)[:.](.+)$/s;
const OF_ATTRIBUTE = /^([^.]+)\.(.+)$/s;

/**
 * Returns a function that chooses attributes of resources (RFC 7644 section 3.9). `schemas`, `id`
 * and `meta` are returned always.
 */
function chooserOf({ attributes, excludedAttributes }: Query): (resource: Attributes) => Attributes {
  if (attributes.length > 0) {
    const wanted = new Chosen(attributes);
    return (resource) => keep(resource, wanted);
  }
  const unwanted = new Chosen(excludedAttributes);
  return (resource) => (excludedAttributes.length > 0 ? drop(resource, unwanted) : resource);
}

const ALWAYS = new Set(['schemas', 'id', 'meta']);
const withoutCore = (name: string): string =>
  name.replace(/^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/, '');

function keep(resource: Attributes, wanted: Chosen): Attributes {
  const kept = Object.entries(resource).flatMap(([name, value]) => {
    const found = ALWAYS.has(name) ? 'whole' : wanted.find(name);
    if (found === null) return [];
    return [[name, found === 'whole' ? value : within(value, (item) => keepSub(item, found))]];
  });
  return Object.fromEntries(kept) as Attributes;
}

function drop(resource: Attributes, unwanted: Chosen): Attributes {
  const kept = Object.entries(resource).flatMap(([name, value]) => {
    const found = ALWAYS.has(name) ? null : unwanted.find(name);
    if (found === 'whole') return [];
    return [[name, found === null ? value : within(value, (item) => dropSub(item, found))]];
  });
  return Object.fromEntries(kept) as Attributes;
}

const within = (value: unknown, change: (item: Attributes) => Attributes): unknown => {
  if (Array.isArray(value)) return value.map((item: unknown) => (isComplex(item) ? change(item) : item));
  return isComplex(value) ? change(value) : value;
};
const keepSub = (item: Attributes, names: ReadonlySet<string>): Attributes =>
  Object.fromEntries(Object.entries(item).filter(([name]) => names.has(name.toLowerCase())));
const dropSub = (item: Attributes, names: ReadonlySet<string>): Attributes =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !names.has(name.toLowerCase())));

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

/** Answers with a resource; 304 without it to a caller that has its version. */
export function shown(
  { ifNoneMatch, query }: ScimCall,
  { version }: RecordColumns,
  resource: Attributes,
): ScimAnswer {
  const headers = { ETag: etagOfVersion(version) };
  if (ifNoneMatch !== null && versionOf(ifNoneMatch) === version) return { status: 304, headers };
  return { status: 200, body: chooserOf(query)(resource), headers };
}

/** Answers with a resource that was created, and its address. */
export function created(call: ScimCall, stored: RecordColumns, resource: Attributes): ScimAnswer {
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
  const choose = chooserOf(query);
  return {
    schemas: [LIST],
    totalResults: total,
    itemsPerPage: items.length,
    ...(query.cursor === undefined ? { startIndex: start } : nextCursor !== null && { nextCursor }),
    Resources: items.map((item) => choose(show(item))),
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
