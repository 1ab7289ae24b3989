import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { AbilitySubject, RequireScopes, TenantParam, type TenantPath } from '../../../ability/index.js';
import { Caller, CallerLocale } from '../../../platform/web/index.js';
import {
  Answers,
  ApiParam,
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
import type { Principal } from '../../../kernel/index.js';
import { CreateRoleDto, PermissionListResponse, RoleResponse, UpdateRoleDto } from './role.dto.js';
import { RoleChangeService } from './role-change.service.js';
import { RoleService } from './role.service.js';
import { RolesTag } from '../organization.declarations.js';

/** Operations on the roles of an organization, and on the permissions that they can hold. */
@RolesTag()
@TenantParam('id')
@Controller('api/v1/iam/tenants/:id')
export class RoleController {
  constructor(
    private readonly roles: RoleService,
    private readonly changes: RoleChangeService,
    private readonly locales: CallerLocale,
  ) {}

  @Get('roles')
  @RequireScopes('iam:role:read')
  @AbilitySubject('id')
  @Paged(RoleResponse)
  @Operation('List roles')
  async listRoles(@Param() { id }: TenantPath, @PageOf() page: Page) {
    return toPage(await this.roles.list(id, page), page, RoleResponse.from);
  }

  @Post('roles')
  @RequireScopes('iam:role:create')
  @Problems('conflict')
  @AbilitySubject('id')
  @Operation('Create a role', 'The caller must hold each of its scopes.')
  @Creates(RoleResponse, '/api/v1/iam/tenants/:id/roles/{id}')
  async createRole(@Caller() caller: Principal, @Param() { id }: TenantPath, @Body() body: CreateRoleDto) {
    return RoleResponse.from(await this.changes.create(id, caller, body));
  }

  @Get('roles/:roleId')
  @RequireScopes('iam:role:read')
  @AbilitySubject('id')
  @Operation('Get a role')
  @Versioned(RoleResponse)
  async getRole(@Param() { id, roleId }: TenantPath<'roleId'>) {
    return RoleResponse.from(await this.roles.get(id, roleId));
  }

  @Patch('roles/:roleId')
  @RequireScopes('iam:role:update')
  @AbilitySubject('roleId')
  @Operation('Change a role', 'Effective with the next request of its members.')
  @Versioned(RoleResponse)
  async updateRole(
    @Caller() caller: Principal,
    @Param() { id, roleId }: TenantPath<'roleId'>,
    @Body() body: UpdateRoleDto,
    @IfMatch() ifMatch: Precondition,
  ) {
    await ifMatch.require(() => this.getRole({ id, roleId }));
    return RoleResponse.from(await this.changes.update(id, caller, roleId, body));
  }

  @Delete('roles/:roleId')
  @RequireScopes('iam:role:delete')
  @AbilitySubject('roleId')
  @HttpCode(204)
  @Operation('Delete a role that is not in use')
  async deleteRole(
    @Caller() caller: Principal,
    @Param() { id, roleId }: TenantPath<'roleId'>,
    @IfMatch() ifMatch: Precondition,
  ): Promise<void> {
    await ifMatch.require(() => this.getRole({ id, roleId }));
    await this.changes.delete(id, caller.userId, roleId);
  }

  @Get('permissions')
  @RequireScopes('iam:role:read')
  @AbilitySubject('id')
  @Operation(
    'List permissions',
    "All that a role of the organization can hold, also of other modules, in the caller's language. Those of one group follow each other.",
  )
  @ApiParam({ name: 'id', schema: { type: 'string' } })
  @Answers(PermissionListResponse)
  async listPermissions(@Caller() caller: Principal, @Req() request: Request) {
    return { items: await this.roles.listPermissions(caller, await this.locales.find(request)) };
  }
}
