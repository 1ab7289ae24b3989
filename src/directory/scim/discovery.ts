import { ENTERPRISE_USER, GROUP_SCHEMA, SCHEMAS, USER_SCHEMA } from './schemas.js';

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
  resourceType(baseUrl, 'User', USER_SCHEMA, [{ schema: ENTERPRISE_USER, required: false }]),
  resourceType(baseUrl, 'Group', GROUP_SCHEMA, []),
];

const resourceType = (baseUrl: string, id: string, schema: string, schemaExtensions: readonly object[]) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
  id,
  name: id,
  endpoint: `/${id}s`,
  description: id,
  schema,
  schemaExtensions,
  meta: { resourceType: 'ResourceType', location: `${baseUrl}/ResourceTypes/${id}` },
});

/** The schemas (RFC 7643 section 7). */
export const schemas = (baseUrl: string): { readonly id: string }[] =>
  SCHEMAS.map(({ id, name, attributes }) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id,
    name,
    description: name,
    attributes,
    meta: { resourceType: 'Schema', location: `${baseUrl}/Schemas/${id}` },
  }));
