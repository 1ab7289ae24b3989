import { Controller, Get, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { AbilitySubject, RequireScopes, TenantParam } from '../../ability/index.js';
import { SingleSignOnTag } from '../../connection/index.js';
import { Creates } from '../../iam/index.js';
import type { Principal, TenantId } from '../../kernel/index.js';
import { ApiOkResponse, ApiOperation } from '../../platform/api/index.js';
import { Caller, CallerLocale } from '../../platform/web/index.js';
import { TestSignInService } from './test-sign-in.service.js';
import { StartedTestResponse, TestResponse } from './test.response.js';

/** Test sign-ins by a connection. */
@SingleSignOnTag()
@TenantParam('id')
@Controller('api/v1/iam/tenants/:id/connections/:connectionId/tests')
export class TestController {
  constructor(
    private readonly tests: TestSignInService,
    private readonly locales: CallerLocale,
  ) {}

  @Post()
  @RequireScopes('iam:connection:test')
  @AbilitySubject('connectionId')
  @ApiOperation({
    operationId: 'startConnectionTest',
    summary: 'Start a test sign-in',
    description:
      'Open `authorizationUrl` in a window. The sign-in there leaves no session, account or membership; its result can be read for a day. The browser returns to the app with `test` in the fragment. 503 if the provider does not answer.',
  })
  @Creates(StartedTestResponse, '/api/v1/iam/tenants/:id/connections/:connectionId/tests/{testId}')
  async start(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Param('connectionId') connectionId: string,
  ): Promise<StartedTestResponse> {
    return StartedTestResponse.from(await this.tests.start(id as TenantId, caller.userId, connectionId));
  }

  @Get(':testId')
  @RequireScopes('iam:connection:test')
  @AbilitySubject('connectionId')
  @ApiOperation({
    operationId: 'getConnectionTest',
    summary: 'Read the result of a test sign-in',
    description: 'Each check with a verdict, the attributes received, and the roles that would follow.',
  })
  @ApiOkResponse({ type: TestResponse })
  async read(
    @Param('id') id: string,
    @Param('connectionId') connectionId: string,
    @Param('testId') testId: string,
    @Req() request: Request,
  ): Promise<TestResponse> {
    const test = await this.tests.get(id as TenantId, connectionId, testId);
    return TestResponse.from(test, await this.locales.find(request));
  }
}
