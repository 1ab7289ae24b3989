import { Controller, Get, Param } from '@nestjs/common';
import { RequireScopes, TenantParam, type TenantPath } from '../../ability/index.js';
import type { Principal } from '../../kernel/index.js';
import { Answers, Operation, QueryOf } from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import { DirectoriesTag } from '../directories-tag.js';
import { DirectoryPeopleRepository } from '../records/directory-people.repository.js';
import { MemberGroupsQuery, MemberGroupsResponse } from './directory.dto.js';

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
