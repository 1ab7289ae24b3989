import { Input, listField, wordField } from '../../../platform/api/index.js';
import { SCOPE_SHAPE } from '../../../ability/index.js';
import {
  CLIENT_AUTH_METHODS,
  type ClientAuthMethod,
  type ClientGrantType,
  type ClientType,
  type IdTokenAlg,
  type SubjectType,
} from '../../registry/client-traits.js';
import {
  BACKCHANNEL_LOGOUT_URI,
  CLIENT_TYPE,
  GRANT_TYPES,
  ID_TOKEN_ALG,
  LOGO_URI,
  POST_LOGOUT_REDIRECT_URIS,
  REQUIRE_DPOP,
  REQUIRE_PAR,
  SUBJECT_TYPE,
} from '../../registry/openid-client.fields.js';
import { REDIRECT_URIS, SATELLITE_NAME } from '../../registry/satellite.fields.js';

const SCOPES = listField({
  max: 200,
  pattern: SCOPE_SHAPE,
  message: 'must have the format <module>:<entity>:<action>',
  example: ['iam:tenant:read'],
  description: 'Permissions of its tokens in the organization, if the member holds them. None by default.',
});

const AUTH_METHOD = wordField(CLIENT_AUTH_METHODS.filter((method) => method !== 'private_key_jwt'));

class ClientTraitsDto {
  @Input(SCOPES, { optional: true })
  scopes?: string[];

  @Input(GRANT_TYPES, { optional: true })
  grantTypes?: ClientGrantType[];

  @Input(AUTH_METHOD, { optional: true })
  tokenEndpointAuthMethod?: ClientAuthMethod;

  @Input(SUBJECT_TYPE, { optional: true })
  subjectType?: SubjectType;

  @Input(POST_LOGOUT_REDIRECT_URIS, { optional: true })
  postLogoutRedirectUris?: string[];

  @Input(BACKCHANNEL_LOGOUT_URI, { optional: true, nullable: true })
  backchannelLogoutUri?: string | null;

  @Input(REQUIRE_PAR, { optional: true })
  requirePar?: boolean;

  @Input(REQUIRE_DPOP, { optional: true })
  requireDpop?: boolean;

  @Input(ID_TOKEN_ALG, { optional: true })
  idTokenAlg?: IdTokenAlg;

  @Input(LOGO_URI, { optional: true, nullable: true })
  logoUri?: string | null;
}

export class RegisterTenantClientDto extends ClientTraitsDto {
  @Input(SATELLITE_NAME)
  name: string;

  @Input(REDIRECT_URIS)
  redirectUris: string[];

  @Input(CLIENT_TYPE, { optional: true })
  type?: ClientType;
}

export class UpdateTenantClientDto extends ClientTraitsDto {
  @Input(SATELLITE_NAME, { optional: true })
  name?: string;

  @Input(REDIRECT_URIS, { optional: true })
  redirectUris?: string[];
}
