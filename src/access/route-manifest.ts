import { Injectable, RequestMethod, type OnApplicationBootstrap } from '@nestjs/common';
import { HEADERS_METADATA, METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, type ReflectableDecorator, Reflector } from '@nestjs/core';
import { AbilityRegistry } from '../ability/index.js';
import type { AuthenticationNeed } from '../kernel/index.js';
import {
  BrowserRouteMark,
  CountsAsReadMark,
  DeprecatedMark,
  type DocumentedRoute,
  type FixedHeader,
  IfMatchMark,
  LargeBodyMark,
  ProblemsMark,
  RawBodyMark,
  type RawBodyRules,
  queryNamesOf,
  type RouteCallers,
  TagMark,
  VersionedMark,
} from '../platform/api/index.js';
import type { ErrorCode } from '../platform/errors/index.js';
import { CreatedAt } from '../iam/index.js';
import { RouteTree } from '../platform/web/index.js';
import { StrictLimit } from '../platform/rate-limit/index.js';
import { faultsOf } from './declaration-faults.js';
import { accessOf, callersOf, clientsOf, describeAccess, type RouteAccess } from './route-access.js';

// The target of metadata is any function or class.
// eslint-disable-next-line @typescript-eslint/no-unsafe-function-type
type Target = Function;

/** One route, who may call it, and what else it declares. */
export interface Route extends DocumentedRoute {
  readonly declared: RouteAccess;
  /** Kinds of callers that it takes. */
  readonly callers: RouteCallers;
  /** Names of the query parameters that it takes; null if it takes any. */
  readonly query: readonly string[] | null;
  /** Whether browsers open it, so that its errors are pages. */
  readonly opensInBrowser: boolean;
  /** Maximum bytes of a JSON body; null for that of other routes. */
  readonly maxBodyBytes: number | null;
  /** What its body is, if that is not JSON. */
  readonly rawBody: RawBodyRules | null;
}

/**
 * Every route of the application with its declared access; the application refuses to start with
 * one that is not declared right.
 */
@Injectable()
export class RouteManifest implements OnApplicationBootstrap {
  private found: readonly Route[] | undefined;
  private readonly tree = new RouteTree<Route>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
    private readonly abilities: AbilityRegistry,
  ) {}

  /** @throws with everything that is wrong with the declarations */
  onApplicationBootstrap(): void {
    const faults = this.routes.flatMap((route) => faultsOf(route, this.abilities));
    if (faults.length > 0) throw new Error(`Routes that cannot be served:\n  ${faults.join('\n  ')}`);
  }

  /** Sorted by path, then method. */
  get routes(): readonly Route[] {
    if (!this.found) {
      this.found = this.discover().toSorted((a, b) =>
        `${a.path} ${a.method}`.localeCompare(`${b.path} ${b.method}`),
      );
      for (const route of this.found) this.tree.add(route.method, route.path, route);
    }
    return this.found;
  }

  /** The methods that a path takes; empty for an unknown path. */
  methodsOf(path: string): readonly string[] {
    return this.tree.methodsOf(path);
  }

  /** The route that answers a request. */
  find(method: string, path: string): Route | undefined {
    return this.tree.find(method, path)?.target;
  }

  private discover(): Route[] {
    return this.discovery.getControllers().flatMap(({ instance, metatype }) => {
      if (!metatype || typeof instance !== 'object' || instance === null) return [];
      const base = this.reflector.get<string>(PATH_METADATA, metatype);
      const methods = instance as Record<string, () => unknown>;
      return this.scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object).flatMap((name) => {
        const handler = methods[name];
        const path = handler && (Reflect.getMetadata(PATH_METADATA, handler) as string | undefined);
        if (!handler || path === undefined) return [];
        const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod];
        const strictLimit = this.get(StrictLimit, handler)?.name ?? null;
        const countsAsRead = this.get(CountsAsReadMark, handler) ?? false;
        const opensInBrowser = this.get(BrowserRouteMark, handler) ?? false;
        const maxBodyBytes = this.get(LargeBodyMark, handler) ?? null;
        const rawBody = this.get(RawBodyMark, handler) ?? null;
        const declared = accessOf(handler, metatype);
        const access = describeAccess(declared);
        const callers = callersOf(declared, this.abilities);
        const clients = clientsOf(declared, this.abilities);
        const own = this.reflector.getAllAndMerge(ProblemsMark, [handler, metatype]);
        const headers = this.reflector.get<FixedHeader[] | undefined>(HEADERS_METADATA, handler) ?? [];
        const query = queryNamesOf(handler, metatype);
        const tag = this.get(TagMark, metatype) ?? null;
        const needs = this.needsOf(declared);
        const creates = this.get(CreatedAt, handler) !== undefined;
        const versioned = this.get(VersionedMark, handler) ?? false;
        const conditional = this.get(IfMatchMark, handler) ?? false;
        const deprecated = this.get(DeprecatedMark, handler) ?? false;
        const problems: ErrorCode[] = [
          ...own,
          ...(needs.length > 0 || this.entersTenant(declared)
            ? (['insufficient-user-authentication'] as const)
            : []),
          ...(creates ? (['conflict', 'idempotency-key-reused'] as const) : []),
          ...(conditional ? (['precondition-failed'] as const) : []),
        ];
        const route = {
          method,
          path: join(base, path),
          declared,
          access,
          callers,
          clients,
          needs,
          strictLimit,
        };
        const marks = { creates, versioned, conditional, deprecated };
        return [
          {
            ...route,
            countsAsRead,
            opensInBrowser,
            maxBodyBytes,
            rawBody,
            ...marks,
            problems,
            headers,
            tag,
            query,
          },
        ];
      });
    });
  }

  private get<T>(decorator: ReflectableDecorator<T>, target: Target): T | undefined {
    return this.reflector.get(decorator, target) as T | undefined;
  }

  /** Whether the policy of the selected tenant judges the caller's sign-in. */
  private entersTenant(declared: RouteAccess): boolean {
    if (declared.kind === 'bearer') return declared.usesTenant;
    return (
      declared.kind === 'scopes' &&
      declared.scopes.some((scope) => this.abilities.find(scope)?.anySignIn === false)
    );
  }

  /** What the route or its scopes need of the caller's sign-in. */
  private needsOf(declared: RouteAccess): AuthenticationNeed[] {
    if (declared.kind === 'scopes')
      return declared.scopes.flatMap((scope) => this.abilities.find(scope)?.need ?? []);
    if (declared.kind !== 'bearer') return [];
    const { maxAge, acr } = declared;
    if (maxAge === undefined && acr === undefined) return [];
    return [{ ...(maxAge !== undefined && { maxAge }), ...(acr !== undefined && { acr }) }];
  }
}

function join(...parts: string[]): string {
  return `/${parts
    .flatMap((part) => part.split('/'))
    .filter((part) => part !== '')
    .join('/')}`;
}
