import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { AppError } from '../errors/app-error.js';

export type UserId = string & { readonly __brand: 'UserId' };
export type TenantId = string & { readonly __brand: 'TenantId' };
export type SessionId = string & { readonly __brand: 'SessionId' };

/** Our own app, in the `client_id` of its tokens. */
export const FIRST_PARTY_CLIENT = 'gatehouse';

/** Why a satellite is refused what the app alone may do. */
export const NOT_FOR_SATELLITES = 'This is for the app that you signed in to, not for a satellite.';

/** Who is calling, as proven by a valid access token of a live session. */
export interface Principal {
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly grantId: string;
  /** Which property the token was issued to. */
  readonly clientId: string;
  /** The selected tenant. */
  readonly tenantId: TenantId | null;
  /** The newest proof of who they are: sign-in or step-up (`auth_time`). */
  readonly authTime: Date;
}

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
