import {
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { type NewKey, ProviderKeys } from './provider-keys.js';

const KEY = Symbol('key');
type WithKey = Request & { [KEY]?: NewKey };

/**
 * Makes a signing key before the command's transaction, because that takes half a second, for
 * which it would hold locks. Write it below `@RequireScopes`, so that it runs first. The guard has
 * checked the permission.
 */
@Injectable()
export class NewKeyInterceptor implements NestInterceptor {
  constructor(private readonly keys: ProviderKeys) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    context.switchToHttp().getRequest<WithKey>()[KEY] = await this.keys.generate();
    return next.handle();
  }
}

/** Handler parameter: the key that {@link NewKeyInterceptor} made. */
export const MadeKey = createParamDecorator((_: unknown, context: ExecutionContext): NewKey => {
  const { [KEY]: key } = context.switchToHttp().getRequest<WithKey>();
  if (!key) throw new Error('The route has no NewKeyInterceptor.');
  return key;
});
