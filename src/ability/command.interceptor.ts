import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { Reflector } from '@nestjs/core';
import { READS } from '../kernel/index.js';
import { RawBodyMark, type RawBodyRules } from '../platform/api/index.js';
import { Database } from '../platform/database/index.js';
import { AppError } from '../platform/errors/index.js';
import { authenticationOf, readBody } from '../platform/web/index.js';
import { AbilityService } from './ability.service.js';
import { runAllowedBy } from './allowed-by.js';
import { findScopedAccess, RouteQuestions, type ScopedAccess } from './scoped-access.js';

/**
 * Check and act are one: a command that needs scopes runs in one transaction, in which the guard's
 * verdict is first repeated under row locks. Nothing that the verdict rests on can change before
 * the command has committed. Bound to routes with scopes only, so that other requests do not pay
 * for an interceptor.
 */
@Injectable()
export class CommandInterceptor implements NestInterceptor {
  constructor(
    private readonly database: Database,
    private readonly abilities: AbilityService,
    private readonly questions: RouteQuestions,
    private readonly reflector: Reflector,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const access = findScopedAccess(context.getHandler(), context.getClass());
    const request = context.switchToHttp().getRequest<Request>();
    if (access === null || READS.has(request.method)) return next.handle();
    const raw = this.reflector.get(RawBodyMark, context.getHandler()) as RawBodyRules | undefined;
    if (raw) return from(this.withRawBody(raw, access, request, next));
    return from(this.inTransaction(access, request, next));
  }

  /**
   * Reads the body, then repeats the verdict, as reading may take long. The handler has
   * separate transactions.
   */
  private async withRawBody(
    { type, maxBytes }: RawBodyRules,
    access: ScopedAccess,
    request: Request,
    next: CallHandler,
  ): Promise<unknown> {
    const [given = ''] = (request.headers['content-type'] ?? '').split(';');
    if (given.trim().toLowerCase() !== type) throw new AppError('unsupported-media-type');
    request.body = await readBody(request, maxBytes);
    return this.decideAndRun(access, request, next, false);
  }

  private inTransaction(access: ScopedAccess, request: Request, next: CallHandler): Promise<unknown> {
    return this.database.transaction(() => this.decideAndRun(access, request, next, true));
  }

  private async decideAndRun(
    access: ScopedAccess,
    request: Request,
    next: CallHandler,
    lock: boolean,
  ): Promise<unknown> {
    const { principal } = authenticationOf(request);
    const run = (): Promise<unknown> => lastValueFrom(next.handle(), { defaultValue: undefined });
    if (!principal) return run();
    const allowed = await this.abilities.require(principal, this.questions.of(access, request), lock);
    return runAllowedBy(principal, allowed, run);
  }
}
