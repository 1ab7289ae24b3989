import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { AbilitySubject, RequireScopes, TenantParam, type TenantPath } from '../../../ability/index.js';
import { Caller } from '../../../platform/web/index.js';
import {
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
import { CreateRoleDto, RoleResponse, UpdateRoleDto } from './role.dto.js';
import { RoleChangeService } from './role-change.service.js';
import { RoleService } from './role.service.js';
import { RolesTag } from '../organization.declarations.js';

/** Operations on the roles of an organization. */
@RolesTag()
@TenantParam('id')
@Controller('api/v1/iam/tenants/:id/roles')
export class RoleController {
  constructor(
    private readonly roles: RoleService,
    private readonly changes: RoleChangeService,
  ) {}

  @Get()
  @RequireScopes('iam:role:read')
  @AbilitySubject('id')
  @Paged(RoleResponse)
  @Operation('List roles')
  async listRoles(@Param() { id }: TenantPath, @PageOf() page: Page) {
    return toPage(await this.roles.list(id, page), page, RoleResponse.from);
  }

  @Post()
  @RequireScopes('iam:role:create')
  @Problems('conflict')
  @AbilitySubject('id')
  @Operation('Create a role', 'The caller must hold each of its scopes.')
  @Creates(RoleResponse, '/api/v1/iam/tenants/:id/roles/{id}')
  async createRole(@Caller() caller: Principal, @Param() { id }: TenantPath, @Body() body: CreateRoleDto) {
    return RoleResponse.from(await this.changes.create(id, caller, body));
  }

  @Get(':roleId')
  @RequireScopes('iam:role:read')
  @AbilitySubject('id')
  @Operation('Get a role')
  @Versioned(RoleResponse)
  async getRole(@Param() { id, roleId }: TenantPath<'roleId'>) {
    return RoleResponse.from(await this.roles.get(id, roleId));
  }

  @Patch(':roleId')
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

  @Delete(':roleId')
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
}
