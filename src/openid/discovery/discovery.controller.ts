import { Controller, Get, Inject } from '@nestjs/common';
import {
  Answers,
  listField,
  Open,
  Operation,
  Output,
  PublicMetadata,
  textField,
} from '../../platform/api/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { LOCALES } from '../../platform/messages/index.js';
import {
  CLIENT_GRANT_TYPES,
  ID_TOKEN_ALGS,
  REQUEST_AUTH_METHODS,
  SUBJECT_TYPES,
} from '../../client/index.js';
import { ASSERTION_ALGORITHMS } from '../../machine/index.js';
import { DPOP_ALGS } from '../../session/index.js';
import { ACRS } from '../../kernel/index.js';
import { ID_JAG } from '../assertions/assertion-issuer.js';
import { OpenIdTag } from '../openid-tag.js';
import { OPENID_SCOPES } from '../openid-scopes.js';

/** Says where the metadata is defined, for all of its properties. */
const description = 'As OpenID Connect Discovery 1.0 section 3 and RFC 8414 section 2 define it.';
const address = (path: string) =>
  textField({ max: 500, format: 'uri', example: `https://login.example.com${path}`, description });
const words = (...example: string[]) => listField({ max: 20, pattern: /^[\w:.-]+$/, example, description });

/** Metadata of the provider (OpenID Connect Discovery 1.0 section 3, RFC 8414 section 2). */
class DiscoveryResponse {
  @Output(address(''))
  issuer: string;
  @Output(address('/oauth2/authorize'))
  authorization_endpoint: string;
  @Output(address('/oauth2/token'))
  token_endpoint: string;
  @Output(address('/oauth2/userinfo'))
  userinfo_endpoint: string;
  @Output(address('/oauth2/par'))
  pushed_authorization_request_endpoint: string;
  @Output(address('/oauth2/device_authorization'))
  device_authorization_endpoint: string;
  @Output(address('/oauth2/revoke'))
  revocation_endpoint: string;
  @Output(address('/oauth2/introspect'))
  introspection_endpoint: string;
  @Output(address('/oauth2/logout'))
  end_session_endpoint: string;
  @Output(address('/.well-known/jwks.json'))
  jwks_uri: string;
  @Output(words('openid'))
  scopes_supported: string[];
  @Output(words('code'))
  response_types_supported: string[];
  @Output(words('query'))
  response_modes_supported: string[];
  @Output(words('authorization_code'))
  grant_types_supported: string[];
  @Output(words('urn:ietf:params:oauth:grant-profile:id-jag'))
  authorization_grant_profiles_supported: string[];
  @Output(words('urn:ietf:params:oauth:token-type:id-jag'))
  identity_chaining_requested_token_types_supported: string[];
  @Output(words('public'))
  subject_types_supported: string[];
  @Output(words('RS256'))
  id_token_signing_alg_values_supported: string[];
  @Output(words('client_secret_basic'))
  token_endpoint_auth_methods_supported: string[];
  @Output(words('ES256'))
  token_endpoint_auth_signing_alg_values_supported: string[];
  @Output(words('client_secret_basic'))
  revocation_endpoint_auth_methods_supported: string[];
  @Output(words('ES256'))
  revocation_endpoint_auth_signing_alg_values_supported: string[];
  @Output(words('client_secret_basic'))
  introspection_endpoint_auth_methods_supported: string[];
  @Output(words('ES256'))
  introspection_endpoint_auth_signing_alg_values_supported: string[];
  @Output.list({ max: 1, pattern: /^https?:\/\/[\x21-\x7e]+$/, example: ['https://login.example.com'] })
  protected_resources: string[];
  @Output(words('S256'))
  code_challenge_methods_supported: string[];
  @Output(words('aal1'))
  acr_values_supported: string[];
  @Output(words('none'))
  prompt_values_supported: string[];
  @Output(words('ES256'))
  dpop_signing_alg_values_supported: string[];
  @Output(words('en'))
  ui_locales_supported: string[];
  @Output(words('sub'))
  claims_supported: string[];
  @Output.boolean({ example: false, description })
  claims_parameter_supported: boolean;
  @Output.boolean({ example: false, description })
  request_parameter_supported: boolean;
  @Output.boolean({ example: false, description })
  request_uri_parameter_supported: boolean;
  @Output.boolean({ example: true, description })
  client_id_metadata_document_supported: boolean;
  @Output.boolean({ example: true, description })
  authorization_response_iss_parameter_supported: boolean;
  @Output.boolean({ example: true, description })
  backchannel_logout_supported: boolean;
  @Output.boolean({ example: true, description })
  backchannel_logout_session_supported: boolean;
}

const CLAIMS =
  'sub sid auth_time acr amr nonce azp name given_name family_name locale preferred_username email email_verified tid roles groups';

/** Publishes what this provider supports. */
@OpenIdTag()
@Open()
@Controller('.well-known')
export class DiscoveryController {
  private readonly document: DiscoveryResponse;

  constructor(@Inject(SETTINGS) { PUBLIC_URL: issuer }: Settings) {
    const methods = [...REQUEST_AUTH_METHODS];
    const algorithms = [...ASSERTION_ALGORITHMS];
    this.document = {
      issuer,
      authorization_endpoint: `${issuer}/oauth2/authorize`,
      token_endpoint: `${issuer}/oauth2/token`,
      userinfo_endpoint: `${issuer}/oauth2/userinfo`,
      pushed_authorization_request_endpoint: `${issuer}/oauth2/par`,
      device_authorization_endpoint: `${issuer}/oauth2/device_authorization`,
      revocation_endpoint: `${issuer}/oauth2/revoke`,
      introspection_endpoint: `${issuer}/oauth2/introspect`,
      end_session_endpoint: `${issuer}/oauth2/logout`,
      jwks_uri: `${issuer}/.well-known/jwks.json`,
      scopes_supported: [...OPENID_SCOPES],
      response_types_supported: ['code'],
      response_modes_supported: ['query', 'fragment', 'form_post'],
      grant_types_supported: [
        ...CLIENT_GRANT_TYPES,
        'client_credentials',
        'urn:ietf:params:oauth:grant-type:token-exchange',
      ],
      authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
      identity_chaining_requested_token_types_supported: [ID_JAG],
      subject_types_supported: [...SUBJECT_TYPES],
      id_token_signing_alg_values_supported: [...ID_TOKEN_ALGS],
      token_endpoint_auth_methods_supported: methods,
      token_endpoint_auth_signing_alg_values_supported: algorithms,
      revocation_endpoint_auth_methods_supported: methods,
      revocation_endpoint_auth_signing_alg_values_supported: algorithms,
      introspection_endpoint_auth_methods_supported: methods.filter((method) => method !== 'none'),
      introspection_endpoint_auth_signing_alg_values_supported: algorithms,
      // RFC 9728 section 4; also the only value of `resource` (RFC 8707).
      protected_resources: [issuer],
      code_challenge_methods_supported: ['S256'],
      acr_values_supported: [...ACRS],
      prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
      dpop_signing_alg_values_supported: [...DPOP_ALGS],
      ui_locales_supported: Object.keys(LOCALES),
      claims_supported: CLAIMS.split(' '),
      claims_parameter_supported: false,
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
      // A client is accepted where an organization allows it.
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
    };
  }

  @Get('openid-configuration')
  @PublicMetadata('metadata for clients')
  @Operation('Get the metadata of the OpenID provider', 'OpenID Connect Discovery 1.0.')
  @Answers(DiscoveryResponse)
  getOpenIdConfiguration() {
    return this.document;
  }

  @Get('oauth-authorization-server')
  @PublicMetadata('metadata for clients')
  @Operation('Get the metadata of the authorization server', 'RFC 8414: the same document.')
  @Answers(DiscoveryResponse)
  getAuthorizationServerMetadata() {
    return this.document;
  }
}
