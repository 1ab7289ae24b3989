import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { AbilityRegistry } from './ability.registry.js';
import type { AbilityCheck } from './ability.service.js';
import type { ScopedAccess } from './scoped-access.js';

/** From a route's declaration and a request to the questions that the abilities are asked. */
@Injectable()
export class RouteQuestions {
  constructor(private readonly registry: AbilityRegistry) {}

  of({ scopes, subject, tenant, anywhere }: ScopedAccess, request: Request): AbilityCheck[] {
    const parameter = (name: string) => String(request.params[name]);
    return scopes.map((scope) => {
      const judged = this.registry.find(scope)?.judged;
      return {
        scope,
        ...(subject !== undefined &&
          judged && {
            subject: { module: judged.module, collection: judged.name, id: parameter(subject) },
          }),
        ...(tenant !== undefined && { tenantId: parameter(tenant) }),
        ...(anywhere && { anywhere }),
      };
    });
  }
}
