import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Observable } from 'rxjs';

/** Runs a command that needs scopes. Implemented by the module that enforces access. */
export abstract class CommandRunner {
  abstract run(context: ExecutionContext, next: CallHandler): Observable<unknown>;
}

/**
 * Runs the handlers of routes that need scopes by the {@link CommandRunner}. Bound to these routes
 * only, so that other requests do not pay for an interceptor.
 */
@Injectable()
export class CommandInterceptor implements NestInterceptor {
  private runner: CommandRunner | undefined;

  constructor(private readonly modules: ModuleRef) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    this.runner ??= this.modules.get<CommandRunner, CommandRunner>(CommandRunner, { strict: false });
    return this.runner.run(context, next);
  }
}
