import { ScimError } from './scim-error.js';

/** Extension of RFC 7643 section 4.3. */
export const ENTERPRISE_USER = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** Names in the spelling of RFC 7643; attribute names are case-insensitive (section 2.1). */
const NAMES =
  `id externalId meta schemas userName name displayName nickName profileUrl title userType preferredLanguage
  locale timezone active password emails phoneNumbers ims photos addresses groups entitlements roles x509Certificates
  members formatted familyName givenName middleName honorificPrefix honorificSuffix value display type primary
  streetAddress locality region postalCode country resourceType created lastModified location version
  employeeNumber costCenter organization division department manager`
    .split(/\s+/)
    .map((name) => [name.toLowerCase(), name] as const);
const CANONICAL: ReadonlyMap<string, string> = new Map(NAMES);

const MULTI_VALUED = new Set(
  'emails phoneNumbers ims photos addresses groups entitlements roles x509Certificates members'.split(' '),
);
/** Attributes whose values differ by case (`caseExact`, RFC 7643 section 7). */
const CASE_EXACT = new Set(['id', 'externalId', 'members', '$ref', 'x509Certificates']);
const BOOLEANS = new Set(['active', 'primary']);
/** Attributes that clients cannot set; a write of them is ignored (RFC 7644 section 3.5.1). */
const READ_ONLY = new Set(['id', 'meta', 'schemas', 'groups', 'password']);
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

const isPassword = (name: string): boolean => /(?:^|:)password$/i.test(name);

export type Attributes = Record<string, unknown>;

/** Returns whether a value is an object with attributes. */
export function isComplex(value: unknown): value is Attributes {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Brings a value into the form in which it is stored: names in their standard spelling, booleans
 * of Entra ID, which sends "True" and "False", as booleans, and no password at any depth.
 * @param name attribute that holds the value
 * @throws {ScimError} invalidValue for an active that is no boolean
 */
export function normalizeValue(name: string, value: unknown): unknown {
  if (isBoolean(name)) return booleanOf(name, value);
  if (Array.isArray(value)) return value.map((item) => normalizeValue(name, item));
  if (isComplex(value))
    return Object.fromEntries(
      Object.entries(value)
        .map(([key, sub]) => [key.includes(':') ? key : canonicalName(key), sub] as const)
        .filter(([key]) => !isPassword(key))
        .map(([key, sub]) => [key, normalizeValue(key, sub)]),
    );
  return value;
}

function booleanOf(name: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  if (text === 'true') return true;
  if (text === 'false') return false;
  throw new ScimError(400, 'invalidValue', `${name} must be true or false.`);
}

/**
 * Normalizes a resource, without what clients cannot set and without empty attributes. A single
 * value of a multi-valued attribute becomes a list: OneLogin sends one address as an object.
 */
export function normalizeResource(body: Attributes): Attributes {
  const normalized = normalizeValue('', body) as Attributes;
  return Object.fromEntries(
    Object.entries(normalized)
      .filter(
        ([name, value]) =>
          !isReadOnly(name) && value !== null && !(Array.isArray(value) && value.length === 0),
      )
      .map(([name, value]) => [name, isMultiValued(name) && isComplex(value) ? [value] : value]),
  );
}

/** Returns the address of a person: the primary one, or the first. */
export function primaryEmail(attributes: Attributes): string | null {
  const { emails } = attributes;
  if (!Array.isArray(emails)) return null;
  const values = (emails as Attributes[]).filter((one) => typeof one?.['value'] === 'string');
  const chosen = values.find((one) => one['primary'] === true) ?? values[0];
  return (chosen?.['value'] as string | undefined) ?? null;
}
