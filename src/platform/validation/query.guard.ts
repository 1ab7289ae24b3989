import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { queryNamesOf } from '../api/index.js';
import { AppError, type Violation } from '../errors/index.js';

type Handler = ReturnType<ExecutionContext['getHandler']>;

/**
 * Refuses unknown and repeated query parameters of the API (API-18): a misspelled filter would
 * otherwise return everything. Runs after authentication and rate limits, as {@link BodyGuard}
 * does.
 */
@Injectable()
export class QueryGuard implements CanActivate {
  /** Accepted names by handler; null for any. */
  private readonly accepted = new WeakMap<Handler, ReadonlySet<string> | null>();

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (!request.url.includes('?') || !request.url.startsWith('/api/')) return true;
    const accepted = this.acceptedOf(context);
    if (!accepted) return true;
    const violations: Violation[] = [];
    for (const [name, value] of Object.entries(request.query)) {
      if (!accepted.has(name)) violations.push(violationOf(name, 'is not a query parameter of this path'));
      else if (Array.isArray(value)) violations.push(violationOf(name, 'must not be repeated'));
    }
    if (violations.length > 0) throw new AppError('validation-error', { violations });
    return true;
  }

  private acceptedOf(context: ExecutionContext): ReadonlySet<string> | null {
    const handler = context.getHandler();
    const known = this.accepted.get(handler);
    if (known !== undefined) return known;
    const names = queryNamesOf(handler, context.getClass());
    const accepted = names && new Set(names);
    this.accepted.set(handler, accepted);
    return accepted;
  }
}

/** A path of a violation has no spaces; a name can have some, percent-encoded. */
function violationOf(name: string, message: string): Violation {
  return { propertyPath: name.replace(/\s/g, encodeURIComponent), message };
}
