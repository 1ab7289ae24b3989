import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { AbilitySubject, RequireScopes } from '../../../ability/index.js';
import {
  ApiOkResponse,
  ApiOperation,
  Bearer,
  IfMatch,
  type ItemPage,
  type Page,
  Paged,
  PageOf,
  type Precondition,
  Problems,
  toPage,
  Versioned,
} from '../../../platform/api/index.js';
import { Creates } from '../../idempotency/creates.decorator.js';
import { Caller } from '../../../platform/web/index.js';
import type { Locked, Principal, TenantId } from '../../../kernel/index.js';
import { MemberService } from '../members/member.service.js';
import { CreateTenantDto, MyTenantResponse, TenantResponse, UpdateTenantDto } from './tenant.dto.js';
import { LockedTenant } from './locked-tenant.decorator.js';
import { OrganizationsTag } from '../organization-tags.js';
import { TenantCreationService } from './tenant-creation.service.js';
import { TenantService } from './tenant.service.js';

/** Operations on organizations. */
@OrganizationsTag()
@Controller('api/v1/iam')
export class TenantController {
  constructor(
    private readonly tenants: TenantService,
    private readonly creation: TenantCreationService,
    private readonly members: MemberService,
  ) {}

  @Get('me/tenants')
  @Bearer('app')
  @Paged(MyTenantResponse)
  @ApiOperation({ operationId: 'listMyOrganizations', summary: 'My organizations' })
  async mine(@Caller() caller: Principal, @PageOf() page: Page): Promise<ItemPage<MyTenantResponse>> {
    return toPage(await this.tenants.listMine(caller.userId, page), page, MyTenantResponse.from);
  }

  @Delete('me/tenants/:id')
  @Bearer('app')
  @Problems('not-found', 'forbidden')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'leaveMyOrganization',
    summary: 'Leave an organization without selecting it',
    description:
      'As `leaveOrganization`, for members whose sign-in the organization refuses. The last owner cannot leave.',
  })
  async leaveUnentered(@Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    await this.members.leaveUnentered(id as TenantId, caller.userId);
  }

  @Post('tenants')
  @Bearer('app')
  @Problems('conflict')
  @ApiOperation({
    operationId: 'createOrganization',
    summary: 'Create an organization',
    description: 'The caller becomes its owner. A person can be a member of 1,000 organizations at most.',
  })
  @Creates(TenantResponse, '/api/v1/iam/tenants/{id}')
  async create(@Caller() caller: Principal, @Body() body: CreateTenantDto): Promise<TenantResponse> {
    return TenantResponse.from(await this.creation.create(caller.userId, body));
  }

  @Get('tenants/:id')
  @RequireScopes('iam:tenant:read')
  @AbilitySubject('id')
  @ApiOperation({ operationId: 'getOrganization', summary: 'Read an organization' })
  @Versioned(TenantResponse)
  async read(@Param('id') id: string): Promise<TenantResponse> {
    return TenantResponse.from(await this.tenants.get(id as TenantId));
  }

  @Patch('tenants/:id')
  @RequireScopes('iam:tenant:update')
  @AbilitySubject('id')
  @Problems('conflict')
  @ApiOperation({
    operationId: 'renameOrganization',
    summary: 'Rename an organization',
    description:
      'Changes its name, and its slug: the name in the address of its sign-in page, which one organization can have. null removes the slug.',
  })
  @Versioned(TenantResponse)
  async rename(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() body: UpdateTenantDto,
    @IfMatch() ifMatch: Precondition,
  ): Promise<TenantResponse> {
    await ifMatch.require(() => this.read(id));
    return TenantResponse.from(await this.tenants.update(caller.userId, id as TenantId, body));
  }

  @Post('tenants/:id/archive')
  @RequireScopes('iam:tenant:archive')
  @AbilitySubject('id')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'archiveOrganization',
    summary: 'Archive an organization',
    description: 'Nothing in it can be changed until it is restored.',
  })
  @ApiOkResponse({ type: TenantResponse })
  async archive(@Caller() caller: Principal, @Param('id') id: string): Promise<TenantResponse> {
    return TenantResponse.from(await this.tenants.archive(caller.userId, id as TenantId));
  }

  @Post('tenants/:id/restore')
  @RequireScopes('iam:tenant:restore')
  @AbilitySubject('id')
  @HttpCode(200)
  @ApiOperation({ operationId: 'restoreOrganization', summary: 'Restore an archived organization' })
  @ApiOkResponse({ type: TenantResponse })
  async restore(@Caller() caller: Principal, @Param('id') id: string): Promise<TenantResponse> {
    return TenantResponse.from(await this.tenants.restore(caller.userId, id as TenantId));
  }

  @Post('tenants/:id/leave')
  @RequireScopes('iam:tenant:leave')
  @AbilitySubject('id')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'leaveOrganization',
    summary: 'Leave an organization',
    description:
      "Ends the caller's tokens for it. Allowed in an archived organization. The last owner cannot leave.",
  })
  async leave(@Caller() caller: Principal, @LockedTenant() tenantId: Locked<TenantId>): Promise<void> {
    await this.members.leave(tenantId, caller.userId);
  }
}
