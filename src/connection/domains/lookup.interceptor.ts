import {
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { DomainLookup, type DomainCheck } from './domain-lookup.js';
import { actingTenantOf } from '../setup/setup-access.js';
import { DomainRepository } from './domain.repository.js';

const RESULT = Symbol('domainLookup');
type LookedUp = Request & { [RESULT]?: DomainCheck };

/**
 * Looks up the record of the domain that the path names, before the command's transaction: a slow
 * DNS server must not hold locks. Write it below `@RequireScopes`, so that it runs first. The guard
 * has checked the permission.
 */
@Injectable()
export class LookupInterceptor implements NestInterceptor {
  constructor(
    private readonly domains: DomainRepository,
    private readonly lookup: DomainLookup,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<LookedUp>();
    const tenantId = actingTenantOf(request);
    const domain = tenantId ? await this.domains.find(tenantId, String(request.params['domainId'])) : null;
    if (domain) request[RESULT] = { ...(await this.lookup.check(domain)), token: domain.token };
    return next.handle();
  }
}

/** Handler parameter: the result of {@link LookupInterceptor}; unknown if there was no domain. */
export const Lookup = createParamDecorator((_: unknown, context: ExecutionContext): DomainCheck => {
  const { [RESULT]: result } = context.switchToHttp().getRequest<LookedUp>();
  return result ?? { verdict: 'unknown', others: [], token: '' };
});
