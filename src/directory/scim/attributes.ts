import { isDeepStrictEqual } from 'node:util';
import { type PersonName, readName } from '../../iam/index.js';
import { isEmailAddress, isObject } from '../../kernel/index.js';
import { ENTERPRISE_USER, GROUP_SCHEMA, type SchemaAttribute, SCHEMAS, USER_SCHEMA } from './schemas.js';
import { ScimError } from './scim-error.js';

const attributesOf = (...ids: string[]): ReadonlyMap<string, SchemaAttribute> =>
  new Map(
    SCHEMAS.filter(({ id }) => ids.includes(id))
      .flatMap(({ attributes }): readonly SchemaAttribute[] => attributes)
      .map((attribute) => [attribute.name, attribute]),
  );
const CORE = attributesOf(USER_SCHEMA, GROUP_SCHEMA);
const ENTERPRISE = attributesOf(ENTERPRISE_USER);
const ALL = [...CORE.values(), ...ENTERPRISE.values()];
const subsOf = (attribute: SchemaAttribute): readonly SchemaAttribute[] => attribute.subAttributes ?? [];
const namesOf = (chosen: (attribute: SchemaAttribute) => boolean): string[] =>
  ALL.filter(chosen).map(({ name }) => name);

/** Names in the spelling of the schemas; attribute names are case-insensitive (section 2.1). */
const CANONICAL: ReadonlyMap<string, string> = new Map(
  [
    ...'id meta schemas password resourceType created lastModified location version'.split(' '),
    ...ALL.flatMap((attribute) => [attribute, ...subsOf(attribute)].map(({ name }) => name)),
  ].map((name) => [name.toLowerCase(), name]),
);
const MULTI_VALUED = new Set(namesOf(({ multiValued }) => multiValued));
/** Attributes that differ by case, themselves or by their `value` (RFC 7643 section 7). */
const CASE_EXACT = new Set([
  'id',
  '$ref',
  ...namesOf(
    (one) =>
      one.caseExact ||
      (one.multiValued && subsOf(one).some(({ name, caseExact }) => name === 'value' && caseExact)),
  ),
]);
const namesOfType = (...types: string[]): ReadonlySet<string> =>
  new Set(
    ALL.flatMap((one) => [one, ...subsOf(one)]).flatMap(({ name, type }) =>
      types.includes(type) ? [name] : [],
    ),
  );
const BOOLEANS = namesOfType('boolean');
const TEXTS = namesOfType('string', 'reference');
const OF_VALUE = new Set(
  namesOf((one) => !one.multiValued && subsOf(one).some(({ name }) => name === 'value')),
);
/** Attributes that clients cannot set; a write of them is ignored (RFC 7644 section 3.5.1). */
const READ_ONLY = new Set([
  'id',
  'meta',
  'schemas',
  'password',
  ...namesOf((one) => one.mutability === 'readOnly'),
]);
/** Names that JavaScript objects inherit. */
const INHERITED = new Set(['__proto__', 'constructor', 'prototype']);

/** Returns an attribute name in its standard spelling; an unknown name as it is. */
export function canonicalName(name: string): string {
  if (INHERITED.has(name)) throw new ScimError(400, 'invalidPath', 'This attribute is not allowed.');
  return CANONICAL.get(name.toLowerCase()) ?? name;
}

export const isMultiValued = (name: string): boolean => MULTI_VALUED.has(name);
export const isCaseExact = (name: string): boolean => CASE_EXACT.has(name);
export const isReadOnly = (name: string): boolean => READ_ONLY.has(name);
export const isBoolean = (name: string): boolean => BOOLEANS.has(name);
export const isText = (name: string): boolean => TEXTS.has(name);

/** Returns whether one object stands for its `value`, as the manager of a user does. */
export const isOfValue = (name: string): boolean => OF_VALUE.has(name);

/**
 * Folds a name for comparisons that ignore case. Keys in columns and what they are compared with
 * are both made here: `lower()` of PostgreSQL folds other letters, by the locale of the database.
 */
export const foldName = (name: string): string => name.toLowerCase();

/** A URN split into its schema and the attribute that follows. */
export interface SchemaPath {
  /** Null for the schema of a user or group. */
  readonly schema: string | null;
  /** '' for the whole schema. */
  readonly rest: string;
}

/** A schema ends in its version and the type of resource, which an attribute may follow. */
const SCHEMA_PATH = /^(urn:.+?:\d+\.\d+:\w+)(?::(.+))?$/is;

/** Splits a URN. @returns null if no schema can have it */
export function splitUrn(urn: string): SchemaPath | null {
  const [, schema, rest = ''] = SCHEMA_PATH.exec(urn) ?? [];
  if (schema === undefined) return null;
  const folded = schema.toLowerCase();
  if ([USER_SCHEMA, GROUP_SCHEMA].some((core) => core.toLowerCase() === folded))
    return { schema: null, rest };
  return { schema: folded === ENTERPRISE_USER.toLowerCase() ? ENTERPRISE_USER : schema, rest };
}

const isPassword = (name: string): boolean => /(?:^|:)password$/i.test(name);

export type Attributes = Record<string, unknown>;

/** Returns whether a value is an object with attributes. */
export function isComplex(value: unknown): value is Attributes {
  return isObject(value);
}

/**
 * Brings a value into the form in which it is stored: names in their standard spelling, booleans
 * of Entra ID, which sends "True" and "False", as booleans, and no password at any depth. Null is
 * the same as unassigned (RFC 7643 section 2.5).
 * @param name attribute that holds the value
 * @throws {ScimError} invalidValue for an active that is no boolean
 */
export function normalizeValue(name: string, value: unknown): unknown {
  if (value === null) return null;
  if (isBoolean(name)) return booleanOf(name, value);
  if (Array.isArray(value))
    return value.filter((item) => item !== null).map((item) => normalizeValue(name, item));
  if (isComplex(value))
    return Object.fromEntries(
      Object.entries(value)
        .map(([key, sub]) => [key.includes(':') ? key : canonicalName(key), sub] as const)
        .filter(([key, sub]) => sub !== null && !isPassword(key))
        .map(([key, sub]) => [key, normalizeValue(key, sub)]),
    );
  return value;
}

/** @throws {ScimError} invalidValue */
export function booleanOf(name: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  if (text === 'true') return true;
  if (text === 'false') return false;
  throw new ScimError(400, 'invalidValue', `${name} must be true or false.`);
}

/**
 * Normalizes a resource, without what clients cannot set and without empty attributes. Values have
 * the types of the schemas: a single value of a multi-valued attribute becomes a list (OneLogin
 * sends one address as an object), a list of one object becomes the object (a manager of Entra ID),
 * a text the `value` of an object, a number a text.
 * @param stored attributes of before: those that stay the same are not judged again
 * @throws {ScimError} invalidValue for a value of another type
 */
export function normalizeResource(body: Attributes, stored: Attributes = {}): Attributes {
  const resource: Attributes = {};
  for (const [key, value] of Object.entries(flat(normalizeValue('', body) as Attributes))) {
    if (isReadOnly(key)) continue;
    const isSame = Object.hasOwn(stored, key) && isDeepStrictEqual(stored[key], value);
    const typed = isSame ? value : typedTop(key, value);
    if (!isUnassigned(typed)) resource[key] = typed;
  }
  return resource;
}

/** Moves attributes under the URN of their own schema to the top, and names extensions alike. */
function flat(body: Attributes): Attributes {
  const resource: Attributes = {};
  for (const [key, value] of Object.entries(body)) {
    if (!key.includes(':')) {
      resource[key] = value;
      continue;
    }
    const path = splitUrn(key);
    if (path === null || path.rest !== '') continue; // no schema has this name
    if (path.schema === null) Object.assign(resource, isComplex(value) ? value : {});
    else resource[path.schema] = value;
  }
  return resource;
}

function typedTop(name: string, value: unknown): unknown {
  if (name === ENTERPRISE_USER || name.includes(':')) {
    if (!isComplex(value)) throw new ScimError(400, 'invalidValue', `${name} must be an object.`);
    return name === ENTERPRISE_USER ? typedSubs(ENTERPRISE, value) : value;
  }
  const attribute = CORE.get(name);
  return attribute ? typed(attribute, value) : value;
}

function typed(attribute: SchemaAttribute, value: unknown): unknown {
  if (!attribute.multiValued) return typedOne(attribute, value);
  return onePrimary((Array.isArray(value) ? value : [value]).map((item) => typedOne(attribute, item)));
}

/** At most one element is primary (RFC 7643 section 2.4): the first, which is the address. */
function onePrimary(list: readonly unknown[]): unknown[] {
  const isPrimary = (item: unknown) => isComplex(item) && item['primary'] === true;
  const first = list.findIndex(isPrimary);
  return list.map((item, at) =>
    at !== first && isPrimary(item) ? { ...(item as Attributes), primary: false } : item,
  );
}

function typedOne(attribute: SchemaAttribute, value: unknown): unknown {
  const { name, type, subAttributes = [] } = attribute;
  if (type === 'boolean') return booleanOf(name, value);
  const isPrimitive = ['string', 'number', 'boolean'].includes(typeof value);
  if (type !== 'complex') {
    if (!isPrimitive) throw new ScimError(400, 'invalidValue', `${name} must be a text.`);
    return String(value);
  }
  const subs = new Map(subAttributes.map((sub) => [sub.name, sub]));
  if (Array.isArray(value) && value.length === 1 && isComplex(value[0])) return typedSubs(subs, value[0]);
  if (isPrimitive && subs.has('value')) return { value: String(value) };
  if (!isComplex(value)) throw new ScimError(400, 'invalidValue', `${name} must be an object.`);
  return typedSubs(subs, value);
}

function typedSubs(subs: ReadonlyMap<string, SchemaAttribute>, value: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => {
      const sub = subs.get(key);
      return [key, sub ? typed(sub, part) : part];
    }),
  );
}

/** No value, an empty list and an empty object are the same as null (RFC 7643 section 2.5). */
function isUnassigned(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === null || value === undefined || (isComplex(value) && Object.keys(value).length === 0);
}

/** Returns the address of a person: the primary one, or the first. */
function primaryEmail(attributes: Attributes): string | null {
  const { emails } = attributes;
  if (!Array.isArray(emails)) return null;
  const values = (emails as Attributes[]).filter((one) => typeof one?.['value'] === 'string');
  const chosen = values.find((one) => one['primary'] === true) ?? values[0];
  return (chosen?.['value'] as string | undefined) ?? null;
}

/** Returns the address of a person; null without one. */
export function addressOf(attributes: Attributes): string | null {
  const email = primaryEmail(attributes) ?? attributes['userName'];
  return typeof email === 'string' && isEmailAddress(email) ? email : null;
}

/** Returns the number of a person without an address. */
export function numberOf(attributes: Attributes): string {
  const { externalId, userName, [ENTERPRISE_USER]: enterprise } = attributes;
  const { employeeNumber } = isComplex(enterprise) ? enterprise : {};
  return String(employeeNumber ?? externalId ?? userName).trim();
}

/** Returns what an account takes over of the name of a record. */
export function personNameOf({ name, displayName }: Attributes): PersonName {
  const { givenName, familyName, formatted } = isComplex(name) ? name : {};
  return readName({ firstName: givenName, lastName: familyName, displayName: displayName ?? formatted });
}
