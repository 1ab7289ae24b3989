import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { authenticationOf } from '../platform/web/index.js';
import type { TenantId } from '../kernel/index.js';
import { denialError, deny } from './decision.js';

/** Metadata of {@link SelectedTenant}: the guard judges the sign-in by the tenant's policy. */
export const SelectedTenantMark = Reflector.createDecorator<true>();

const decorate = createParamDecorator(
  (_: unknown, context: ExecutionContext): TenantId => {
    const authentication = authenticationOf(context.switchToHttp().getRequest<Request>());
    if (authentication.principal === null) throw authentication.refusal;
    const { tenantId } = authentication.principal;
    if (tenantId === null) throw denialError(deny('tenant_required'));
    return tenantId;
  },
  [
    (target, key) => {
      const descriptor = key === undefined ? undefined : Object.getOwnPropertyDescriptor(target, key);
      if (key !== undefined && descriptor) SelectedTenantMark(true)(target, key, descriptor);
    },
  ],
);

/**
 * Injects the caller's selected tenant into a handler. A route that requires scopes of a tenant
 * always has one. The sign-in satisfies the policy of the tenant (ADR 36).
 * @throws {AppError} the request's refusal without a caller; forbidden (`tenant_required`) without
 *   a selected tenant
 */
export const SelectedTenant = (): ParameterDecorator => decorate();
