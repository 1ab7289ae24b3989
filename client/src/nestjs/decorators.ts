import { createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { Scope } from '../abilities.js';
import type { AccessToken } from '../verifier/index.js';

export const PUBLIC = 'gatehouse:public';
export const SCOPES = 'gatehouse:scopes';
export const CONFIRMED = 'gatehouse:confirmed';
const CALLER = Symbol('gatehouse:caller');

interface Asked {
  [CALLER]?: AccessToken;
}

/**
 * Opens a handler or a controller to everybody; everything else needs an access token.
 * @param why for whoever reads the code
 */
export const Public = (why: string): MethodDecorator & ClassDecorator => SetMetadata(PUBLIC, why);

/** The caller must hold all of these scopes in the selected tenant. */
export const RequireScopes = (...scopes: Scope[]): MethodDecorator & ClassDecorator =>
  SetMetadata(SCOPES, scopes);

/** Gatehouse is asked for each request whether the session still lasts: a logout counts within seconds, for one more request each. */
export const Confirmed = (): MethodDecorator & ClassDecorator => SetMetadata(CONFIRMED, true);

/** The verified `AccessToken` as a parameter of a handler. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const caller = context.switchToHttp().getRequest<Asked>()[CALLER];
  if (!caller) throw new Error('A public route has no caller.');
  return caller;
});

/** For `Caller`. */
export function setCaller(request: Asked, caller: AccessToken): void {
  request[CALLER] = caller;
}
