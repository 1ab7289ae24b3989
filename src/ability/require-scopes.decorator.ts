import { applyDecorators, UseInterceptors } from '@nestjs/common';
import { CommandInterceptor } from './command.interceptor.js';
import { RequiredScopes } from './scoped-access.js';

/**
 * Requires the caller to hold the scopes in the selected tenant. A command runs in one transaction,
 * which repeats the decision under row locks (ADR 9).
 */
export function RequireScopes(...scopes: [string, ...string[]]): ClassDecorator & MethodDecorator {
  return applyDecorators(RequiredScopes(scopes), UseInterceptors(CommandInterceptor));
}
