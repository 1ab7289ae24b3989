import { Body, Controller, Delete, Get, HttpCode, Param, Put } from '@nestjs/common';
import { AbilitySubject, RequireScopes } from '../../ability/index.js';
import type { Principal } from '../../kernel/index.js';
import { Answers, ApiParam, Operation, Problems } from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import { OperatorsTag } from '../operators/operator.dto.js';
import {
  PermissionModuleResponse,
  PermissionModulesResponse,
  RegisterPermissionsDto,
} from './permission-module.dto.js';
import { MODULE_NAME } from './permission-module.policy.js';
import { PermissionModuleService } from './permission-module.service.js';

/** Documents `:module` of a path. */
const ModuleParam = () =>
  ApiParam({
    name: 'module',
    description: 'Name by which the scopes begin.',
    schema: { type: 'string', maxLength: 64, pattern: MODULE_NAME.source, examples: ['freight'] },
  });

/** Permissions that other services check, and roles of organizations hold. */
@OperatorsTag()
@Controller('api/v1/iam/permissions')
export class PermissionModuleController {
  constructor(private readonly modules: PermissionModuleService) {}

  @Get()
  @RequireScopes('platform:permission:read')
  @Operation('List permissions of other services', 'Those that are registered, by module.')
  @Answers(PermissionModulesResponse)
  async listRegisteredPermissions() {
    return { items: (await this.modules.list()).map((one) => PermissionModuleResponse.from(one)) };
  }

  @Put(':module')
  @RequireScopes('platform:permission:register')
  @AbilitySubject('module')
  @ModuleParam()
  @Problems('conflict')
  @Operation(
    'Register permissions of another service',
    'Replaces all of the module. Roles hold them, tokens name them and the permission check knows them at once. The service checks the state of its entities itself.',
  )
  @Answers(PermissionModuleResponse)
  async registerPermissions(
    @Caller() { userId }: Principal,
    @Param('module') module: string,
    @Body() body: RegisterPermissionsDto,
  ) {
    return PermissionModuleResponse.from(await this.modules.register(userId, module, body));
  }

  @Delete(':module')
  @RequireScopes('platform:permission:remove')
  @AbilitySubject('module')
  @ModuleParam()
  @Problems('conflict')
  @HttpCode(204)
  @Operation(
    'Remove permissions of another service',
    'Roles and clients that name them hold nothing by them, until they are registered again.',
  )
  async removePermissions(@Caller() { userId }: Principal, @Param('module') module: string): Promise<void> {
    await this.modules.remove(userId, module);
  }
}
