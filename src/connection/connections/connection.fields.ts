import {
  blockField,
  booleanField,
  listField,
  objectField,
  objectListField,
  Output,
  textField,
  timeField,
  ulidField,
  wordField,
} from '../../platform/api/index.js';
import { CLIENT_AUTHENTICATIONS, ON_NO_MATCH, SYNC_ROLES } from './connection.js';

/** Key of a role. */
export const ROLE_KEY = /^[a-z][a-z0-9_-]{0,49}$/;

export const CONNECTION_ID = ulidField({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' });

export const CONNECTION_KIND = wordField(['oidc', 'saml'] as const, {
  description: 'Protocol; it cannot be changed.',
});

export const CONNECTION_NAME = textField({ max: 100, example: 'Okta' });

export const CONNECTION_STATUS = wordField(['draft', 'active', 'disabled'] as const, {
  description:
    '`draft`: it was never activated, or its settings have changed since. Only an active one signs people in.',
});

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
export const CLIENT_SECRET = textField({
  max: 500,
  example: 'Zx8cV2bN4mQ6wE1r',
  description: 'oidc: secret of the client. Cannot be read again.',
});
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
export const END_SESSIONS_FIELD = booleanField({
  description: 'Whether sessions that began by the connection end. Left out: they go on.',
  example: true,
});

export const TRUSTS_SECOND_FACTOR = booleanField({
  description:
    'Whether two factors that the provider proved count as the second factor in this organization. Nothing else opens by them.',
  example: false,
});
export const SSO_URL = textField({
  max: 500,
  example: 'https://idp.example.com/saml/sso',
  description: 'saml: address for requests by redirect.',
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
export const CLIENT_AUTHENTICATION = wordField(CLIENT_AUTHENTICATIONS, {
  description:
    'oidc: how token requests are authenticated: by `clientSecret`, or a JWT signed by a key of our JWK Set (`serviceProvider.jwksUri`).',
  example: 'client_secret',
});
export const CERTIFICATES = listField({
  min: 1,
  max: 10,
  itemMax: 10_000,
  pattern: /^-----BEGIN CERTIFICATE-----[\s\S]{1,9900}-----END CERTIFICATE-----\s*$/,
  message: 'must be a certificate in PEM',
  example: ['-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----'],
  description: 'saml: certificates by which the provider signs, in PEM.',
});
export const NAME_ID_FORMAT = textField({
  max: 200,
  example: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  description: 'saml: format of the NameID to ask for; null for any.',
});

const ATTRIBUTE = textField({ max: 200, example: 'mail', description: 'Name of the claim or attribute.' });

export const ATTRIBUTES = {
  email: ATTRIBUTE,
  groups: ATTRIBUTE,
  firstName: ATTRIBUTE,
};

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
/** A certificate, with its fingerprint. */
export class CertificateResponse {
  @Output(
    textField({
      max: 64,
      pattern: /^[0-9a-f]{64}$/,
      shape: '64 hexadecimal digits',
      example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      description: 'Fingerprint by SHA-256.',
    }),
  )
  sha256: string;
  @Output(timeField({ description: 'End of its validity.' }))
  notAfter: string;
  @Output(timeField({ description: 'Last time that it verified a sign-in.' }), { nullable: true })
  lastUsedAt: string | null;

  static from({
    sha256,
    notAfter,
    lastUsed,
  }: {
    readonly sha256: string;
    readonly notAfter: Date;
    readonly lastUsed: Date | null;
  }): CertificateResponse {
    return { sha256, notAfter: notAfter.toISOString(), lastUsedAt: lastUsed?.toISOString() ?? null };
  }
}
/** Of a key that was thrown away. */
const EXAMPLE_PEM = [
  '-----BEGIN CERTIFICATE-----',
  'MIIBijCCATGgAwIBAgIUJogDihtP9+VA+zPl1qSLs1bF2K4wCgYIKoZIzj0EAwIw',
  'GjEYMBYGA1UEAwwPaWRwLmV4YW1wbGUuY29tMCAXDTI2MTEyNTIyMzEwOFoYDzIx',
  'MjYxMTAxMjIzMTA4WjAaMRgwFgYDVQQDDA9pZHAuZXhhbXBsZS5jb20wWTATBgcq',
  'hkjOPQIBBggqhkjOPQMBBwNCAATkmR/Xjus2mWA54xm8AGuRfL6AsVru5xMk5k7M',
  '429HBom3KJAgctmAWlKIp46YUNUKb00wD8y7dAPHEBzmFIwbo1MwUTAdBgNVHQ4E',
  'FgQUU/CJCo7mqfY1ofwPfwB9ewl5T88wHwYDVR0jBBgwFoAUU/CJCo7mqfY1ofwP',
  'fwB9ewl5T88wDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiBCAJk8',
  'dSMSof8S5H+wkuVzRTaAwaLJvuAJ6LR0kNxtXAIgDReiYMXrRGRLUhgiUpxJQ3ef',
  'HDNC9zCuzmatUpa7w0w=',
  '-----END CERTIFICATE-----',
].join('\n');
const PEM = /^-----BEGIN CERTIFICATE-----[\s\S]{1,9900}-----END CERTIFICATE-----\s*$/;
export const CERTIFICATE = blockField({
  max: 10_000,
  pattern: PEM,
  message: 'must be a certificate in PEM',
  example: EXAMPLE_PEM,
  description: 'Certificate by which the provider signs, in PEM.',
});
/** Path parameter: a certificate of a connection. */
export const SHA256_PARAMETER = {
  name: 'sha256',
  schema: {
    type: 'string',
    pattern: '^[0-9a-f]{64}$',
    maxLength: 64,
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
  description: 'Fingerprint of the certificate by SHA-256.',
} as const;
export const CERTIFICATE_LIST = objectListField(() => CertificateResponse, 10);

/** What an administrator of the provider enters there. */
class ServiceProviderResponse {
  @Output(
    textField({
      max: 500,
      example: 'https://gatehouse.example/api/iam/auth/external/oidc/callback/01K3V9D7Q8Z4X5N6M7P8R9S0T1',
      description: 'oidc: redirect URI.',
    }),
    { required: false },
  )
  redirectUri?: string;
  @Output(
    textField({
      max: 500,
      example: 'https://gatehouse.example/api/iam/auth/external/saml/callback/01K3V9D7Q8Z4X5N6M7P8R9S0T1',
      description: 'saml: assertion consumer service.',
    }),
    { required: false },
  )
  acsUrl?: string;
  @Output(
    textField({
      max: 500,
      example: 'https://gatehouse.example/api/iam/auth/external/saml/metadata/01K3V9D7Q8Z4X5N6M7P8R9S0T1',
      description: 'saml: entity id.',
    }),
    { required: false },
  )
  entityId?: string;
  @Output(
    textField({
      max: 500,
      example: 'https://gatehouse.example/api/iam/auth/external/saml/metadata/01K3V9D7Q8Z4X5N6M7P8R9S0T1',
      description: 'saml: address of the metadata.',
    }),
    { required: false },
  )
  metadataUrl?: string;
  @Output(
    textField({
      max: 500,
      example: 'https://gatehouse.example/api/iam/auth/external/oidc/begin/01K3V9D7Q8Z4X5N6M7P8R9S0T1',
      description: 'Bookmark that starts a sign-in; `initiate_login_uri` of OpenID Connect.',
    }),
  )
  initiateLoginUri: string;
  @Output(
    textField({
      max: 500,
      example: 'https://gatehouse.example/api/iam/auth/external/saml/logout/01K3V9D7Q8Z4X5N6M7P8R9S0T1',
      description: 'saml: SingleLogoutService. oidc: `backchannel_logout_uri`.',
    }),
  )
  sloUrl: string;
  @Output(
    textField({
      max: 500,
      example: 'https://app.gatehouse.example/sign-in',
      description: 'oidc: `post_logout_redirect_uri`.',
    }),
    { required: false },
  )
  postLogoutRedirectUri?: string;
  @Output(
    textField({
      max: 500,
      example: 'https://gatehouse.example/api/iam/auth/external/oidc/jwks',
      description: 'oidc with `private_key_jwt`: address of our keys.',
    }),
    { required: false },
  )
  jwksUri?: string;
}
export const SERVICE_PROVIDER = objectField(() => ServiceProviderResponse);
