import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { bodyRefusalOf } from './body-parser.js';

/** Refuses a body that could not be read, after the guards that ask who calls and how often: such a request counts as any other. */
@Injectable()
export class BodyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const refusal = bodyRefusalOf(context.switchToHttp().getRequest<Request>());
    if (refusal) throw refusal;
    return true;
  }
}
