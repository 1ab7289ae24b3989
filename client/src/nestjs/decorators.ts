import { createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { Scope } from '../abilities.js';
import type { AuthenticationNeed } from '../authentication.js';
import type { AccessToken } from '../verifier/index.js';

export const PUBLIC = 'gatehouse:public';
export const SCOPES = 'gatehouse:scopes';
export const CONFIRMED = 'gatehouse:confirmed';
export const SIGN_IN = 'gatehouse:sign-in';
export const API_SCOPES = 'gatehouse:api-scopes';
const CALLER = Symbol('gatehouse:caller');

interface IncomingRequest {
  [CALLER]?: AccessToken;
}

/**
 * Makes a handler or a controller public; all others require an access token.
 * @param why the reason, for readers of the code
 */
export const Public = (why: string): MethodDecorator & ClassDecorator => SetMetadata(PUBLIC, why);

/** Requires all of these scopes in the selected tenant. */
export const RequireScopes = (...scopes: Scope[]): MethodDecorator & ClassDecorator =>
  SetMetadata(SCOPES, scopes);

/**
 * Requires a token of this API with all of these scopes, as the API is registered with them
 * (RFC 8707). Of an API of an organization, the token is of a member. Needs `resource` of
 * `GatehouseModule.forRoot`; each request is answered 500 without it.
 */
export const ProtectedResource = (...scopes: string[]): MethodDecorator & ClassDecorator =>
  SetMetadata(API_SCOPES, scopes);

/**
 * Checks at Gatehouse, at each request, that the session is alive: a logout is effective within
 * seconds, for one more request each.
 */
export const Confirmed = (): MethodDecorator & ClassDecorator => SetMetadata(CONFIRMED, true);

/**
 * Requires a sign-in of this strength and age: `{ acr: 'aal2', maxAge: 300 }`. Else it answers 401
 * as RFC 9470 describes, and the app lets the user confirm at Gatehouse.
 */
export const RequireSignIn = (need: AuthenticationNeed): MethodDecorator & ClassDecorator =>
  SetMetadata(SIGN_IN, need);

/** Injects the verified `AccessToken` into a parameter of a handler. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const caller = context.switchToHttp().getRequest<IncomingRequest>()[CALLER];
  if (!caller) throw new Error('A public route has no caller.');
  return caller;
});

/** Stores the token for `Caller`. */
export function setCaller(request: IncomingRequest, caller: AccessToken): void {
  request[CALLER] = caller;
}
