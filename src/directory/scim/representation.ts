import { etagOfVersion } from '../../platform/web/index.js';
import type { DirectoryGroupEntity } from '../records/group.entity.js';
import type { DirectoryUserEntity } from '../records/user.entity.js';
import { type Attributes, isComplex } from './attributes.js';
import { GROUP_SCHEMA, USER_SCHEMA } from './schemas.js';
import type { Query } from './scim-call.js';

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
export function chosen(resource: Attributes, { attributes, excludedAttributes }: Query): Attributes {
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
