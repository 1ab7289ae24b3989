import {
  applyDecorators,
  Body,
  Controller,
  Get,
  HttpCode,
  Param,
  Post,
  Req,
  Res,
  UseGuards,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { clientOf, requestIdOf } from '../platform/web/index.js';
import {
  Answers,
  AnyQuery,
  ApiOkResponse,
  ApiResponse,
  BrowserRoute,
  Credentialed,
  FormBody,
  Operation,
  Problems,
  Public,
} from '../platform/api/index.js';
import { TokenResponse } from '../session/index.js';
import { BrowserCookie } from './browser-cookie.js';
import {
  BROWSER_COOKIE,
  CALLBACK_FORM,
  ConnectionParam,
  ExternalSignInResponse,
  KindParam,
  RedeemDto,
  StartDto,
} from './external.dto.js';
import { ExternalAuthGuard, verdictOf } from './external-auth.guard.js';
import { ExternalSignInTag } from './external-identity.declarations.js';
import { HostedSignInService } from './hosted/hosted-sign-in.service.js';
import { ReturnService } from './flow/return/return.service.js';
import { ProviderRegistry } from './providers/provider.registry.js';
import { StartService } from './flow/start.service.js';

/** Not 307, with which the browser would post the form to the next page (RFC 9700 section 4.12). */
const SEE_OTHER = 303;
/** Route to which a provider returns the browser. */
const Callback = () =>
  applyDecorators(
    UseGuards(ExternalAuthGuard),
    Public('the signed state and the proof of the provider are checked'),
    AnyQuery('a client ignores unknown parameters of a provider (RFC 6749 section 4.1.2)'),
    BrowserRoute(),
    KindParam(),
    ApiResponse({
      status: SEE_OTHER,
      description:
        'Redirect to the return address, with the outcome in the fragment: tokens, `code`, `link_code`, or an error. After a POST whose flow needs the cookie: redirect to this callback by GET.',
    }),
  );

/** Sign-in by an external identity provider. */
@ExternalSignInTag()
@Controller('api')
export class ExternalController {
  constructor(
    private readonly starts: StartService,
    private readonly returns: ReturnService,
    private readonly browsers: BrowserCookie,
    private readonly hosted: HostedSignInService,
  ) {}

  @Post('iam/auth/external/:kind/start')
  @Credentialed()
  @Public('a person who signs in has no token yet')
  @HttpCode(200)
  @KindParam()
  @Operation(
    'Start an external sign-in',
    'Redirect the browser to `authorizationUrl`. 404 for a kind that is not configured, and for a connection that is not active.',
  )
  @ApiOkResponse({ type: ExternalSignInResponse, headers: BROWSER_COOKIE })
  async startExternalSignIn(
    @Param('kind') kind: string,
    @Body() body: StartDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ExternalSignInResponse> {
    const bound = this.browsers.bind(request, body.codeChallenge);
    const flow = await this.starts.start(kind, { ...body, browser: bound?.binding });
    if (bound) this.browsers.give(response, bound);
    return ExternalSignInResponse.from(flow);
  }

  @Get('iam/auth/external/:kind/callback')
  @Callback()
  @Operation(
    'Complete an external sign-in',
    'The provider redirects the browser here. Errors are pages for clients that accept `text/html`.',
  )
  completeExternalSignIn(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.returnToPage(request, response);
  }

  @Post('iam/auth/external/:kind/callback')
  @FormBody(ProviderRegistry)
  @Callback()
  @Operation(
    'Complete an external sign-in by form_post',
    'For providers that respond with a form: Apple, SAML. Errors are pages for clients that accept `text/html`.',
    CALLBACK_FORM,
  )
  completeExternalSignInByForm(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.returnToPage(request, response);
  }

  @Get('iam/auth/external/:kind/callback/:connection')
  @Callback()
  @ConnectionParam()
  @Operation(
    'Complete a sign-in by a connection',
    'As the callback of the kind. Each connection has its own.',
  )
  completeExternalSignInByConnection(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.returnToPage(request, response);
  }

  @Post('iam/auth/external/:kind/callback/:connection')
  @FormBody(ProviderRegistry)
  @Callback()
  @ConnectionParam()
  @Operation(
    'Complete a sign-in by a connection, by form_post',
    'As the callback of the kind by form_post. Each connection has its own.',
    CALLBACK_FORM,
  )
  completeExternalSignInByFormOfConnection(
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.returnToPage(request, response);
  }

  @Get('iam/auth/external/:kind/begin/:connection')
  @Public('a bookmark, before the person has signed in')
  @AnyQuery('initiate_login_uri: iss, login_hint, target_link_uri (OpenID Connect Core section 4)')
  @BrowserRoute()
  @KindParam()
  @ConnectionParam()
  @Problems('not-found')
  @ApiResponse({ status: 303, description: "Redirect to the app's sign-in page." })
  @Operation(
    'Begin a sign-in by a connection',
    "For the tile of an app portal, and as `initiate_login_uri`. Redirects to the app's sign-in page with `connection` and `kind`, which starts the flow there, so that state and verifier are that browser's.",
  )
  async beginConnectionSignIn(
    @Param('kind') kind: string,
    @Param('connection') connection: string,
    @Res() response: Response,
  ): Promise<void> {
    response.redirect(SEE_OTHER, await this.starts.pageFor(kind, connection));
  }

  @Post('v1/iam/auth/external/token')
  @Public('code and verifier are the proof')
  @Problems('second-factor-required')
  @Operation(
    'Redeem an external sign-in code',
    'For external sign-ins started with a `codeChallenge`, and for hosted sign-in. Single-use, valid for one minute.',
  )
  @Answers(TokenResponse)
  redeemExternalCode(@Body() body: RedeemDto, @Req() request: Request) {
    return this.hosted.redeem(body, clientOf(request));
  }

  private async returnToPage(request: Request, response: Response): Promise<void> {
    const address = await this.returns.addressAfter(
      verdictOf(request),
      clientOf(request),
      requestIdOf(request),
    );
    response.redirect(SEE_OTHER, address);
  }
}
