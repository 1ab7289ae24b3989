import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { authenticationOf } from '../platform/web/index.js';
import type { TenantId } from '../kernel/index.js';
import { denialError, deny } from './decision.js';

/**
 * Injects the caller's selected tenant into a handler. A route that requires scopes of a tenant
 * always has one.
 * @throws {AppError} the request's refusal without a caller; forbidden (`tenant_required`) without
 *   a selected tenant
 */
export const SelectedTenant = createParamDecorator((_: unknown, context: ExecutionContext): TenantId => {
  const authentication = authenticationOf(context.switchToHttp().getRequest<Request>());
  if (authentication.principal === null) throw authentication.refusal;
  const { tenantId } = authentication.principal;
  if (tenantId === null) throw denialError(deny('tenant_required'));
  return tenantId;
});
