import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { authenticationOf } from '../platform/web/index.js';
import type { TenantId } from '../kernel/index.js';
import { denialError, deny } from './decision.js';

/** Handler parameter: the tenant that the caller works in. A route that asks for scopes of a tenant always has one. */
export const SelectedTenant = createParamDecorator((_: unknown, context: ExecutionContext): TenantId => {
  const authentication = authenticationOf(context.switchToHttp().getRequest<Request>());
  if (authentication.principal === null) throw authentication.refusal;
  const { tenantId } = authentication.principal;
  if (tenantId === null) throw denialError(deny('tenant_required'));
  return tenantId;
});
