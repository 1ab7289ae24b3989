import { Controller, Post, Req, Res, HttpCode } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  ApiOkResponse,
  documentedForm,
  formText,
  Open,
  Operation,
  Output,
  textField,
  wordField,
} from '../../platform/api/index.js';
import { clientIpOf } from '../../platform/web/index.js';
import { AssertionIssuer, ID_JAG } from '../assertions/assertion-issuer.js';
import { OpenIdTag } from '../openid-tag.js';
import { answerOAuth, OAuthEndpoint, oauthParametersOf, RequestProof } from './oauth-request.js';
import { JWT_BEARER } from '../assertions/assertion-tokens.js';
import { ClientTokens } from './client-tokens.js';
import { TokenService } from './token.service.js';

/** Token response (RFC 6749 section 5.1). */
class OAuthTokenResponse {
  @Output.text({ max: 8_192, example: 'eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl' })
  access_token: string;
  @Output(wordField(['Bearer', 'DPoP', 'N_A']), { description: '`N_A` for an identity assertion.' })
  token_type: 'Bearer' | 'DPoP' | 'N_A';
  @Output.integer({ min: 1, max: 3_600, example: 600, description: 'Seconds.' })
  expires_in: number;
  @Output.text({ required: false, min: 0, max: 100_000, example: 'iam:member:read' })
  scope?: string;
  @Output(textField({ max: 500, format: 'uri', example: 'https://orders.example.com/api' }), {
    required: false,
    description: 'With an identity assertion: the API.',
  })
  resource?: string;
  @Output(textField({ max: 100, example: 'urn:ietf:params:oauth:token-type:access_token' }), {
    required: false,
    description: 'With a token exchange.',
  })
  issued_token_type?: string;
  @Output(textField({ max: 512, example: 'ghr_01K3V9D7Q8Z4X5N6M7P8R9S0T1.1.mac' }), {
    required: false,
    description: 'Of a client with the grant `refresh_token`. A public client gets a new one each time.',
  })
  refresh_token?: string;
  @Output(textField({ max: 8_192, example: 'eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiJ9.e30.c2lnbmF0dXJl' }), {
    required: false,
    description: 'Of a client of OpenID Connect, with the scope `openid`.',
  })
  id_token?: string;
}

/** A parameter of a form (RFC 6749 appendix A). */
const parameter = (description?: string) => formText(16_384, '^[\\u0020-\\u007e]*$', description);

const FORM = documentedForm(
  {
    grant_type: {
      type: 'string' as const,
      enum: [
        'authorization_code',
        'refresh_token',
        'urn:ietf:params:oauth:grant-type:device_code',
        'client_credentials',
        'urn:ietf:params:oauth:grant-type:token-exchange',
        JWT_BEARER,
      ],
    },
    subject_token: parameter('Token of a trusted issuer, or a key.'),
    subject_token_type: parameter(),
    requested_token_type: parameter(`Of a token exchange: ${ID_JAG} for an identity assertion.`),
    assertion: parameter('Identity assertion (ID-JAG) of the provider of an organization.'),
    scope: parameter('Scopes, separated by spaces. Default: all that it holds.'),
    code: parameter('Of `authorization_code`.'),
    device_code: parameter('Of `/oauth2/device_authorization`.'),
    redirect_uri: parameter('Of the authorization request.'),
    code_verifier: parameter('Whose challenge was in the authorization request.'),
    refresh_token: parameter(),
    resource: parameter(
      '`PUBLIC_URL` or the identifier of an API (RFC 8707), which is the audience of the token.',
    ),
    audience: parameter('Of a token exchange: as `resource`.'),
    client_id: parameter(
      'With the token of a workload: id of the service account, unless the audience of the token is that id.',
    ),
    client_secret: parameter(),
    client_assertion_type: parameter(),
    client_assertion: parameter(),
  },
  { required: ['grant_type'] },
);

/** The token endpoint of OAuth 2.0. */
@OpenIdTag()
@Open()
@Controller('oauth2/token')
export class TokenController {
  constructor(
    private readonly tokens: TokenService,
    private readonly clients: ClientTokens,
    private readonly assertions: AssertionIssuer,
    private readonly proofs: RequestProof,
  ) {}

  @Post()
  @OAuthEndpoint()
  @Operation(
    'Issue an access token',
    'For clients of OpenID Connect: `authorization_code`, `refresh_token` and the device code. For service accounts: `client_credentials` with `client_secret_basic`, `client_secret_post` or `private_key_jwt`, or the exchange of a token of a trusted issuer (RFC 8693). For directories: `client_credentials` with the id of the directory and one of its tokens. For identity assertions of the provider of an organization: `jwt-bearer`. With a proof (DPoP), the token is bound to its key. Valid for ten minutes, or as long as the API of `resource` says. Errors are those of RFC 6749 section 5.2.',
    FORM,
  )
  @HttpCode(200)
  @ApiOkResponse({ type: OAuthTokenResponse })
  issueToken(@Req() request: Request, @Res() response: Response): Promise<void> {
    response.setHeader('Pragma', 'no-cache');
    const parameters = oauthParametersOf(request);
    return answerOAuth(request, response, async (authorization) => {
      const proof = await this.proofs.find(request, response);
      const ipAddress = clientIpOf(request);
      if (this.assertions.handles(parameters))
        return this.assertions.issue(parameters, authorization, proof, ipAddress);
      if (this.clients.handles(parameters))
        return this.clients.issue(parameters, authorization, proof, ipAddress);
      return this.tokens.issue(parameters, authorization, { ipAddress, jkt: proof?.jkt ?? null });
    });
  }
}
