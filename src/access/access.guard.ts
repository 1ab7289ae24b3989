import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { AppError } from '../platform/errors/index.js';
import { authenticationOf, BEARER, PUBLIC } from '../platform/http/index.js';

/** Default deny: a route lets in whom it declares, and an undeclared route nobody. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const targets = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<string | undefined>(PUBLIC, targets) !== undefined) return true;
    const authentication = authenticationOf(context.switchToHttp().getRequest<Request>());
    if (authentication.principal === null) throw authentication.refusal;
    if (this.reflector.getAllAndOverride<boolean | undefined>(BEARER, targets) === true) return true;
    throw new AppError('forbidden');
  }
}
