import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ApiOkResponse, objectField, Open, Operation, Output } from '../../platform/api/index.js';
import { LiveApis } from '../../client/index.js';
import { type Acr, ACRS, isUlid } from '../../kernel/index.js';
import { clientIpOf } from '../../platform/web/index.js';
import { GrantRevocation } from '../../session/index.js';
import { ApiIntrospection } from '../apis/api-introspection.js';
import { OpenIdTag } from '../openid-tag.js';
import { answerOAuth, OAuthEndpoint, oauthParametersOf, type Parameters } from './oauth-request.js';
import { ClientAuthenticator, parseBasic } from './client-authenticator.js';
import { Introspection } from './introspection.js';
import { OAuthError } from './oauth-error.js';

const optional = { required: false } as const;

class ConfirmationResponse {
  @Output.text({
    max: 43,
    example: '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I',
    description: 'Thumbprint of the key that the token is bound to (RFC 9449 section 6.2).',
  })
  jkt: string;
}

class ActorResponse {
  @Output.text({ max: 500, example: 'https://agent.example/client.json' })
  sub: string;
}

class TokenStateResponse {
  @Output.boolean({ example: true })
  active: boolean;
  @Output.text({ ...optional, max: 64, example: 'help-centre' })
  client_id?: string;
  @Output.text({
    ...optional,
    max: 43,
    pattern: '^[\\w-]+$',
    example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2',
    description: 'Id of the account, or the identifier for this client (`pairwise`).',
  })
  sub?: string;
  @Output.text({
    ...optional,
    max: 26,
    pattern: '^[\\w-]+$',
    example: '01K3V9D7Q8Z4X5N6M7P8R9S0T3',
    description: 'Id of the session, or its name for this client (`pairwise`).',
  })
  sid?: string;
  @Output.text({ ...optional, max: 10_000, example: 'openid email' })
  scope?: string;
  @Output.text({
    ...optional,
    max: 254,
    example: 'ada@example.com',
    description: 'With `profile` and `email`: the address.',
  })
  username?: string;
  @Output.word(['Bearer', 'DPoP'], optional)
  token_type?: 'Bearer' | 'DPoP';
  @Output(objectField(() => ConfirmationResponse), optional)
  cnf?: ConfirmationResponse;
  @Output.text({ ...optional, max: 500, format: 'uri', example: 'https://login.example.com' })
  iss?: string;
  @Output.text({
    ...optional,
    max: 500,
    format: 'uri',
    example: 'https://orders.example.com/api',
    description: 'Of a token for an API: its identifier.',
  })
  aud?: string;
  @Output.ulid({ ...optional, description: 'Of a token for an API: the selected organization.' })
  tid?: string;
  @Output.word(ACRS, optional)
  acr?: Acr;
  @Output.integer({ ...optional, min: 0, max: Number.MAX_SAFE_INTEGER, example: 1_795_190_400 })
  auth_time?: number;
  @Output(objectField(() => ActorResponse), optional)
  act?: ActorResponse;
  @Output.integer({ ...optional, min: 0, max: Number.MAX_SAFE_INTEGER, example: 1_795_190_400 })
  exp?: number;
  @Output.integer({ ...optional, min: 0, max: Number.MAX_SAFE_INTEGER, example: 1_795_190_400 })
  iat?: number;
}

/** Lets clients revoke their tokens (RFC 7009) and ask for the state of them (RFC 7662). */
@OpenIdTag()
@Controller('oauth2')
export class RevocationController {
  constructor(
    private readonly clients: ClientAuthenticator,
    private readonly grants: GrantRevocation,
    private readonly introspection: Introspection,
    private readonly apis: LiveApis,
    private readonly ofApis: ApiIntrospection,
  ) {}

  @Post('revoke')
  @OAuthEndpoint()
  @Open()
  @HttpCode(200)
  @Operation(
    'Revoke a token',
    "Ends the grant of the client's access or refresh token (`token`, in a form). The session stays. Answers 200 for an unknown token as well.",
  )
  @ApiOkResponse({ description: 'The token is not valid any more.' })
  revokeToken(@Req() request: Request, @Res() response: Response): Promise<void> {
    const parameters = oauthParametersOf(request);
    return answerOAuth(request, response, async (authorization) => {
      const { clientId } = await this.clients.require(parameters, authorization, clientIpOf(request));
      const token = tokenOf(parameters);
      await this.grants.endGrantOfToken(token, clientId);
      const grantId = await this.ofApis.findGrant(token);
      if (grantId !== null) await this.grants.endGrantOfClient(grantId, clientId);
      return null;
    });
  }

  @Post('introspect')
  @OAuthEndpoint()
  @Operation(
    'Get the state of a token',
    'For a confidential client and its own tokens for this service, and for an API and the tokens whose audience it is (`token`, in a form). An API authenticates by its id and its credential.',
  )
  @HttpCode(200)
  @ApiOkResponse({ type: TokenStateResponse })
  introspectToken(@Req() request: Request, @Res() response: Response): Promise<void> {
    const parameters = oauthParametersOf(request);
    return answerOAuth(request, response, async (authorization) => {
      const apiToken = await this.introspectOfApi(parameters, authorization);
      if (apiToken) return apiToken;
      const client = await this.clients.require(parameters, authorization, clientIpOf(request));
      if (client.type === 'public')
        throw new OAuthError('invalid_client', 'A public client cannot ask for the state of a token.');
      return this.introspection.find(tokenOf(parameters), client);
    });
  }

  /**
   * Answers an API, which authenticates by its id and credential in place of a client's.
   * @returns null for a client
   * @throws {OAuthError} invalid_client
   */
  private async introspectOfApi(
    parameters: Parameters,
    authorization: string | undefined,
  ): Promise<object | null> {
    const { client_id: clientId = '', client_secret: posted = '' } = parameters;
    const basic = authorization === undefined ? null : parseBasic(authorization);
    const id = basic?.clientId ?? clientId;
    if (!isUlid(id)) return null;
    const api = await this.apis.findProven(id, basic?.secret ?? posted);
    if (!api) throw new OAuthError('invalid_client', 'The API is unknown, or its credential is wrong.');
    return this.ofApis.find(tokenOf(parameters), api);
  }
}

/** @throws {OAuthError} invalid_request */
function tokenOf({ token }: Parameters): string {
  if (token === undefined) throw new OAuthError('invalid_request', 'token is missing.');
  return token;
}
