import { Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { deliveryOf, refuseHead } from '../../external-identity/index.js';
import { AnswerPages, isFramed } from '../../openid/index.js';
import { AnyQuery, BrowserRoute, FormBody, Operation, Problems, Public } from '../../platform/api/index.js';
import { parametersOf } from '../../platform/web/index.js';
import { AppRoute, FORM, MAX_FORM_BYTES, ResponsePage, sendNextStep } from '../messages/browser-messages.js';
import { SamlAppsTag } from '../saml-provider-tag.js';
import { SamlSignInService } from './saml-sign-in.service.js';

const TO_DECISION = 'To the page where the person decides.';
const DESCRIPTION =
  'SingleSignOnService of an app (SAML Profiles section 4.1). A request that cannot be fulfilled is answered by a status at a registered address of the app; one that is forged, old, sent before or for another address by a page of this service.';

/** Sign-in to apps by SAML. */
@SamlAppsTag()
@Controller('api/iam/saml')
export class SamlSignInController {
  constructor(
    private readonly signIns: SamlSignInService,
    private readonly pages: AnswerPages,
  ) {}

  @Get('answer')
  @Public('the code of the decision is the proof')
  @AnyQuery('parameters of the answer to an authorization request')
  @BrowserRoute()
  @Problems('validation-error')
  @ResponsePage()
  @Operation(
    'Send the response to an app',
    'The `redirectTo` of a decision on the request of an app by SAML. The page posts the response to the app, once.',
  )
  async openSamlAnswer(@Req() request: Request, @Res() response: Response): Promise<void> {
    refuseHead(request);
    const { state = '', code, error } = parametersOf(request);
    const form = await this.signIns.answer({
      state,
      ...(code !== undefined && { code }),
      ...(error !== undefined && { error }),
    });
    await this.pages.send(form, request, response);
  }

  @Get(':clientId/sso')
  @Public('a browser opens it, before the person has signed in')
  @AnyQuery('the signature is over the parameters as the app has encoded them')
  @AppRoute(TO_DECISION)
  @Operation('Ask for a sign-in by SAML, by redirect', DESCRIPTION)
  async signInBySaml(
    @Param('clientId') clientId: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.start(clientId, request, response);
  }

  @Post(':clientId/sso')
  @HttpCode(200)
  @FormBody(MAX_FORM_BYTES)
  @Public('a browser opens it, before the person has signed in')
  @AnyQuery('sent by apps')
  @AppRoute(TO_DECISION)
  @Operation('Ask for a sign-in by SAML, by form', DESCRIPTION, FORM)
  async signInBySamlForm(
    @Param('clientId') clientId: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.start(clientId, request, response);
  }

  @Get(':clientId/start')
  @Public('a browser opens it, before the person has signed in')
  @AnyQuery('ignored')
  @AppRoute(TO_DECISION)
  @Operation(
    'Begin a sign-in to an app by SAML here',
    'Without a request of the app, if it allows that (`idpInitiated`). The response has its `defaultRelayState`.',
  )
  async startSamlSignIn(
    @Param('clientId') clientId: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    refuseHead(request);
    await sendNextStep(this.pages, await this.signIns.begin(clientId), request, response);
  }

  private async start(clientId: string, request: Request, response: Response): Promise<void> {
    const next = await this.signIns.start(clientId, deliveryOf(request), isFramed(request));
    await sendNextStep(this.pages, next, request, response);
  }
}
