import { applyDecorators, UseInterceptors } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { CommandInterceptor } from './command.interceptor.js';

/** Metadata of {@link RequireScopes}. */
export const RequiredScopes = Reflector.createDecorator<readonly string[]>();

/**
 * Requires the caller to hold the scopes in the selected tenant. A command runs in one transaction,
 * which repeats the decision under row locks (ADR 9).
 */
export function RequireScopes(...scopes: [string, ...string[]]): ClassDecorator & MethodDecorator {
  return applyDecorators(RequiredScopes(scopes), UseInterceptors(CommandInterceptor));
}

/** Names the path parameter of the entity that the policy judges first. */
export const AbilitySubject = Reflector.createDecorator<string>();

/**
 * Names the path parameter of the tenant. The id of any tenant but the selected one is answered as
 * an unknown id (API-10).
 */
export const TenantParam = Reflector.createDecorator<string>();
