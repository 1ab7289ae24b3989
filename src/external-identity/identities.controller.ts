import { Body, Controller, Delete, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AbilitySubject, RequireScopes } from '../ability/index.js';
import { MeChapter } from '../iam/index.js';
import {
  Bearer,
  Caller,
  Paged,
  PageOf,
  Problems,
  toPage,
  type Page,
  type Principal,
} from '../platform/http/index.js';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation } from '../platform/swagger/index.js';
import { BrowserCookie } from './browser-cookie.js';
import { LinkDto } from './dto/external.dto.js';
import {
  BROWSER_COOKIE,
  ExternalSignInResponse,
  IdentityListResponse,
  IdentityResponse,
  KindParam,
} from './external.response.js';
import { IdentityService } from './linking/identity.service.js';

/** The identities that the caller has elsewhere. */
@MeChapter()
@Bearer()
@Controller('api/v1/iam/me/identities')
export class IdentitiesController {
  constructor(
    private readonly identities: IdentityService,
    private readonly browsers: BrowserCookie,
  ) {}

  @Get()
  @Paged()
  @ApiOperation({ summary: 'My external identities' })
  @ApiOkResponse({ type: IdentityListResponse })
  async list(@Caller() caller: Principal, @PageOf() page: Page): Promise<IdentityListResponse> {
    return toPage(
      await this.identities.list(caller.userId, page),
      page,
      ({ id }) => id,
      (identity) => IdentityResponse.from(identity),
    );
  }

  @Post(':kind/link')
  @Bearer({ firstParty: true })
  @Problems('forbidden')
  @HttpCode(200)
  @KindParam()
  @ApiOperation({
    summary: 'Link an identity to my account',
    description:
      'Begins like a sign-in, and ends with `linked` in the fragment. Asks for a sign-in of the last ten minutes.',
  })
  @ApiOkResponse({ type: ExternalSignInResponse, headers: BROWSER_COOKIE })
  async link(
    @Caller() caller: Principal,
    @Param('kind') kind: string,
    @Body() body: LinkDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ExternalSignInResponse> {
    const browser = this.browsers.give(request, response);
    return ExternalSignInResponse.from(await this.identities.startLink(caller, kind, { ...body, browser }));
  }

  @Delete(':id')
  @RequireScopes('iam:identity:unlink')
  @AbilitySubject('id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Unlink an identity', description: 'Never the last way into the account.' })
  @ApiNoContentResponse()
  async unlink(@Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    await this.identities.unlink(caller.userId, id);
  }
}
