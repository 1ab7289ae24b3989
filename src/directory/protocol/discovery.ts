import { ENTERPRISE_USER } from '../scim/attributes.js';
import { GROUP_SCHEMA, USER_SCHEMA } from './representation.js';

/** Most operations of a bulk request. */
export const MAX_BULK_OPERATIONS = 200;
export const MAX_BODY_BYTES = 1_048_576;

/** What the service supports (RFC 7643 section 5). */
export const serviceProviderConfig = (baseUrl: string): object => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: true, maxOperations: MAX_BULK_OPERATIONS, maxPayloadSize: MAX_BODY_BYTES },
  filter: { supported: true, maxResults: 1_000 },
  changePassword: { supported: false },
  sort: { supported: true },
  etag: { supported: true },
  pagination: {
    cursor: true,
    index: true,
    defaultPaginationMethod: 'index',
    defaultPageSize: 100,
    maxPageSize: 1_000,
  },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Token of the directory',
      description: 'A bearer token that an administrator of the organization creates.',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${baseUrl}/ServiceProviderConfig` },
});

/** The types of resources (RFC 7643 section 6). */
export const resourceTypes = (baseUrl: string): { readonly id: string }[] => [
  {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: 'User',
    name: 'User',
    endpoint: '/Users',
    description: 'User',
    schema: USER_SCHEMA,
    schemaExtensions: [{ schema: ENTERPRISE_USER, required: false }],
    meta: { resourceType: 'ResourceType', location: `${baseUrl}/ResourceTypes/User` },
  } as { readonly id: string },
  {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: 'Group',
    name: 'Group',
    endpoint: '/Groups',
    description: 'Group',
    schema: GROUP_SCHEMA,
    schemaExtensions: [],
    meta: { resourceType: 'ResourceType', location: `${baseUrl}/ResourceTypes/Group` },
  } as { readonly id: string },
];

interface Traits {
  readonly type?: string;
  readonly required?: boolean;
  readonly caseExact?: boolean;
  readonly mutability?: string;
  readonly returned?: string;
  readonly uniqueness?: string;
  readonly subs?: readonly object[];
  readonly multi?: boolean;
}

/** Describes an attribute (RFC 7643 section 7). */
function attribute(name: string, traits: Traits = {}): object {
  const { type = traits.subs ? 'complex' : 'string', subs, multi = false } = traits;
  return {
    name,
    type,
    multiValued: multi,
    description: name,
    required: traits.required ?? false,
    caseExact: traits.caseExact ?? false,
    mutability: traits.mutability ?? 'readWrite',
    returned: traits.returned ?? 'default',
    uniqueness: traits.uniqueness ?? 'none',
    ...(subs && { subAttributes: subs }),
  };
}

const texts = (...names: string[]): object[] => names.map((name) => attribute(name));
const VALUES = [...texts('value', 'display', 'type'), attribute('primary', { type: 'boolean' })];
const list = (name: string): object => attribute(name, { multi: true, subs: VALUES });
const REFERENCE = attribute('$ref', { type: 'reference', caseExact: true, mutability: 'immutable' });
const READ_ONLY = { mutability: 'readOnly' } as const;

const USER = [
  attribute('userName', { required: true, uniqueness: 'server' }),
  attribute('externalId', { caseExact: true, uniqueness: 'server' }),
  attribute('name', {
    subs: texts('formatted', 'familyName', 'givenName', 'middleName', 'honorificPrefix', 'honorificSuffix'),
  }),
  ...texts('displayName', 'nickName', 'title', 'userType', 'preferredLanguage', 'locale', 'timezone'),
  attribute('profileUrl', { type: 'reference', caseExact: true }),
  attribute('active', { type: 'boolean' }),
  ...['emails', 'phoneNumbers', 'ims', 'photos', 'entitlements', 'roles', 'x509Certificates'].map(list),
  attribute('addresses', {
    multi: true,
    subs: [
      ...texts('formatted', 'streetAddress', 'locality', 'region', 'postalCode', 'country', 'type'),
      attribute('primary', { type: 'boolean' }),
    ],
  }),
  attribute('groups', {
    multi: true,
    ...READ_ONLY,
    subs: ['value', '$ref', 'display', 'type'].map((name) => attribute(name, READ_ONLY)),
  }),
];
const GROUP = [
  attribute('displayName', { required: true }),
  attribute('externalId', { caseExact: true, uniqueness: 'server' }),
  attribute('members', {
    multi: true,
    subs: [attribute('value', { mutability: 'immutable', caseExact: true }), REFERENCE, attribute('type')],
  }),
];
const ENTERPRISE = [
  ...texts('employeeNumber', 'costCenter', 'organization', 'division', 'department'),
  attribute('manager', {
    subs: [attribute('value'), REFERENCE, attribute('displayName', READ_ONLY)],
  }),
];

/** The schemas (RFC 7643 section 7). */
export const schemas = (baseUrl: string): { readonly id: string }[] =>
  [
    [USER_SCHEMA, 'User', USER] as const,
    [GROUP_SCHEMA, 'Group', GROUP] as const,
    [ENTERPRISE_USER, 'EnterpriseUser', ENTERPRISE] as const,
  ].map(([id, name, attributes]) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id,
    name,
    description: name,
    attributes,
    meta: { resourceType: 'Schema', location: `${baseUrl}/Schemas/${id}` },
  }));
