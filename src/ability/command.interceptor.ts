import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Observable } from 'rxjs';

/** How a command that needs scopes is run. Implemented by whoever enforces. */
export abstract class CommandRunner {
  abstract run(context: ExecutionContext, next: CallHandler): Observable<unknown>;
}

/** Stands before the routes that need scopes, and before no others: what an interceptor costs, every request that passes one pays. */
@Injectable()
export class CommandInterceptor implements NestInterceptor {
  private runner: CommandRunner | undefined;

  constructor(private readonly modules: ModuleRef) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    this.runner ??= this.modules.get<CommandRunner, CommandRunner>(CommandRunner, { strict: false });
    return this.runner.run(context, next);
  }
}
