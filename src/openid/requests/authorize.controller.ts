import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  AnyQuery,
  ApiOkResponse,
  ApiResponse,
  BrowserRoute,
  Input,
  Operation,
  Problems,
  Public,
  QueryOf,
} from '../../platform/api/index.js';
import { clientIpOf, HTML_PAGE } from '../../platform/web/index.js';
import { refuseByPage } from '../refused-page.js';
import { AnswerForms } from './answer-form.js';
import { AnswerPages } from './answer-pages.js';
import { OpenIdTag } from '../openid-tag.js';
import { AuthorizeService } from './authorize.service.js';
import { isFramed } from './framed.js';
import { OAuthForm, oauthParametersOf } from '../token/oauth-request.js';

/** Not 307, with which the browser would post the form to the next page (RFC 9700 section 4.12). */
const SEE_OTHER = 303;
const Redirect = () =>
  ApiResponse({
    status: SEE_OTHER,
    description: 'To the page where the person decides, or with an error to the redirect URI.',
  });

class AnswerQueryDto {
  @Input.text({
    max: 8_000,
    pattern: /^[\w-]+$/,
    shape: 'an answer to an authorization request',
    description: 'Of `redirectTo`: the answer, sealed.',
    example: 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA',
  })
  answer: string;
}

/** The authorization endpoint (RFC 6749 section 3.1, OpenID Connect Core section 3.1.2). */
@OpenIdTag()
@Controller('oauth2/authorize')
export class AuthorizeController {
  constructor(
    private readonly authorizations: AuthorizeService,
    private readonly answers: AnswerForms,
    private readonly pages: AnswerPages,
  ) {}

  @Get()
  @Public('a browser opens it, before the person has signed in')
  @AnyQuery('unknown parameters are ignored (RFC 6749 section 3.1)')
  @BrowserRoute()
  @Redirect()
  @Operation(
    'Ask for authorization',
    'Opened in a browser by a client, with `response_type=code`, `client_id`, `redirect_uri`, `scope`, `state`, `nonce`, `code_challenge` and `code_challenge_method=S256`; or with the `request_uri` of a pushed request.',
  )
  async authorize(@Req() request: Request, @Res() response: Response): Promise<void> {
    response.redirect(SEE_OTHER, await this.start(request));
  }

  @Post()
  @OAuthForm()
  @Public('a browser opens it, before the person has signed in')
  @AnyQuery('unknown parameters are ignored (RFC 6749 section 3.1)')
  @BrowserRoute()
  @Redirect()
  @Operation('Ask for authorization by a form', 'As by GET, with the parameters in a form.')
  async authorizeByForm(@Req() request: Request, @Res() response: Response): Promise<void> {
    response.redirect(SEE_OTHER, await this.start(request));
  }

  private start(request: Request): Promise<string> {
    return this.authorizations.start(oauthParametersOf(request), clientIpOf(request), isFramed(request));
  }

  @Get('answer')
  @Public('the sealed answer is of an authorization request')
  @BrowserRoute()
  @Problems('validation-error')
  @Operation(
    'Send the answer to an authorization request by a form',
    'The `redirectTo` of a request with `response_mode=form_post`. The page posts the answer to the redirect URI of the client, by a script or a button, within a minute.',
  )
  @ApiOkResponse({
    description: 'The page.',
    content: {
      'text/html': {
        schema: { ...HTML_PAGE, maxLength: 40_000 },
        example: '<!doctype html>\n<html lang="en"></html>',
      },
    },
  })
  async openAuthorizationAnswer(
    @QueryOf(AnswerQueryDto) { answer: sealed }: AnswerQueryDto,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const form = this.answers.read(sealed);
    if (!form)
      throw refuseByPage(
        { title: 'authorize.refused.title', lead: 'authorize.refused.request' },
        'answer',
        'The answer is forged, or has expired.',
      );
    await this.pages.send(form, request, response);
  }
}
