import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AnyQuery, ApiOperation, ApiResponse, BrowserRoute, Public } from '../../platform/api/index.js';
import { OpenIdTag } from '../openid-tag.js';
import { AuthorizeService } from './authorize.service.js';
import { OAuthForm, oauthParametersOf } from '../token/oauth-parameters.js';

/** Not 307, with which the browser would post the form to the next page (RFC 9700 section 4.12). */
const SEE_OTHER = 303;
const Redirect = () =>
  ApiResponse({
    status: SEE_OTHER,
    description: 'To the page where the person decides, or with an error to the redirect URI.',
  });

/** The authorization endpoint (RFC 6749 section 3.1, OpenID Connect Core section 3.1.2). */
@OpenIdTag()
@Controller('oauth2/authorize')
export class AuthorizeController {
  constructor(private readonly authorizations: AuthorizeService) {}

  @Get()
  @Public('a browser opens it, before the person has signed in')
  @AnyQuery('unknown parameters are ignored (RFC 6749 section 3.1)')
  @BrowserRoute()
  @Redirect()
  @ApiOperation({
    operationId: 'authorize',
    summary: 'Ask for authorization',
    description:
      'Opened in a browser by a client, with `response_type=code`, `client_id`, `redirect_uri`, `scope`, `state`, `nonce`, `code_challenge` and `code_challenge_method=S256`; or with the `request_uri` of a pushed request.',
  })
  async byQuery(@Req() request: Request, @Res() response: Response): Promise<void> {
    response.redirect(SEE_OTHER, await this.authorizations.start(oauthParametersOf(request)));
  }

  @Post()
  @OAuthForm()
  @Public('a browser opens it, before the person has signed in')
  @AnyQuery('unknown parameters are ignored (RFC 6749 section 3.1)')
  @BrowserRoute()
  @Redirect()
  @ApiOperation({
    operationId: 'authorizeByForm',
    summary: 'Ask for authorization by a form',
    description: 'As by GET, with the parameters in a form.',
  })
  async byForm(@Req() request: Request, @Res() response: Response): Promise<void> {
    response.redirect(SEE_OTHER, await this.authorizations.start(oauthParametersOf(request)));
  }
}
