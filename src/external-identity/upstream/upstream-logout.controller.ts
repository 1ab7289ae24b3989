import { applyDecorators, Controller, Get, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  AnyQuery,
  ApiResponse,
  BrowserRoute,
  documentedForm,
  EventBody,
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
import { ExternalSignInTag } from '../external-identity.declarations.js';
import { deliveryOf } from '../providers/delivery.js';
import { MAX_LOGOUT_FORM_BYTES, UpstreamLogoutService } from './upstream-logout.service.js';

/** Not 307, with which the browser would post the form to the next page. */
const SEE_OTHER = 303;
const SAML_FORM = documentedForm(
  {
    SAMLRequest: formText(65_536, '^[A-Za-z0-9+/=\\s]+$'),
    SAMLResponse: formText(65_536, '^[A-Za-z0-9+/=\\s]+$'),
    RelayState: formText(1_024, '^[\\s\\S]*$'),
  },
  { example: { SAMLRequest: 'PHNhbWxwOkxvZ291dFJlcXVlc3Q+' } },
);
const SamlLogout = () =>
  applyDecorators(
    Public('the signature of the provider is the proof'),
    BrowserRoute(),
    ConnectionParam(),
    Problems('validation-error', 'not-found'),
    ApiResponse({
      status: SEE_OTHER,
      description: 'To the provider with a signed LogoutResponse, or after our own request to the app.',
    }),
  );
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
  @AnyQuery('the signature is over the parameters as the provider has encoded them')
  @SamlLogout()
  @Operation('Receive a logout of a provider by redirect', DESCRIPTION)
  async logoutBySaml(
    @Param('connection') connection: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    response.redirect(SEE_OTHER, await this.next(connection, request));
  }

  @Post()
  @FormBody(MAX_LOGOUT_FORM_BYTES)
  @AnyQuery('sent by providers')
  @SamlLogout()
  @Operation('Receive a logout of a provider by form', DESCRIPTION, SAML_FORM)
  async logoutBySamlForm(
    @Param('connection') connection: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    response.redirect(SEE_OTHER, await this.next(connection, request));
  }

  /** The response to our request changes nothing: our session had ended before it was sent. */
  private async next(connection: string, request: Request): Promise<string> {
    const delivery = deliveryOf(request);
    const page = `${this.settings.APP_URL}/sign-in`;
    if (!('SAMLResponse' in parametersOf(request)))
      return (await this.logouts.endBySaml(connection, delivery)) ?? page;
    await this.logouts.requireSaml(connection);
    return page;
  }
}

const TOKEN_FORM = documentedForm(
  { logout_token: formText(16_384, '^[\\w-]+\\.[\\w-]+\\.[\\w-]+$') },
  {
    required: ['logout_token'],
    example: { logout_token: 'eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJodHRwczovL2lkcCJ9.c2ln' },
  },
);

/** Logout by the provider of a connection by OpenID Connect. */
@ExternalSignInTag()
@Controller('api/iam/auth/external/oidc/backchannel-logout/:connection')
export class BackchannelLogoutController {
  constructor(private readonly logouts: UpstreamLogoutService) {}

  @Post()
  @FormBody(MAX_LOGOUT_FORM_BYTES)
  @Public('the signature of the provider is the proof')
  @AnyQuery('sent by providers')
  @ConnectionParam()
  @Problems('validation-error', 'not-found', 'unavailable')
  @HttpCode(200)
  @ApiResponse({ status: 200, description: 'The sessions have ended, or there were none.' })
  @Operation(
    'Receive a back-channel logout of a provider',
    'OpenID Connect Back-Channel Logout 1.0, as a relying party. A logout token ends the session of its `sid`, or all sessions of its `sub`. It counts once.',
    TOKEN_FORM,
  )
  async logoutByToken(@Param('connection') connection: string, @Req() request: Request): Promise<void> {
    await this.logouts.endByToken(connection, parametersOf(request)['logout_token'] ?? '');
  }
}

/** Maximum size of a security event token, which the API document states too. */
const MAX_EVENT_BYTES = 16_384;

const TOKEN = {
  'application/secevent+jwt': {
    schema: { type: 'string' as const, maxLength: MAX_EVENT_BYTES, pattern: '^[\\w-]+\\.[\\w-]+\\.[\\w-]+$' },
    example: 'eyJ0eXAiOiJzZWNldmVudCtqd3QifQ.eyJpc3MiOiJodHRwczovL2lkcCJ9.c2ln',
  },
};
const FAULT = { err: 'invalid_request', description: 'It is no valid security event token.' };
const ERROR = {
  'application/json': {
    schema: {
      type: 'object' as const,
      required: ['err', 'description'],
      properties: {
        err: { type: 'string' as const, maxLength: 100, pattern: '^[a-z_]+$' },
        description: { type: 'string' as const, maxLength: 200, pattern: '^[\\s\\S]*$' },
      },
    },
    example: FAULT,
  },
};

/** Security events of the provider of a connection by OpenID Connect. */
@ExternalSignInTag()
@Controller('api/iam/auth/external/oidc/signals/:connection')
export class UpstreamSignalController {
  constructor(private readonly logouts: UpstreamLogoutService) {}

  @Post()
  @EventBody(MAX_EVENT_BYTES)
  @Public('the signature of the provider is the proof')
  @AnyQuery('sent by providers')
  @ConnectionParam()
  @Problems('not-found', 'unavailable')
  @ApiResponse({ status: 202, description: 'The event counts, or changes nothing here.' })
  @ApiResponse({ status: 400, description: 'RFC 8935 section 2.4.', content: ERROR })
  @Operation(
    'Receive a security event of a provider',
    'RFC 8935, as a receiver of a provider that speaks the Shared Signals Framework. CAEP `session-revoked` ends the session or the person; RISC `account-disabled`, `account-purged` and the like end all sessions of the person by this connection. Other events change nothing.',
    { required: true, content: TOKEN },
  )
  async receiveSignal(
    @Param('connection') connection: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    try {
      await this.logouts.endBySignal(connection, typeof request.body === 'string' ? request.body : '');
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'validation-error') throw error;
      response.status(400).json(FAULT);
      return;
    }
    response.status(202).end();
  }
}
