import { Body, Controller, Get, Param, Post, Put } from '@nestjs/common';
import { AbilitySubject, RequireScopes, TenantParam, type TenantPath } from '../../ability/index.js';
import type { Principal } from '../../kernel/index.js';
import {
  Accepts,
  Answers,
  CountsAsRead,
  IfMatch,
  MAX_COUNTED,
  Operation,
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
import { DirectoriesTag } from '../directory.declarations.js';
import { DirectoryPeopleRepository } from '../records/directory-people.repository.js';
import {
  DirectoryCallResponse,
  DirectoryGroupResponse,
  DirectoryRulesDto,
  DirectoryRulesPreviewResponse,
  DirectoryRulesResponse,
  DirectoryUserResponse,
  DirectoryUsersQuery,
  MemberGroupsQuery,
  MemberGroupsResponse,
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
  @Operation('List people of a directory')
  async listDirectoryUsers(
    @Param() { id, directoryId }: TenantPath<'directoryId'>,
    @PageOf() page: Page,
    @QueryOf(DirectoryUsersQuery) filter: DirectoryUsersQuery,
  ) {
    const scope = { tenantId: id, directoryId };
    const users = toPage(await this.people.list(scope, page, filter), page, DirectoryUserResponse.from);
    if (page.after !== null) return users;
    return { ...users, total: await this.people.count(scope, filter, MAX_COUNTED) };
  }

  @Get('groups')
  @RequireScopes('iam:directory:read')
  @Paged(DirectoryGroupResponse)
  @Operation('List groups of a directory')
  async listDirectoryGroups(@Param() { id, directoryId }: TenantPath<'directoryId'>, @PageOf() page: Page) {
    return toPage(
      await this.people.listGroups({ tenantId: id, directoryId }, page, MAX_COUNTED),
      page,
      DirectoryGroupResponse.from,
    );
  }

  @Post('users/:userId/retry')
  @RequireScopes('iam:directory:update')
  @Operation(
    'Try again to make a person a member',
    'For a person who waits or was refused, such as after a domain was verified.',
  )
  @Accepts()
  async retryDirectoryUser(
    @Param() { id, directoryId, userId }: TenantPath<'directoryId' | 'userId'>,
  ): Promise<void> {
    await this.retries.queue({ tenantId: id, directoryId }, userId);
  }

  @Get('log')
  @RequireScopes('iam:directory:read')
  @Paged(DirectoryCallResponse)
  @Operation('List calls of a directory', 'Newest first, for 14 days.')
  async listDirectoryCalls(@Param() { id, directoryId }: TenantPath<'directoryId'>, @PageOf() page: Page) {
    return toPage(await this.calls.list(id, directoryId, page), page, DirectoryCallResponse.from);
  }

  @Get('rules')
  @RequireScopes('iam:directory:read')
  @Operation('Get the roles of groups')
  @Versioned(DirectoryRulesResponse)
  async getDirectoryRules(@Param() { id, directoryId }: TenantPath<'directoryId'>) {
    return DirectoryRulesResponse.from(await this.rules.list(id, directoryId));
  }

  @Put('rules')
  @RequireScopes('iam:directory:update')
  @Problems('conflict', 'insufficient-user-authentication')
  @Operation(
    'Set the roles of groups',
    'The caller must hold every permission of the roles, and so must those who created the tokens of the directory: else 409 names the tokens to replace. Rules of several groups add up. Roles given by hand or by a connection stay.',
  )
  @Versioned(DirectoryRulesResponse)
  async setDirectoryRules(
    @Caller() caller: Principal,
    @Param() { id, directoryId }: TenantPath<'directoryId'>,
    @Body() { rules }: DirectoryRulesDto,
    @IfMatch() ifMatch: Precondition,
  ) {
    await ifMatch.require(() => this.getDirectoryRules({ id, directoryId }));
    await this.directoryRules.replace(id, caller, directoryId, rules);
    return this.getDirectoryRules({ id, directoryId });
  }

  @Post('rules/preview')
  @RequireScopes('iam:directory:update')
  @CountsAsRead()
  @Operation(
    'Preview the roles of groups',
    'The group of each rule, and to how many members it gives roles. Changes nothing.',
  )
  @Answers(DirectoryRulesPreviewResponse)
  async previewDirectoryRules(
    @Param() { id, directoryId }: TenantPath<'directoryId'>,
    @Body() { rules }: DirectoryRulesDto,
  ) {
    return { rules: await this.directoryRules.preview(id, directoryId, rules) };
  }
}

/** Groups of a member in the directories of their organization. */
@DirectoriesTag()
@TenantParam('id')
@Controller('api/v1/iam/tenants/:id/directory-groups')
export class MemberGroupsController {
  constructor(private readonly people: DirectoryPeopleRepository) {}

  @Get()
  @RequireScopes('iam:directory:read')
  @Operation('List the groups of a member in all directories')
  @Answers(MemberGroupsResponse)
  async listMemberGroups(
    @Caller() caller: Principal,
    @Param() { id }: TenantPath,
    @QueryOf(MemberGroupsQuery) { userId = caller.userId }: MemberGroupsQuery,
  ) {
    return { groups: await this.people.listGroupsOf(id, userId) };
  }
}
