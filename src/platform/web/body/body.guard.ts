import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { bodyRefusalOf } from './body-parser.js';

/**
 * Refuses a request whose body could not be read. Runs after authentication and rate limits, so
 * that such a request counts as any other.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const refusal = bodyRefusalOf(context.switchToHttp().getRequest<Request>());
    if (refusal) throw refusal;
    return true;
  }
}
