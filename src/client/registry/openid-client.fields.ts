import { JwkDto } from '../../machine/index.js';
import {
  booleanField,
  Input,
  listField,
  objectField,
  objectListField,
  Output,
  textField,
  wordField,
} from '../../platform/api/index.js';
import {
  CLIENT_AUTH_METHODS,
  CLIENT_GRANT_TYPES,
  CLIENT_SECURITIES,
  CLIENT_TYPES,
  ACCESS_TOKEN_ALGS,
  ID_TOKEN_ALGS,
  ID_TOKEN_CLAIMS,
  LOGOUT_REACHES,
  SUBJECT_TYPES,
} from './client-traits.js';
import { RETURN_ADDRESS } from '../client.declarations.js';

const WEB_ADDRESS = { max: 500, pattern: /^https?:\/\/.{1,490}$/, shape: 'an https address' } as const;

export const CLIENT_TYPE = wordField(CLIENT_TYPES);

export const SATELLITE_CODES = booleanField({
  example: true,
  description:
    'Whether satellite codes serve the client, in place of OpenID Connect. Such a client is your own, confidential, and knows people by the id of the account. By default true for a registration that sets no property of OpenID Connect.',
});

export const FIRST_PARTY = booleanField({
  example: false,
  description: 'A client of your own: visitors are never asked for consent.',
});

export const GRANT_TYPES = listField({
  min: 1,
  max: CLIENT_GRANT_TYPES.length,
  itemMax: 64,
  pattern: new RegExp(`^(?:${CLIENT_GRANT_TYPES.join('|')})$`),
  message: `must be one of ${CLIENT_GRANT_TYPES.join(', ')}`,
  example: ['authorization_code', 'refresh_token'],
  description: 'Without `refresh_token`, the client gets none at the token endpoint of OAuth.',
});

export const AUTH_METHOD = wordField(CLIENT_AUTH_METHODS, {
  description:
    'How the client authenticates. `client_secret`, the default of a confidential client, accepts its secret by `client_secret_basic` and by `client_secret_post`; the others accept one method only.',
});

const MAX_KEYS = 10;

/** Public keys of a client. */
export class JwksDto {
  @Input(objectListField(() => JwkDto, MAX_KEYS))
  @Output(objectListField(() => JwkDto, MAX_KEYS))
  keys: JwkDto[];
}

export const JWKS = objectField(() => JwksDto, {
  keys: [
    {
      kty: 'EC',
      crv: 'P-256',
      x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
      y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
    },
  ],
});

export const JWKS_URI = textField({
  ...WEB_ADDRESS,
  example: 'https://help.example.com/jwks.json',
  description: 'Where the keys of `private_key_jwt` are published, in place of `jwks`.',
});

export const POST_LOGOUT_REDIRECT_URIS = listField({
  max: 20,
  itemMax: 500,
  ...RETURN_ADDRESS,
  example: ['https://help.example.com/'],
  description: 'Addresses to which a visitor may return after a logout that the client began.',
});

export const BACKCHANNEL_LOGOUT_URI = textField({
  ...WEB_ADDRESS,
  example: 'https://help.example.com/backchannel-logout',
  description: 'Receives a logout token when a session ends (OpenID Connect Back-Channel Logout 1.0).',
});

export const REQUIRE_PAR = booleanField({
  example: false,
  description: 'Whether authorization requests must be pushed (RFC 9126).',
});

export const SUBJECT_TYPE = wordField(SUBJECT_TYPES, {
  description:
    'How people are named to the client: by the id of the account, or by an identifier that clients of another host do not know. By default `pairwise` for a third party.',
});

export const REQUIRE_DPOP = booleanField({
  example: false,
  description: 'Whether its tokens must be bound to a key of the client (DPoP, RFC 9449).',
});

export const ID_TOKEN_ALG = wordField(ID_TOKEN_ALGS, {
  description: 'Algorithm that signs its ID tokens (RFC 7518 section 3.1).',
});

export const ACCESS_TOKEN_ALG = wordField(ACCESS_TOKEN_ALGS, {
  description:
    'How its access tokens are signed. Default: `ES256`; `RS256` for services whose software verifies no other.',
});

export const REQUIRE_PKCE = booleanField({
  example: true,
  description:
    'Whether each authorization request must have a `code_challenge` (RFC 7636). False only for a confidential client, whose requests for `openid` then need a `nonce`.',
});

export const SECURITY = wordField(CLIENT_SECURITIES, {
  description:
    '`fapi2` fixes what the FAPI 2.0 Security Profile requires of a client: pushed requests, PKCE, `private_key_jwt`, DPoP, ES256. Without the others, it sets all of these; what differs from them is refused.',
});

export const ID_TOKEN_CLAIMS_FIELD = wordField(ID_TOKEN_CLAIMS, {
  description:
    'Claims about the person in ID tokens: those of the granted scopes, as at `/oauth2/userinfo`, or none. By default `scopes`; `none` for a client from before this property.',
});

const MAX_AUDIENCES = 20;
const ISSUER = textField({
  ...WEB_ADDRESS,
  example: 'https://login.partner.example',
  description: 'Issuer of the authorization server: `audience` of the token exchange, `aud` of assertions.',
});
const CLIENT_ELSEWHERE = textField({
  max: 200,
  example: 'f53f191f9311af35',
  description: 'Id of the client there: `client_id` of assertions.',
});
const RESOURCES = listField({
  max: 20,
  itemMax: 500,
  pattern: /^https?:\/\/.{1,490}$/,
  message: 'must be an address of an API',
  example: ['https://api.partner.example/'],
  description: 'APIs of the server that assertions may name.',
});
const ASSERTION_SCOPES = listField({
  max: 100,
  itemMax: 100,
  pattern: /^[!#-[\]-~]{1,100}$/,
  message: 'must be a scope',
  example: ['chat:read'],
  description: 'Scopes that assertions may have.',
});
const RELYING_PARTY = textField({
  max: 100,
  example: 'org-01k3v9d7q8z4x5n6m7p8r9s0t1',
  description:
    'Client of the organization by which people sign in there: assertions name people as its ID tokens do. By default the client itself.',
});

/** An authorization server for which a client gets identity assertions. */
export class AssertionAudienceDto {
  @Input(ISSUER)
  @Output(ISSUER)
  audience: string;
  @Input(CLIENT_ELSEWHERE)
  @Output(CLIENT_ELSEWHERE)
  clientId: string;
  @Input(RESOURCES)
  @Output(RESOURCES)
  resources: string[];
  @Input(ASSERTION_SCOPES)
  @Output(ASSERTION_SCOPES)
  scopes: string[];
  @Input(RELYING_PARTY, { optional: true })
  @Output(RELYING_PARTY, { required: false })
  relyingParty?: string;
}

export const ASSERTION_AUDIENCES = objectListField(() => AssertionAudienceDto, MAX_AUDIENCES);

export const LOGO_URI = textField({
  ...WEB_ADDRESS,
  example: 'https://help.example.com/logo.png',
  description:
    'Shown to visitors beside the name: PNG, WebP or JPEG of at most 256 KiB and 1024 × 1024 pixels. The service fetches it when it is set, and shows a copy.',
});

export const LOGOUT_REACH = wordField(LOGOUT_REACHES, {
  description:
    'How the end of a session reaches the client: `immediate` by its back channel, `next-refresh` after ten minutes at most, `own-session` when the session ends that the client keeps.',
});
