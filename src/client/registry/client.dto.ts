import {
  booleanField,
  Input,
  OmitType,
  Output,
  PartialType,
  textField,
  toResponse,
  wordField,
} from '../../platform/api/index.js';
import {
  type AccessTokenAlg,
  type AssertionAudience,
  CLIENT_PROTOCOLS,
  type ClientAuthMethod,
  type ClientGrantType,
  type ClientJwks,
  type ClientProtocol,
  type ClientSecurity,
  type ClientType,
  type IdTokenAlg,
  type IdTokenClaims,
  type LogoutReach,
  logoutReachOf,
  type SubjectType,
} from './client-traits.js';
import { CLIENT_LOGO_URL, clientLogoUrlOf } from '../logos/client-logo.fields.js';
import {
  ACCESS_TOKEN_ALG,
  ASSERTION_AUDIENCES,
  AssertionAudienceDto,
  AUTH_METHOD,
  BACKCHANNEL_LOGOUT_URI,
  CLIENT_TYPE,
  FIRST_PARTY,
  GRANT_TYPES,
  ID_TOKEN_ALG,
  ID_TOKEN_CLAIMS_FIELD,
  JWKS,
  JWKS_URI,
  JwksDto,
  LOGO_URI,
  LOGOUT_REACH,
  POST_LOGOUT_REDIRECT_URIS,
  REQUIRE_DPOP,
  REQUIRE_PAR,
  REQUIRE_PKCE,
  SATELLITE_CODES,
  SECURITY,
  SUBJECT_TYPE,
} from './openid-client.fields.js';
import { CLIENT_ID, REDIRECT_URIS, SATELLITE_NAME, SATELLITE_SCOPES } from '../client.declarations.js';
import type { Client } from './client.repository.js';
import type { TenantId } from '../../kernel/index.js';

const SECRET = textField({
  max: 100,
  pattern: '^ghs_[\\w-]{43}$',
  description: 'Cannot be read again: only its hash is stored.',
  example: 'ghs_mWq3hXo0b0y3f2mY7yq1b4Jx2Zk5cT9pVd8sLr6NaEo',
});

export class SatelliteResponse {
  @Output.ulid({
    description: 'Identifies the satellite in subjects of the permission check.',
    example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1',
  })
  id: string;
  @Output(CLIENT_ID)
  clientId: string;
  @Output.ulid({
    nullable: true,
    description: 'The organization: only its members can sign in to it.',
    example: '01K3V9D7Q8Z4X5N6M7P8R9S0T4',
  })
  tenantId: string | null;
  @Output(SATELLITE_NAME)
  name: string;
  @Output(REDIRECT_URIS)
  redirectUris: string[];
  @Output(SATELLITE_SCOPES, {
    description: 'Scopes of its tokens, if the visitor holds them. `*` stands for all scopes of the visitor.',
  })
  scopes: string[];
  @Output(wordField(CLIENT_PROTOCOLS), {
    description: 'Protocol by which people sign in. A client by `saml` has its settings apart.',
  })
  protocol: ClientProtocol;
  @Output(SATELLITE_CODES)
  satelliteCodes: boolean;
  @Output(CLIENT_TYPE)
  type: ClientType;
  @Output(FIRST_PARTY)
  firstParty: boolean;
  @Output(GRANT_TYPES)
  grantTypes: ClientGrantType[];
  @Output(AUTH_METHOD)
  tokenEndpointAuthMethod: ClientAuthMethod;
  @Output(SUBJECT_TYPE)
  subjectType: SubjectType;
  @Output(JWKS, { nullable: true })
  jwks: ClientJwks | null;
  @Output(JWKS_URI, { nullable: true })
  jwksUri: string | null;
  @Output(POST_LOGOUT_REDIRECT_URIS)
  postLogoutRedirectUris: string[];
  @Output(BACKCHANNEL_LOGOUT_URI, { nullable: true })
  backchannelLogoutUri: string | null;
  @Output(REQUIRE_PAR)
  requirePar: boolean;
  @Output(REQUIRE_DPOP)
  requireDpop: boolean;
  @Output(ID_TOKEN_ALG)
  idTokenAlg: IdTokenAlg;
  @Output(ACCESS_TOKEN_ALG)
  accessTokenAlg: AccessTokenAlg;
  @Output(REQUIRE_PKCE)
  requirePkce: boolean;
  @Output(SECURITY)
  security: ClientSecurity;
  @Output(ID_TOKEN_CLAIMS_FIELD)
  idTokenClaims: IdTokenClaims;
  @Output(ASSERTION_AUDIENCES, {
    description: 'Authorization servers for which it gets identity assertions (ID-JAG).',
  })
  assertionAudiences: readonly AssertionAudience[];
  @Output(booleanField({ example: false }), {
    description: 'Whether the organization has consented for all members, who are not asked for it.',
  })
  memberConsent: boolean;
  @Output(LOGO_URI, { nullable: true })
  logoUri: string | null;
  @Output(CLIENT_LOGO_URL, { nullable: true })
  logoUrl: string | null;
  @Output(LOGOUT_REACH)
  logoutReach: LogoutReach;
  @Output.word(['active', 'disabled'])
  status: 'active' | 'disabled';
  @Output.time()
  createdAt: string;

  static from(client: Client): SatelliteResponse {
    return toResponse(SatelliteResponse, {
      ...client,
      memberConsent: client.consentedScopes.length > 0,
      logoUrl: clientLogoUrlOf(client),
      logoutReach: logoutReachOf(client),
      status: client.disabledAt === null ? 'active' : 'disabled',
    });
  }
}

export class RegisteredSatelliteResponse extends SatelliteResponse {
  @Output(SECRET, { required: false, description: 'Only of a confidential client. Cannot be read again.' })
  clientSecret?: string;

  static of({
    client,
    clientSecret,
  }: {
    client: Client;
    clientSecret?: string;
  }): RegisteredSatelliteResponse {
    return { ...SatelliteResponse.from(client), ...(clientSecret !== undefined && { clientSecret }) };
  }
}

export class RotatedSecretResponse {
  @Output(CLIENT_ID)
  clientId: string;
  @Output(SECRET)
  clientSecret: string;
  @Output.time({ description: 'Time until which the previous secret remains valid.' })
  previousValidUntil: string;
}

export class RegisterSatelliteDto {
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

  @Input.ulid({
    optional: true,
    example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1',
    description: 'The organization: only its members can sign in to it. It then manages the client as well.',
  })
  tenantId?: TenantId;
}

export class UpdateSatelliteDto extends PartialType(
  OmitType(RegisterSatelliteDto, ['clientId', 'type', 'tenantId']),
) {}
