import { Injectable, type ExecutionContext } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { clientOf, parametersOf } from '../platform/web/index.js';
import { BrowserCookie } from './browser-cookie.js';
import { CallbackService } from './flow/callback.service.js';
import type { Verdict } from './flow/callback-verification.js';
import { FlowMetrics } from './flow/flow-metrics.js';
import { refuseHead } from './providers/delivery.js';

const VERDICT = Symbol('externalSignIn');
type CheckedRequest = Request & { [VERDICT]?: Verdict };

/**
 * Checks a callback of an external sign-in and runs the strategy of its kind. Runs after the global
 * guards: bearer and rate limits come before the body, and the body before this guard.
 *
 * `canActivate` of @nestjs/passport is replaced: it finds the strategy in passport's process-wide
 * registry, responds to the browser itself, and cannot return to a page with an error. Here an
 * error is a verdict too, with which the route redirects.
 */
@Injectable()
export class ExternalAuthGuard extends AuthGuard('external') {
  constructor(
    private readonly callbacks: CallbackService,
    private readonly browsers: BrowserCookie,
    private readonly metrics: FlowMetrics,
  ) {
    super();
  }

  /** @throws {UnusableState} if there is no trusted page to return to */
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<CheckedRequest>();
    refuseHead(request);
    const kind = String(request.params['kind']);
    const connectionId = request.params['connection'];
    const arrival = {
      connectionId: connectionId === undefined ? undefined : String(connectionId),
      parameters: parametersOf(request),
      browser: this.browsers.read(request),
      client: clientOf(request),
    };
    const check = request.method === 'POST' ? 'post' : 'open';
    request[VERDICT] = await this.metrics.counted(kind, () => this.callbacks[check](kind, arrival));
    return true;
  }
}

/** Returns the verdict of {@link ExternalAuthGuard} on a callback. */
export function verdictOf(request: Request): Verdict {
  const { [VERDICT]: verdict } = request as CheckedRequest;
  if (!verdict) throw new Error('The route has no ExternalAuthGuard.');
  return verdict;
}
