import { Body, Controller, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { AbilitySubject, RequireScopes, TenantParam } from '../../ability/index.js';
import type { Principal, TenantId } from '../../kernel/index.js';
import {
  ApiAcceptedResponse,
  ApiOkResponse,
  ApiOperation,
  CountsAsRead,
  IfMatch,
  type ItemPage,
  MAX_COUNTED,
  type Page,
  Paged,
  PageOf,
  type Precondition,
  Problems,
  QueryOf,
  toPage,
  Versioned,
} from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import { DirectoriesTag } from '../directories-tag.js';
import { DirectoryPeopleRepository } from '../records/directory-people.repository.js';
import {
  DirectoryCallResponse,
  DirectoryGroupResponse,
  DirectoryRulesDto,
  DirectoryRulesPreviewResponse,
  DirectoryRulesResponse,
  DirectoryUserResponse,
  DirectoryUsersQuery,
} from './directory.dto.js';
import { UserRetry } from '../projection/user-retry.js';
import { DirectoryLogRepository } from './directory-log.repository.js';
import { DirectoryRuleRepository } from './directory-rule.repository.js';
import { DirectoryRules } from './directory-rules.js';

/** What a directory has sent, and which roles follow from it. */
@DirectoriesTag()
@TenantParam('id')
@AbilitySubject('directoryId')
@Controller('api/v1/iam/tenants/:id/directories/:directoryId')
export class DirectoryPeopleController {
  constructor(
    private readonly people: DirectoryPeopleRepository,
    private readonly directoryRules: DirectoryRules,
    private readonly rules: DirectoryRuleRepository,
    private readonly calls: DirectoryLogRepository,
    private readonly retries: UserRetry,
  ) {}

  @Get('users')
  @RequireScopes('iam:directory:read')
  @Paged(DirectoryUserResponse, { counted: true })
  @ApiOperation({ operationId: 'listDirectoryUsers', summary: 'List people of a directory' })
  async listUsers(
    @Param('id') id: string,
    @Param('directoryId') directoryId: string,
    @PageOf() page: Page,
    @QueryOf(DirectoryUsersQuery) query: DirectoryUsersQuery,
  ): Promise<ItemPage<DirectoryUserResponse>> {
    const scope = { tenantId: id as TenantId, directoryId };
    const filter = {
      state: query.state ?? null,
      query: query.query ?? null,
      groupId: query.groupId ?? null,
    };
    const users = toPage(await this.people.list(scope, page, filter), page, DirectoryUserResponse.from);
    if (page.after !== null) return users;
    return { ...users, total: await this.people.count(scope, filter, MAX_COUNTED) };
  }

  @Get('groups')
  @RequireScopes('iam:directory:read')
  @Paged(DirectoryGroupResponse)
  @ApiOperation({ operationId: 'listDirectoryGroups', summary: 'List groups of a directory' })
  async listGroups(
    @Param('id') id: string,
    @Param('directoryId') directoryId: string,
    @PageOf() page: Page,
  ): Promise<ItemPage<DirectoryGroupResponse>> {
    return toPage(
      await this.people.listGroups({ tenantId: id as TenantId, directoryId }, page, MAX_COUNTED),
      page,
      DirectoryGroupResponse.from,
    );
  }

  @Post('users/:userId/retry')
  @RequireScopes('iam:directory:update')
  @HttpCode(202)
  @ApiOperation({
    operationId: 'retryDirectoryUser',
    summary: 'Try again to make a person a member',
    description: 'For a person who waits or was refused, such as after a domain was verified.',
  })
  @ApiAcceptedResponse()
  async retry(
    @Param('id') id: string,
    @Param('directoryId') directoryId: string,
    @Param('userId') userId: string,
  ): Promise<void> {
    await this.retries.queue({ tenantId: id as TenantId, directoryId }, userId);
  }

  @Get('log')
  @RequireScopes('iam:directory:read')
  @Paged(DirectoryCallResponse)
  @ApiOperation({
    operationId: 'listDirectoryCalls',
    summary: 'List calls of a directory',
    description: 'Newest first, for 14 days.',
  })
  async listCalls(
    @Param('id') id: string,
    @Param('directoryId') directoryId: string,
    @PageOf() page: Page,
  ): Promise<ItemPage<DirectoryCallResponse>> {
    return toPage(await this.calls.list(id as TenantId, directoryId, page), page, DirectoryCallResponse.from);
  }

  @Get('rules')
  @RequireScopes('iam:directory:read')
  @ApiOperation({ operationId: 'getDirectoryRules', summary: 'Get the roles of groups' })
  @Versioned(DirectoryRulesResponse)
  async readRules(
    @Param('id') id: string,
    @Param('directoryId') directoryId: string,
  ): Promise<DirectoryRulesResponse> {
    return DirectoryRulesResponse.from(await this.rules.list(id as TenantId, directoryId));
  }

  @Put('rules')
  @RequireScopes('iam:directory:update')
  @Problems('conflict', 'insufficient-user-authentication')
  @ApiOperation({
    operationId: 'setDirectoryRules',
    summary: 'Set the roles of groups',
    description:
      'The caller must hold every permission of the roles, and so must those who created the tokens of the directory: else 409 names the tokens to replace. Rules of several groups add up. Roles given by hand or by a connection stay.',
  })
  @Versioned(DirectoryRulesResponse)
  async setRules(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Param('directoryId') directoryId: string,
    @Body() { rules }: DirectoryRulesDto,
    @IfMatch() ifMatch: Precondition,
  ): Promise<DirectoryRulesResponse> {
    await ifMatch.require(() => this.readRules(id, directoryId));
    await this.directoryRules.replace(id as TenantId, caller, directoryId, rules);
    return this.readRules(id, directoryId);
  }

  @Post('rules/preview')
  @RequireScopes('iam:directory:update')
  @CountsAsRead()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'previewDirectoryRules',
    summary: 'Preview the roles of groups',
    description: 'The group of each rule, and to how many members it gives roles. Changes nothing.',
  })
  @ApiOkResponse({ type: DirectoryRulesPreviewResponse })
  async previewRules(
    @Param('id') id: string,
    @Param('directoryId') directoryId: string,
    @Body() { rules }: DirectoryRulesDto,
  ): Promise<DirectoryRulesPreviewResponse> {
    return { rules: await this.directoryRules.preview(id as TenantId, directoryId, rules) };
  }
}
