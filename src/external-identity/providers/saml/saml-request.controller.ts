import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ConnectionDirectory } from '../../../connection/index.js';
import {
  ApiOkResponse,
  BrowserRoute,
  Input,
  Operation,
  Problems,
  Public,
  QueryOf,
} from '../../../platform/api/index.js';
import { type Settings, SETTINGS } from '../../../platform/config/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { CallerLocale, formPagePolicy, HTML_PAGE } from '../../../platform/web/index.js';
import { ExternalSignInTag } from '../../external-identity.declarations.js';
import { ConnectionParam } from '../../external.dto.js';
import { requestPage } from './saml-request-pages.js';
import { SamlStrategy } from './saml.strategy.js';

class RequestQueryDto {
  @Input.text({
    max: 2_000,
    pattern: /^[\w-]+$/,
    shape: 'a request of a started sign-in',
    description: 'Of the `authorizationUrl`: the request, sealed.',
    example: 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA',
  })
  request: string;
}

/** Page that brings a request to a provider that takes only forms. */
@ExternalSignInTag()
@Controller('api/iam/auth/external/saml/request')
export class SamlRequestController {
  private readonly home: string | null;

  constructor(
    private readonly saml: SamlStrategy,
    private readonly connections: ConnectionDirectory,
    private readonly locales: CallerLocale,
    @Inject(SETTINGS) { PORTAL }: Settings,
  ) {
    this.home = PORTAL === 'on' ? '/' : null;
  }

  @Get(':connection')
  @Public('the sealed request is of a started sign-in')
  @BrowserRoute()
  @ConnectionParam()
  @Problems('validation-error', 'not-found')
  @Operation(
    'Send a SAML request by a form',
    'The `authorizationUrl` of a connection whose `ssoBinding` is `post`. The page posts a signed AuthnRequest to the provider, by a script or a button.',
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
  async openSamlRequest(
    @Param('connection') id: string,
    @QueryOf(RequestQueryDto) { request: sealed }: RequestQueryDto,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const connection = await this.connections.find(id);
    if (connection?.kind !== 'saml') throw new AppError('not-found');
    const form = await this.saml.requestForm(connection, sealed);
    const page = requestPage(form, await this.locales.find(request), this.home);
    // After what can fail: an error has its own policy.
    response.setHeader('Content-Security-Policy', formPagePolicy(form.action, this.home));
    response.type('html').send(page);
  }
}
