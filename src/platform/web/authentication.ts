import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { AppError } from '../errors/index.js';
import type { Principal } from '../../kernel/index.js';

/** Result of authentication: the principal, or the refusal. */
export type Authentication =
  | {
      readonly principal: Principal;
      /** Returns the BCP 47 tag of the language that the person has chosen; null if none. */
      readonly findChosenLocale?: () => Promise<string | null>;
    }
  | { readonly principal: null; readonly refusal: AppError };

const AUTHENTICATION = Symbol('authentication');
type Authenticated = Request & { [AUTHENTICATION]?: Authentication };

/** Records the result of authentication on the request. */
export function setAuthentication(request: Request, authentication: Authentication): void {
  (request as Authenticated)[AUTHENTICATION] = authentication;
}

/** @returns the result of authentication; without it, a refusal */
export function authenticationOf(request: Request): Authentication {
  return (
    (request as Authenticated)[AUTHENTICATION] ?? {
      principal: null,
      refusal: new AppError('unauthenticated'),
    }
  );
}

/**
 * @returns the authenticated caller
 * @throws {AppError} unauthenticated
 */
export function callerOf(request: Request): Principal {
  const { principal } = authenticationOf(request);
  if (!principal) throw new AppError('unauthenticated');
  return principal;
}

/**
 * Handler parameter: the authenticated caller.
 * @throws {AppError} unauthenticated
 */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Principal =>
  callerOf(context.switchToHttp().getRequest<Request>()),
);
