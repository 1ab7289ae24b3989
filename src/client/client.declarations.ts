import { SCOPE_SHAPE } from '../ability/index.js';
import { ApiParam, listField, Tag, textField } from '../platform/api/index.js';
import { Bucket } from '../platform/rate-limit/index.js';

/** API tag "APIs". */
export const ApisTag = () =>
  Tag('APIs', 'APIs of yours that accept access tokens of this service, and the clients that reach them.');

/** API tag "Satellites". */
export const SatellitesTag = () =>
  Tag('Satellites', 'Third-party clients with a server, which take part in the session of their visitor.');

/** Metadata documents of clients that are fetched for requests of one network. */
export const DOCUMENT_LIMIT = new Bucket('client-document', 'RATE_DOCUMENTS');

export const CLIENT_ID = textField({
  min: 3,
  max: 64,
  pattern: /^[a-z][a-z0-9-]{1,62}[a-z0-9]$/,
  shape: 'lower-case letters, digits and hyphens, beginning with a letter and not ending with a hyphen',
  example: 'help-centre',
  description: 'Public identifier of the client (RFC 6749 section 2.2), unique on the platform.',
});

export const SATELLITE_NAME = textField({ max: 100, example: 'Help centre' });

/** An https address, http for localhost, or one of a scheme that an app owns (RFC 8252). */
export const RETURN_ADDRESS = {
  pattern: /^(?:https?:\/\/|[a-z][a-z\d+-]*(?:\.[a-z\d+-]+)+:\/).{0,490}$/,
  message:
    'must be an https address of at most 500 characters (http for localhost), or one of a scheme such as com.example.app',
} as const;

export const REDIRECT_URIS = listField({
  max: 20,
  itemMax: 500,
  ...RETURN_ADDRESS,
  example: ['https://help.example.com/callback'],
  description:
    'Addresses to which codes may be sent. Compared character by character. None for a client without the grant `authorization_code`. A public client may have addresses of its own scheme, such as `com.example.app:/callback`.',
});

/** Each a scope, or `*`. */
export const SATELLITE_SCOPES = listField({
  max: 200,
  pattern: new RegExp(`^\\*$|${SCOPE_SHAPE.source}`),
  message: 'must be * or have the format <module>:<entity>:<action>',
  example: ['iam:tenant:read'],
  description:
    'Scopes of its tokens, if the visitor holds them. None by default. `*`, sent alone, stands for all scopes of the visitor; use it only for your own clients.',
});

/** Documents `:clientId` of a path: the name that the client was registered with, not a ULID. */
export const ClientIdParam = () => {
  const { maxLength, pattern, example } = CLIENT_ID.schema;
  return ApiParam({
    name: 'clientId',
    description: 'Client id of the satellite.',
    schema: { type: 'string', maxLength, pattern: String(pattern), examples: [example] },
  });
};
