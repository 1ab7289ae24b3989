import { Injectable, type CallHandler, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { AbilityService, CommandRunner } from '../ability/index.js';
import { Database } from '../platform/database/index.js';
import { authenticationOf } from '../platform/web/index.js';
import { accessOf, type ScopedAccess } from './route-access.js';
import { RouteQuestions } from './route-questions.js';

const ONLY_READS = new Set(['GET', 'HEAD']);

/**
 * Check and act are one: a command that needs scopes runs in one transaction, in which the guard's
 * verdict is first repeated under row locks. Nothing that the verdict rests on can change before
 * the command has committed.
 */
@Injectable()
export class CommandTransaction extends CommandRunner {
  constructor(
    private readonly database: Database,
    private readonly abilities: AbilityService,
    private readonly questions: RouteQuestions,
  ) {
    super();
  }

  run(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const access = accessOf(context.getHandler(), context.getClass());
    const request = context.switchToHttp().getRequest<Request>();
    if (access.kind !== 'scopes' || ONLY_READS.has(request.method)) return next.handle();
    return from(this.inTransaction(access, request, next));
  }

  private inTransaction(access: ScopedAccess, request: Request, next: CallHandler): Promise<unknown> {
    return this.database.transaction(async () => {
      const { principal } = authenticationOf(request);
      if (principal) await this.abilities.require(principal, this.questions.of(access, request), true);
      return lastValueFrom(next.handle(), { defaultValue: undefined });
    });
  }
}
