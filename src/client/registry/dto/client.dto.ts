import type { TenantId } from '../../../kernel/index.js';
import { Input, ulidField } from '../../../platform/api/index.js';
import type {
  ClientAuthMethod,
  ClientGrantType,
  ClientSecurity,
  ClientType,
  AccessTokenAlg,
  IdTokenAlg,
  IdTokenClaims,
  SubjectType,
} from '../client-traits.js';
import {
  ASSERTION_AUDIENCES,
  AssertionAudienceDto,
  AUTH_METHOD,
  BACKCHANNEL_LOGOUT_URI,
  CLIENT_TYPE,
  FIRST_PARTY,
  GRANT_TYPES,
  ACCESS_TOKEN_ALG,
  ID_TOKEN_ALG,
  ID_TOKEN_CLAIMS_FIELD,
  JWKS,
  JWKS_URI,
  JwksDto,
  LOGO_URI,
  POST_LOGOUT_REDIRECT_URIS,
  REQUIRE_DPOP,
  REQUIRE_PAR,
  REQUIRE_PKCE,
  SATELLITE_CODES,
  SECURITY,
  SUBJECT_TYPE,
} from '../openid-client.fields.js';
import { CLIENT_ID, REDIRECT_URIS, SATELLITE_NAME, SATELLITE_SCOPES } from '../client.fields.js';

/** The protocol of a client, and its properties at OpenID Connect. */
class OpenIdTraitsDto {
  @Input(SATELLITE_CODES, { optional: true })
  satelliteCodes?: boolean;

  @Input(FIRST_PARTY, { optional: true })
  firstParty?: boolean;

  @Input(GRANT_TYPES, { optional: true })
  grantTypes?: ClientGrantType[];

  @Input(AUTH_METHOD, { optional: true })
  tokenEndpointAuthMethod?: ClientAuthMethod;

  @Input(SUBJECT_TYPE, { optional: true })
  subjectType?: SubjectType;

  @Input(JWKS, { optional: true, nullable: true })
  jwks?: JwksDto | null;

  @Input(JWKS_URI, { optional: true, nullable: true })
  jwksUri?: string | null;

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

  @Input(ACCESS_TOKEN_ALG, { optional: true })
  accessTokenAlg?: AccessTokenAlg;

  @Input(REQUIRE_PKCE, { optional: true })
  requirePkce?: boolean;

  @Input(SECURITY, { optional: true })
  security?: ClientSecurity;

  @Input(ID_TOKEN_CLAIMS_FIELD, { optional: true })
  idTokenClaims?: IdTokenClaims;

  @Input(ASSERTION_AUDIENCES, {
    optional: true,
    description:
      'Authorization servers for which a client of an organization gets identity assertions (ID-JAG).',
  })
  assertionAudiences?: AssertionAudienceDto[];

  @Input(LOGO_URI, { optional: true, nullable: true })
  logoUri?: string | null;
}

export class RegisterSatelliteDto extends OpenIdTraitsDto {
  @Input(CLIENT_ID)
  clientId: string;

  @Input(SATELLITE_NAME)
  name: string;

  @Input(REDIRECT_URIS, { optional: true })
  redirectUris?: string[];

  @Input(SATELLITE_SCOPES, { optional: true })
  scopes?: string[];

  @Input(CLIENT_TYPE, { optional: true })
  type?: ClientType;

  @Input(
    ulidField({
      example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1',
      description: 'Organization whose members alone can sign in to it. It then manages the client as well.',
    }),
    { optional: true },
  )
  tenantId?: TenantId;
}

export class UpdateSatelliteDto extends OpenIdTraitsDto {
  @Input(SATELLITE_NAME, { optional: true })
  name?: string;

  @Input(REDIRECT_URIS, { optional: true })
  redirectUris?: string[];

  @Input(SATELLITE_SCOPES, { optional: true })
  scopes?: string[];
}
