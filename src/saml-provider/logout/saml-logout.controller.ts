import { Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { deliveryOf } from '../../external-identity/index.js';
import { AnswerPages } from '../../openid/index.js';
import { AnyQuery, FormBody, Operation, Public } from '../../platform/api/index.js';
import { AppRoute, FORM, MAX_FORM_BYTES, sendNextStep } from '../messages/browser-messages.js';
import { SamlAppsTag } from '../saml-provider-tag.js';
import { SamlLogoutService } from './saml-logout.service.js';

const DESCRIPTION =
  'SingleLogoutService of an app (SAML Profiles section 4.4). A signed LogoutRequest ends the sessions of its NameID at this app, or the one of its SessionIndex, for all apps. Of an app without a certificate, the person confirms it on the page `APP_URL/sign-out`.';

/** Logout by apps that speak SAML. */
@SamlAppsTag()
@Controller('api/iam/saml/:clientId/slo')
export class SamlLogoutController {
  constructor(
    private readonly logouts: SamlLogoutService,
    private readonly pages: AnswerPages,
  ) {}

  @Get()
  @Public('the signature of the app is the proof')
  @AnyQuery('the signature is over the parameters as the app has encoded them')
  @AppRoute('To the app with a signed LogoutResponse, or to the portal.')
  @Operation('Sign out at the request of an app by SAML, by redirect', DESCRIPTION)
  async signOutBySaml(
    @Param('clientId') clientId: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.end(clientId, request, response);
  }

  @Post()
  @HttpCode(200)
  @FormBody(MAX_FORM_BYTES)
  @Public('the signature of the app is the proof')
  @AnyQuery('sent by apps')
  @AppRoute('To the app with a signed LogoutResponse, or to the portal.')
  @Operation('Sign out at the request of an app by SAML, by form', DESCRIPTION, FORM)
  async signOutBySamlForm(
    @Param('clientId') clientId: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.end(clientId, request, response);
  }

  private async end(clientId: string, request: Request, response: Response): Promise<void> {
    const next = await this.logouts.end(clientId, deliveryOf(request));
    await sendNextStep(this.pages, next, request, response);
  }
}
