import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { AbilitySubject, RequireScopes, type TenantPath } from '../../../ability/index.js';
import {
  Answers,
  Bearer,
  IfMatch,
  Operation,
  type Page,
  Paged,
  PageOf,
  type Precondition,
  Problems,
  toPage,
  Versioned,
} from '../../../platform/api/index.js';
import { Creates } from '../../idempotency/creation.interceptor.js';
import { Caller } from '../../../platform/web/index.js';
import type { Locked, Principal, TenantId } from '../../../kernel/index.js';
import { MemberService } from '../members/member.service.js';
import { CreateTenantDto, MyTenantResponse, TenantResponse, UpdateTenantDto } from './tenant.dto.js';
import { LockedTenant } from './locked-tenant.decorator.js';
import { OrganizationsTag } from '../organization.declarations.js';
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
  @Operation('List my organizations')
  async listMyOrganizations(@Caller() caller: Principal, @PageOf() page: Page) {
    return toPage(await this.tenants.listMine(caller.userId, page), page, MyTenantResponse.from);
  }

  @Delete('me/tenants/:id')
  @Bearer('app')
  @Problems('not-found', 'forbidden')
  @HttpCode(204)
  @Operation(
    'Leave an organization without selecting it',
    'As `leaveOrganization`, for members whose sign-in the organization refuses. The last owner cannot leave.',
  )
  async leaveMyOrganization(@Caller() caller: Principal, @Param() { id }: TenantPath): Promise<void> {
    await this.members.leaveUnentered(id, caller.userId);
  }

  @Post('tenants')
  @Bearer('app')
  @Problems('conflict')
  @Operation(
    'Create an organization',
    'The caller becomes its owner. A person can be a member of 1,000 organizations at most.',
  )
  @Creates(TenantResponse, '/api/v1/iam/tenants/{id}')
  async createOrganization(@Caller() caller: Principal, @Body() body: CreateTenantDto) {
    return TenantResponse.from(await this.creation.create(caller.userId, body));
  }

  @Get('tenants/:id')
  @RequireScopes('iam:tenant:read')
  @AbilitySubject('id')
  @Operation('Get an organization')
  @Versioned(TenantResponse)
  async getOrganization(@Param() { id }: TenantPath) {
    return TenantResponse.from(await this.tenants.get(id));
  }

  @Patch('tenants/:id')
  @RequireScopes('iam:tenant:update')
  @AbilitySubject('id')
  @Problems('conflict')
  @Operation(
    'Change an organization',
    'Changes its name, and its slug: the name in the address of its sign-in page, which one organization can have. null removes the slug.',
  )
  @Versioned(TenantResponse)
  async renameOrganization(
    @Caller() caller: Principal,
    @Param() { id }: TenantPath,
    @Body() body: UpdateTenantDto,
    @IfMatch() ifMatch: Precondition,
  ) {
    await ifMatch.require(() => this.getOrganization({ id }));
    return TenantResponse.from(await this.tenants.update(caller.userId, id, body));
  }

  @Post('tenants/:id/archive')
  @RequireScopes('iam:tenant:archive')
  @AbilitySubject('id')
  @Operation('Archive an organization', 'Nothing in it can be changed until it is restored.')
  @Answers(TenantResponse)
  async archiveOrganization(@Caller() caller: Principal, @Param() { id }: TenantPath) {
    return TenantResponse.from(await this.tenants.archive(caller.userId, id));
  }

  @Post('tenants/:id/restore')
  @RequireScopes('iam:tenant:restore')
  @AbilitySubject('id')
  @Operation('Restore an archived organization')
  @Answers(TenantResponse)
  async restoreOrganization(@Caller() caller: Principal, @Param() { id }: TenantPath) {
    return TenantResponse.from(await this.tenants.restore(caller.userId, id));
  }

  @Post('tenants/:id/leave')
  @RequireScopes('iam:tenant:leave')
  @AbilitySubject('id')
  @HttpCode(204)
  @Operation(
    'Leave an organization',
    "Ends the caller's tokens for it. Allowed in an archived organization. The last owner cannot leave.",
  )
  async leaveOrganization(
    @Caller() caller: Principal,
    @LockedTenant() tenantId: Locked<TenantId>,
  ): Promise<void> {
    await this.members.leave(tenantId, caller.userId);
  }
}
