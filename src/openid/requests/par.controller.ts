import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ApiCreatedResponse, Open, Operation, Output } from '../../platform/api/index.js';
import { clientIpOf } from '../../platform/web/index.js';
import { OpenIdTag } from '../openid-tag.js';
import { answerOAuth, OAuthEndpoint, oauthParametersOf, RequestProof } from '../token/oauth-request.js';
import { ClientAuthenticator, requireAlg } from '../token/client-authenticator.js';
import { AuthorizeService, PUSHED_SECONDS } from './authorize.service.js';

class PushedResponse {
  @Output.text({
    max: 200,
    example: 'urn:ietf:params:oauth:request_uri:Yl5sQpD3c8m0bq4T1xkq1S2m2o3q0b8mC8o6wq1nJ2E',
  })
  request_uri: string;
  @Output.integer({ min: 1, max: 600, example: PUSHED_SECONDS, description: 'Seconds.' })
  expires_in: number;
}

/** The endpoint of pushed authorization requests (RFC 9126). */
@OpenIdTag()
@Open()
@Controller('oauth2/par')
export class ParController {
  constructor(
    private readonly clients: ClientAuthenticator,
    private readonly authorizations: AuthorizeService,
    private readonly proofs: RequestProof,
  ) {}

  @Post()
  @OAuthEndpoint()
  @HttpCode(201)
  @Operation(
    'Push an authorization request',
    'By the server of a client, in a form. The browser brings the `request_uri` within a minute, once. Errors are those of RFC 6749 section 5.2.',
  )
  @ApiCreatedResponse({ type: PushedResponse })
  pushAuthorizationRequest(@Req() request: Request, @Res() response: Response): Promise<void> {
    const parameters = oauthParametersOf(request);
    return answerOAuth(
      request,
      response,
      async (authorization) => {
        const ipAddress = clientIpOf(request);
        const client = await this.clients.require(parameters, authorization, ipAddress);
        const proof = await this.proofs.find(request, response);
        requireAlg(client, proof);
        const jkt = proof?.jkt ?? null;
        const uri = await this.authorizations.push(client, parameters, { ipAddress, jkt });
        return { request_uri: uri, expires_in: PUSHED_SECONDS };
      },
      201,
    );
  }
}
