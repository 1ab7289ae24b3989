import { Injectable } from '@nestjs/common';
import { type ReflectableDecorator, Reflector } from '@nestjs/core';
import type { Request } from 'express';
import type { TenantId } from '../kernel/index.js';
import { AbilityRegistry } from './ability.registry.js';
import type { AbilityCheck } from './subject.js';

/** Metadata of `@RequireScopes`. */
export const RequiredScopes = Reflector.createDecorator<readonly string[]>();

/** Names the path parameter of the entity that the policy judges first. */
export const AbilitySubject = Reflector.createDecorator<string>();

/**
 * Names the path parameter of the tenant. The id of any tenant but the selected one is answered as
 * an unknown id (API-10).
 */
export const TenantParam = Reflector.createDecorator<string>();

/** Parameters of a path below `tenants/:id`: the organization, and others by their names. */
export type TenantPath<Names extends string = never> = { readonly id: TenantId } & {
  readonly [name in Names]: string;
};

const HeldAnywhereMark = Reflector.createDecorator<true>();

/**
 * Opens a list to callers who hold its scopes on single things only. The handler must filter it by
 * `AbilityService.findAccessible`.
 */
export const HeldAnywhere = (): MethodDecorator => HeldAnywhereMark(true);

/** What a route with scopes declares. */
export interface ScopedAccess {
  readonly kind: 'scopes';
  readonly scopes: readonly string[];
  /** Path parameters that name the judged entity and the tenant. */
  readonly subject: string | undefined;
  readonly tenant: string | undefined;
  /** Whether a role on a single thing opens the route. */
  readonly anywhere: boolean;
}

// The target of metadata is any function or class.
// eslint-disable-next-line @typescript-eslint/no-unsafe-function-type
type Target = Function;

const reflector = new Reflector();

/**
 * Reads the declaration of a route: the handler's own first, then its class's.
 * @returns null for a route that requires no scopes
 */
export function findScopedAccess(handler: Target, controller: Target): ScopedAccess | null {
  const findOf = <T>(decorator: ReflectableDecorator<T>): T | undefined =>
    reflector.getAllAndOverride(decorator, [handler, controller]);
  const scopes = findOf(RequiredScopes);
  if (!scopes) return null;
  return {
    kind: 'scopes',
    scopes,
    subject: findOf(AbilitySubject),
    tenant: findOf(TenantParam),
    anywhere: findOf(HeldAnywhereMark) === true,
  };
}

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
