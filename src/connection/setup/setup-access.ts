import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import type { TenantId } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import { StrictLimit } from '../../platform/rate-limit/index.js';
import { authenticationOf } from '../../platform/web/index.js';
import { SETUP_LIMIT } from '../connection.declarations.js';
import type { SetupIntent } from './setup-link.entity.js';
import type { UsedSetupLink } from './setup-links.js';

/** Intents of which the link of a request must have one; empty for any link. */
export const SetupLinkMark = Reflector.createDecorator<readonly SetupIntent[]>();

/**
 * Opens a route to set-up links, and to no other caller. Without it, a route refuses them.
 * @param intents of which the link must have one; none for any link
 */
export const BySetupLink = (...intents: SetupIntent[]): MethodDecorator =>
  applyDecorators(SetupLinkMark(intents), StrictLimit(SETUP_LIMIT));

const LINK = Symbol('setupLink');
type ByLink = Request & { [LINK]?: UsedSetupLink };

/** Records the link of the request, which the guard has authenticated. */
export function setSetupLink(request: Request, link: UsedSetupLink): void {
  (request as ByLink)[LINK] = link;
}

/** Returns the link of the request; null for other callers. */
export const setupLinkOf = (request: Request): UsedSetupLink | null => (request as ByLink)[LINK] ?? null;

/** Returns the organization in which a request acts: that of its link, or the selected one. */
export function actingTenantOf(request: Request): TenantId | null {
  const link = setupLinkOf(request);
  return link ? link.tenantId : (authenticationOf(request).principal?.tenantId ?? null);
}

/** Handler parameter: the link of the request. @throws {AppError} unauthenticated */
export const UsedLink = createParamDecorator((_: unknown, context: ExecutionContext): UsedSetupLink => {
  const link = setupLinkOf(context.switchToHttp().getRequest<Request>());
  if (!link) throw new AppError('unauthenticated');
  return link;
});
