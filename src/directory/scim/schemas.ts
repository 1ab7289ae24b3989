/** Schemas of RFC 7643: what the service advertises at /Schemas, and holds what it is sent to. */
export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';
/** Extension of RFC 7643 section 4.3. */
export const ENTERPRISE_USER = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

type AttributeType = 'string' | 'boolean' | 'complex' | 'reference' | 'binary';

/** Characteristics of an attribute (RFC 7643 section 7). */
export interface SchemaAttribute {
  readonly name: string;
  readonly type: AttributeType;
  readonly multiValued: boolean;
  readonly description: string;
  readonly required: boolean;
  readonly caseExact: boolean;
  readonly mutability: string;
  readonly returned: string;
  readonly uniqueness: string;
  readonly subAttributes?: readonly SchemaAttribute[];
  readonly referenceTypes?: readonly string[];
  readonly canonicalValues?: readonly string[];
}

interface Traits extends Partial<
  Pick<SchemaAttribute, 'type' | 'required' | 'caseExact' | 'mutability' | 'uniqueness'>
> {
  readonly subs?: readonly SchemaAttribute[];
  readonly multi?: boolean;
  /** Resources or schemes that a reference leads to. */
  readonly to?: readonly string[];
  readonly values?: readonly string[];
}

function attribute(name: string, traits: Traits = {}): SchemaAttribute {
  const { subs, to, values, multi = false } = traits;
  const type = traits.type ?? (subs ? 'complex' : to ? 'reference' : 'string');
  return {
    name,
    type,
    multiValued: multi,
    description: name,
    required: traits.required ?? false,
    caseExact: traits.caseExact ?? (type === 'reference' || type === 'binary'),
    mutability: traits.mutability ?? 'readWrite',
    returned: 'default',
    uniqueness: traits.uniqueness ?? 'none',
    ...(subs && { subAttributes: subs }),
    ...(to && { referenceTypes: to }),
    ...(values && { canonicalValues: values }),
  };
}

const texts = (...names: string[]): SchemaAttribute[] => names.map((name) => attribute(name));
const READ_ONLY = { mutability: 'readOnly' } as const;
const PRIMARY = attribute('primary', { type: 'boolean' });
const list = (name: string, value: Traits = {}): SchemaAttribute =>
  attribute(name, {
    multi: true,
    subs: [attribute('value', value), ...texts('display', 'type'), PRIMARY],
  });

const USER = [
  attribute('userName', { required: true, uniqueness: 'server' }),
  attribute('externalId', { caseExact: true }),
  attribute('name', {
    subs: texts('formatted', 'familyName', 'givenName', 'middleName', 'honorificPrefix', 'honorificSuffix'),
  }),
  ...texts('displayName', 'nickName', 'title', 'userType', 'preferredLanguage', 'locale', 'timezone'),
  attribute('profileUrl', { to: ['external'] }),
  attribute('active', { type: 'boolean' }),
  ...['emails', 'phoneNumbers', 'ims', 'entitlements', 'roles'].map((name) => list(name)),
  list('photos', { to: ['external'] }),
  list('x509Certificates', { type: 'binary' }),
  attribute('addresses', {
    multi: true,
    subs: [
      ...texts('formatted', 'streetAddress', 'locality', 'region', 'postalCode', 'country', 'type'),
      PRIMARY,
    ],
  }),
  attribute('groups', {
    multi: true,
    ...READ_ONLY,
    subs: [
      attribute('value', { ...READ_ONLY, caseExact: true }),
      attribute('$ref', { ...READ_ONLY, to: ['Group'] }),
      attribute('display', READ_ONLY),
      attribute('type', { ...READ_ONLY, values: ['direct'] }),
    ],
  }),
];
const GROUP = [
  attribute('displayName', { required: true }),
  attribute('externalId', { caseExact: true, uniqueness: 'server' }),
  attribute('members', {
    multi: true,
    subs: [
      attribute('value', { mutability: 'immutable', caseExact: true }),
      attribute('$ref', { ...READ_ONLY, to: ['User'] }),
      attribute('type', { ...READ_ONLY, values: ['User'] }),
    ],
  }),
];
const ENTERPRISE = [
  ...texts('employeeNumber', 'costCenter', 'organization', 'division', 'department'),
  attribute('manager', {
    subs: [
      attribute('value', { caseExact: true }),
      attribute('$ref', { mutability: 'immutable', to: ['User'] }),
      attribute('displayName'),
    ],
  }),
];

export const SCHEMAS = [
  { id: USER_SCHEMA, name: 'User', attributes: USER },
  { id: GROUP_SCHEMA, name: 'Group', attributes: GROUP },
  { id: ENTERPRISE_USER, name: 'EnterpriseUser', attributes: ENTERPRISE },
] as const;
