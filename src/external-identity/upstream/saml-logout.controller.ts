import { Controller, Get, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  AnyQuery,
  ApiResponse,
  BrowserRoute,
  documentedForm,
  FormBody,
  formText,
  Operation,
  Problems,
  Public,
} from '../../platform/api/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { AppError } from '../../platform/errors/index.js';
import { parametersOf } from '../../platform/web/index.js';
import { ConnectionParam } from '../external.dto.js';
import { ExternalSignInTag } from '../external-sign-in-tag.js';
import type { Delivery } from '../providers/saml/logout/saml-logout-request.js';
import { MAX_LOGOUT_FORM_BYTES, UpstreamLogoutService } from './upstream-logout.service.js';

/** Not 307, with which the browser would post the form to the next page. */
const SEE_OTHER = 303;
const FORM = documentedForm(
  {
    SAMLRequest: formText(65_536, '^[A-Za-z0-9+/=\\s]+$'),
    SAMLResponse: formText(65_536, '^[A-Za-z0-9+/=\\s]+$'),
    RelayState: formText(1_024, '^[\\s\\S]*$'),
  },
  { example: { SAMLRequest: 'PHNhbWxwOkxvZ291dFJlcXVlc3Q+' } },
);
const Redirect = () =>
  ApiResponse({
    status: SEE_OTHER,
    description: 'To the provider with a signed LogoutResponse, or after our own request to the app.',
  });
const DESCRIPTION =
  'SingleLogoutService of a connection (SAML Profiles section 4.4). A signed LogoutRequest of the provider ends the sessions of its NameID, or those of its SessionIndex. The response to our own request leads to the sign-in page.';

/** Logout by the provider of a connection by SAML. */
@ExternalSignInTag()
@Controller('api/iam/auth/external/saml/logout/:connection')
export class SamlLogoutController {
  constructor(
    private readonly logouts: UpstreamLogoutService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  @Public('the signature of the provider is the proof')
  @AnyQuery('the signature is over the parameters as the provider has encoded them')
  @BrowserRoute()
  @ConnectionParam()
  @Problems('validation-error', 'not-found')
  @Redirect()
  @Operation('Receive a logout of a provider by redirect', DESCRIPTION)
  async logoutBySaml(
    @Param('connection') connection: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    // A link scanner must not use up the request.
    if (request.method === 'HEAD')
      throw new AppError('method-not-allowed', { headers: { Allow: 'GET, POST, OPTIONS' } });
    const { search } = new URL(request.originalUrl, 'http://localhost');
    const isAnswer = 'SAMLResponse' in parametersOf(request);
    response.redirect(SEE_OTHER, await this.next(connection, isAnswer, { search }));
  }

  @Post()
  @FormBody(MAX_LOGOUT_FORM_BYTES)
  @Public('the signature of the provider is the proof')
  @AnyQuery('sent by providers')
  @BrowserRoute()
  @ConnectionParam()
  @Problems('validation-error', 'not-found')
  @Redirect()
  @Operation('Receive a logout of a provider by form', DESCRIPTION, FORM)
  async logoutBySamlForm(
    @Param('connection') connection: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const form = parametersOf(request);
    response.redirect(SEE_OTHER, await this.next(connection, 'SAMLResponse' in form, { form }));
  }

  /** The response to our request changes nothing: our session had ended before it was sent. */
  private async next(connection: string, isAnswer: boolean, delivery: Delivery): Promise<string> {
    const page = `${this.settings.APP_URL}/sign-in`;
    if (!isAnswer) return (await this.logouts.endBySaml(connection, delivery)) ?? page;
    await this.logouts.requireSaml(connection);
    return page;
  }
}
