import type { Client } from '../../client/index.js';
import type { SamlClientEntity } from './saml-client.entity.js';
import type { AttributeSource, ReleasedAttribute } from './saml-values.js';

/** Settings of SAML of a client. */
export type SamlSettings = Omit<SamlClientEntity, 'clientId'>;

/** A client that speaks SAML. */
export interface SamlClient {
  readonly client: Client;
  readonly settings: SamlSettings;
}

/** Attributes of a client that sets none. */
export const DEFAULT_ATTRIBUTES: readonly ReleasedAttribute[] = [
  { name: 'email', nameFormat: 'basic', source: 'email' },
  { name: 'name', nameFormat: 'basic', source: 'name' },
  { name: 'firstName', nameFormat: 'basic', source: 'first-name' },
  { name: 'lastName', nameFormat: 'basic', source: 'last-name' },
];

const SCOPE_OF_SOURCE: Readonly<Record<AttributeSource, string>> = {
  email: 'email',
  name: 'profile',
  'first-name': 'profile',
  'last-name': 'profile',
  'organization-id': 'tenant',
  'organization-slug': 'tenant',
  'organization-name': 'tenant',
  roles: 'tenant',
  groups: 'tenant',
  'worker-number': 'tenant',
};

/**
 * Returns the scopes of OpenID Connect that stand for what the client learns: the person is asked
 * for their consent to these.
 */
export function scopesOf({ nameIdFormat, attributes }: SamlSettings): string[] {
  const ofAttributes = attributes.map(({ source }) => SCOPE_OF_SOURCE[source]);
  return [...new Set(['openid', ...(nameIdFormat === 'email' ? ['email'] : []), ...ofAttributes])];
}
