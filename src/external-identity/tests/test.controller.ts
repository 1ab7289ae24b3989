import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AbilitySubject, RequireScopes, TenantParam, type TenantPath } from '../../ability/index.js';
import { BySetupLink, type SetupLink, SetupTag, SingleSignOnTag, UsedLink } from '../../connection/index.js';
import { Creates } from '../../iam/index.js';
import type { Principal } from '../../kernel/index.js';
import { Answers, ApiCreatedResponse, Credentialed, Operation, Problems } from '../../platform/api/index.js';
import { Caller, CallerLocale } from '../../platform/web/index.js';
import { BrowserCookie } from '../browser-cookie.js';
import { BROWSER_COOKIE } from '../external.dto.js';
import { TestSignInService } from './test-sign-in.service.js';
import { SetupTestResponse, StartedTestResponse, TestResponse } from './test.dto.js';

/** Test sign-ins by a connection. */
@SingleSignOnTag()
@TenantParam('id')
@AbilitySubject('connectionId')
@Controller('api/v1/iam/tenants/:id/connections/:connectionId/tests')
export class TestController {
  constructor(
    private readonly tests: TestSignInService,
    private readonly browsers: BrowserCookie,
    private readonly locales: CallerLocale,
  ) {}

  @Post()
  @Credentialed()
  @RequireScopes('iam:connection:test')
  @Operation(
    'Start a test sign-in',
    'Open `authorizationUrl` in a window of the same browser. The sign-in there leaves no session, account or membership; its result can be read for a day. The browser returns to the app with `test` in the fragment. 503 if the provider does not answer.',
  )
  @Creates(
    StartedTestResponse,
    '/api/v1/iam/tenants/:id/connections/:connectionId/tests/{testId}',
    BROWSER_COOKIE,
  )
  async startConnectionTest(
    @Caller() caller: Principal,
    @Param() { id, connectionId }: TenantPath<'connectionId'>,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    const bound = this.browsers.bindAlways(request);
    const test = await this.tests.start(id, caller.userId, connectionId, bound?.binding);
    if (bound) this.browsers.give(response, bound);
    return test;
  }

  @Get(':testId')
  @RequireScopes('iam:connection:test')
  @Operation(
    'Get the result of a test sign-in',
    'Each check with a verdict, the attributes received, and the roles that would follow.',
  )
  @Answers(TestResponse)
  async getConnectionTest(
    @Param() { id, connectionId, testId }: TenantPath<'connectionId' | 'testId'>,
    @Req() request: Request,
  ) {
    const test = await this.tests.get(id, connectionId, testId);
    return TestResponse.from(test, await this.locales.find(request));
  }
}

/** Test sign-ins by the connection of a set-up link. */
@SetupTag()
@Controller('api/v1/iam/setup/connection/tests')
export class SetupTestController {
  constructor(
    private readonly tests: TestSignInService,
    private readonly browsers: BrowserCookie,
    private readonly locales: CallerLocale,
  ) {}

  @Post()
  @Credentialed()
  @BySetupLink('sso')
  @Problems('not-found')
  @Operation(
    'Start a test sign-in by a set-up link',
    'Open `authorizationUrl` in a window of the same browser. The sign-in there leaves no session, account or membership. 503 if the provider does not answer.',
  )
  @ApiCreatedResponse({ type: StartedTestResponse, headers: BROWSER_COOKIE })
  async startSetupTest(
    @UsedLink() link: SetupLink,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StartedTestResponse> {
    const bound = this.browsers.bindAlways(request);
    const test = await this.tests.startByLink(link, bound?.binding);
    if (bound) this.browsers.give(response, bound);
    return test;
  }

  @Get(':testId')
  @BySetupLink('sso')
  @Operation(
    'Get the result of a test sign-in of a set-up link',
    'Each check with a verdict, and the attributes received. Tests of members are not found.',
  )
  @Answers(SetupTestResponse)
  async getSetupTest(@UsedLink() link: SetupLink, @Param('testId') testId: string, @Req() request: Request) {
    const test = await this.tests.getByLink(link, testId);
    return SetupTestResponse.of(test, await this.locales.find(request));
  }
}
