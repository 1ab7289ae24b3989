import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { AbilitySubject, RequireScopes, TenantParam } from '../../../ability/index.js';
import { Caller, CallerLocale } from '../../../platform/web/index.js';
import { Answers, ApiParam, Operation } from '../../../platform/api/index.js';
import type { Principal } from '../../../kernel/index.js';
import { PermissionListResponse } from './role.dto.js';
import { PermissionService } from './permission.service.js';
import { RolesTag } from '../organization.declarations.js';

/** Permissions that the roles of an organization can hold. */
@RolesTag()
@TenantParam('id')
@Controller('api/v1/iam/tenants/:id/permissions')
export class PermissionController {
  constructor(
    private readonly permissions: PermissionService,
    private readonly locales: CallerLocale,
  ) {}

  @Get()
  @RequireScopes('iam:role:read')
  @AbilitySubject('id')
  @Operation(
    'List permissions',
    "All that a role of the organization can hold, also of other modules, in the caller's language. Those of one group follow each other.",
  )
  @ApiParam({ name: 'id', schema: { type: 'string' } })
  @Answers(PermissionListResponse)
  async listPermissions(
    @Caller() caller: Principal,
    @Req() request: Request,
  ): Promise<PermissionListResponse> {
    return { items: await this.permissions.list(caller, await this.locales.find(request)) };
  }
}
