import { applyDecorators, SetMetadata, UseInterceptors, type CustomDecorator } from '@nestjs/common';
import { CommandInterceptor } from './command.interceptor.js';

export const REQUIRED_SCOPES = 'gatehouse:required-scopes';
export const ABILITY_SUBJECT = 'gatehouse:ability-subject';
export const TENANT_PARAM = 'gatehouse:tenant-param';

/** Opens a route to whoever holds the scopes in the selected tenant. A command runs in one transaction with the repeated verdict. */
export function RequireScopes(...scopes: [string, ...string[]]): ClassDecorator & MethodDecorator {
  return applyDecorators(SetMetadata(REQUIRED_SCOPES, scopes), UseInterceptors(CommandInterceptor));
}

/** The path parameter that names the entity whose state the policy judges first. */
export function AbilitySubject(parameter: string): CustomDecorator {
  return SetMetadata(ABILITY_SUBJECT, parameter);
}

/** The path parameter that names the tenant. Any but the token's own answers as one that does not exist. */
export function TenantParam(parameter: string): CustomDecorator {
  return SetMetadata(TENANT_PARAM, parameter);
}
