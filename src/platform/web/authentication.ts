import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { AppError } from '../errors/index.js';
import type { Principal } from '../../kernel/index.js';

/** What authentication found out about a request: a principal, or why there is none. */
export type Authentication =
  { readonly principal: Principal } | { readonly principal: null; readonly refusal: AppError };

const AUTHENTICATION = Symbol('authentication');
type Authenticated = Request & { [AUTHENTICATION]?: Authentication };

/** Notes the outcome of authentication on the request. */
export function setAuthentication(request: Request, authentication: Authentication): void {
  (request as Authenticated)[AUTHENTICATION] = authentication;
}

/** The outcome of authentication; a request that never went through it has no principal. */
export function authenticationOf(request: Request): Authentication {
  return (
    (request as Authenticated)[AUTHENTICATION] ?? {
      principal: null,
      refusal: new AppError('unauthenticated'),
    }
  );
}

/** Handler parameter: the caller. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const { principal } = authenticationOf(context.switchToHttp().getRequest<Request>());
  if (!principal) throw new AppError('unauthenticated');
  return principal;
});
