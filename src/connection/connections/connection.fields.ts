import {
  blockField,
  booleanField,
  integerField,
  listField,
  textField,
  wordField,
} from '../../platform/api/index.js';
import { CLIENT_AUTHENTICATIONS, ON_NO_MATCH, SSO_BINDINGS, SYNC_ROLES } from './connection.js';

/** Key of a role. */
export const ROLE_KEY = /^[a-z][a-z0-9_-]{0,49}$/;

export const CONNECTION_KIND = wordField(['oidc', 'saml'] as const, {
  description: 'Protocol; it cannot be changed.',
});

export const CONNECTION_NAME = textField({ max: 100, example: 'Okta' });

export const DOMAIN_IDS = listField({
  max: 100,
  itemMax: 26,
  pattern: /^[0-9A-HJKMNP-TV-Z]{26}$/,
  message: 'must be the id of a domain',
  example: ['01K3V9D7Q8Z4X5N6M7P8R9S0D1'],
  description:
    'Domains of the organization for whose addresses the connection vouches, once they are verified.',
});

export const ISSUER = textField({
  max: 500,
  example: 'https://idp.example.com',
  description:
    'oidc: issuer, as its discovery document names it; no template, and no issuer of many customers.',
});
export const CLIENT_ID = textField({ max: 200, example: 'gatehouse', description: 'oidc: client id.' });
export const SCOPES = listField({
  max: 20,
  itemMax: 100,
  pattern: /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/,
  message: 'must be a scope',
  example: ['groups'],
  description: 'oidc: scopes beside `openid`, `email` and `profile`.',
});
export const ACR_VALUES = listField({
  max: 20,
  itemMax: 200,
  pattern: /^[\x21-\x7e]{1,200}$/,
  message: 'must be an authentication context',
  example: ['phr'],
  description: 'oidc: authentication contexts to ask for.',
});

export const TRUSTED_AUDIENCES = listField({
  max: 20,
  itemMax: 500,
  pattern: /^[\x21-\x7e]{1,500}$/,
  message: 'must be an audience of ID tokens',
  example: ['project-4711'],
  description:
    'oidc: audiences that ID tokens may name besides the client. Any other one is refused, because it could use the token too.',
});

export const ENTITY_ID = textField({
  max: 500,
  example: 'https://idp.example.com/saml',
  description: 'saml: entity id of the provider, compared exactly.',
});
export const METADATA = blockField({
  max: 60_000,
  pattern: /^\s*<[\s\S]{1,59000}>\s*$/,
  message: 'must be XML',
  example:
    '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.example.com/saml"/>',
  description: 'saml: metadata of the provider, as XML. In place of `entityId`, `ssoUrl` and `certificates`.',
});
export const METADATA_URL = textField({
  max: 500,
  example: 'https://idp.example.com/saml/metadata',
  description:
    'saml: address of the metadata, read now and daily. In place of `entityId`, `ssoUrl` and `certificates`. null to stop.',
});
export const SIGN_REQUESTS = booleanField({
  description: 'saml: whether requests are signed. They are if it is left out.',
  example: true,
});
export const IDP_INITIATED = booleanField({
  description:
    'saml: whether a valid response without a request starts a sign-in by this connection. It signs no person in by itself.',
  example: false,
});
export const TRUSTS_SECOND_FACTOR = booleanField({
  description:
    'Whether two factors that the provider proved count as the second factor in this organization. Nothing else opens by them.',
  example: false,
});
export const IDENTITY_ASSERTIONS = booleanField({
  description:
    'oidc: whether clients get tokens of this organization for identity assertions (ID-JAG) of its issuer.',
  example: false,
});
export const SSO_URL = textField({
  max: 500,
  example: 'https://idp.example.com/saml/sso',
  description: 'saml: address for requests, as `ssoBinding` sends them.',
});
export const SSO_BINDING = wordField(SSO_BINDINGS, {
  description:
    'saml: how the browser brings requests to `ssoUrl`: in the address (HTTP-Redirect, if left out), or by a form (HTTP-POST). Metadata names it; with both, it is `redirect`.',
  example: 'redirect',
});
export const SLO_URL = textField({
  max: 500,
  example: 'https://idp.example.com/saml/slo',
  description: 'saml: address for a logout by redirect; null for none. Metadata names it too.',
});
export const WANT_ENCRYPTED = booleanField({
  description:
    'saml: whether assertions must be encrypted, with AES-GCM and RSA-OAEP by the key in our metadata. Others are refused then.',
  example: false,
});
export const AUTHN_INSTANT_MAX_AGE = integerField({
  min: 60,
  max: 31_536_000,
  example: 604_800,
  description:
    'saml: maximum age in seconds of the authentication that the provider reports (`AuthnInstant`); null for no limit. Left out: the setting `EXTERNAL_SAML_MAX_AUTH_AGE`, a day by default.',
});
export const CLIENT_AUTHENTICATION = wordField(CLIENT_AUTHENTICATIONS, {
  description:
    'oidc: how token requests are authenticated: by `clientSecret`, or a JWT signed by a key of our JWK Set (`serviceProvider.jwksUri`).',
  example: 'client_secret',
});
export const NAME_ID_FORMAT = textField({
  max: 200,
  example: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  description: 'saml: format of the NameID to ask for; null for any.',
});

export const ATTRIBUTE_NAME = textField({
  max: 200,
  example: 'mail',
  description: 'Name of the claim or attribute.',
});

export const JUST_IN_TIME = booleanField({
  description: 'Whether a person of a verified domain becomes a member at the first sign-in.',
  example: true,
});
export const DEFAULT_ROLES = listField({
  max: 20,
  itemMax: 50,
  pattern: ROLE_KEY,
  message: 'must be the key of a role',
  example: ['member'],
  description: 'Keys of the roles of people to whom no rule gives one. Without any: `member`.',
});
export const NO_MATCH = wordField(ON_NO_MATCH, {
  description: 'Where no rule matches: the default roles, or no access for people whom a sign-in has added.',
});
export const SYNC = wordField(SYNC_ROLES, {
  description:
    'When the rules are applied. `every-sign-in` replaces the roles that the connection gave, and no others.',
  example: 'every-sign-in',
});
