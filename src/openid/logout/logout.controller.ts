import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AnyQuery, ApiResponse, BrowserRoute, Operation, Public } from '../../platform/api/index.js';
import { OpenIdTag } from '../openid-tag.js';
import { RelyingPartyLogout } from './relying-party-logout.js';
import { OAuthForm, oauthParametersOf } from '../token/oauth-request.js';

/** Not 307, with which the browser would post the form to the next page. */
const SEE_OTHER = 303;
const Redirect = () =>
  ApiResponse({ status: SEE_OTHER, description: 'To the client, if it named an address, or to the app.' });

/** The end-session endpoint (OpenID Connect RP-Initiated Logout 1.0). */
@OpenIdTag()
@Controller('oauth2/logout')
export class LogoutController {
  constructor(private readonly logouts: RelyingPartyLogout) {}

  @Get()
  @Public('a browser opens it; the ID token is the proof')
  @AnyQuery('unknown parameters are ignored')
  @BrowserRoute()
  @Redirect()
  @Operation(
    'Sign out at the request of a client',
    'Opened in a browser by a client, with `id_token_hint`, and `post_logout_redirect_uri` and `state` if the person shall return. Without a valid hint nothing ends before the person confirms, on the page `APP_URL/sign-out`.',
  )
  async endSession(@Req() request: Request, @Res() response: Response): Promise<void> {
    response.redirect(SEE_OTHER, await this.logouts.logout(oauthParametersOf(request)));
  }

  @Post()
  @OAuthForm()
  @Public('a browser opens it; the ID token is the proof')
  @AnyQuery('unknown parameters are ignored')
  @BrowserRoute()
  @Redirect()
  @Operation('Sign out at the request of a client by a form', 'As by GET, with the parameters in a form.')
  async endSessionByForm(@Req() request: Request, @Res() response: Response): Promise<void> {
    response.redirect(SEE_OTHER, await this.logouts.logout(oauthParametersOf(request)));
  }
}
