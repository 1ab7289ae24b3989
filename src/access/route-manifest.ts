import { Injectable, RequestMethod, type OnApplicationBootstrap } from '@nestjs/common';
import { HEADERS_METADATA, METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { AbilityRegistry } from '../ability/index.js';
import type { AuthenticationNeed } from '../kernel/index.js';
import {
  type CrossOrigin,
  type DocumentedRoute,
  type FixedHeader,
  ProblemsMark,
  queryNamesOf,
  type RouteCallers,
} from '../platform/api/index.js';
import type { ErrorCode } from '../platform/errors/index.js';
import { type BodyRules, type Found, RouteTree } from '../platform/web/index.js';
import { faultsOf } from './declaration-faults.js';
import { accessOf, callersOf, clientsOf, describeAccess, type RouteAccess } from './route-access.js';
import { readMarks, type RouteMarks, type Target } from './route-marks.js';

/** One route, who may call it, and what else it declares. */
export interface Route extends DocumentedRoute {
  readonly declared: RouteAccess;
  /** Kinds of callers that it takes. */
  readonly callers: RouteCallers;
  /** Names of the query parameters that it takes; null if it takes any. */
  readonly query: readonly string[] | null;
  /** Whether browsers open it, so that its errors are pages. */
  readonly opensInBrowser: boolean;
  /** What its body may be, if that is not just JSON of the usual size. */
  readonly body: BodyRules | null;
}

/**
 * Every route of the application with its declared access; the application refuses to start with
 * one that is not declared right.
 */
@Injectable()
export class RouteManifest implements OnApplicationBootstrap {
  private found: readonly Route[] | undefined;
  private readonly tree = new RouteTree<Route>();
  /** Paths with rules for pages of other origins, which hold for all methods. */
  private readonly crossOrigins = new RouteTree<CrossOrigin>();

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
      this.found = this.discover().toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
      for (const route of this.found) this.tree.add(route.method, route.path, route);
      const marked = this.found.flatMap(({ path, crossOrigin }) =>
        crossOrigin ? [[path, crossOrigin] as const] : [],
      );
      for (const [path, mark] of new Map(marked)) this.crossOrigins.add('ALL', path, mark);
    }
    return this.found;
  }

  /** The methods that a path takes; empty for an unknown path. */
  methodsOf(path: string): readonly string[] {
    return this.tree.methodsOf(path);
  }

  /** The route that answers a request, and the parameters of its path. */
  find(method: string, path: string): Found<Route> | undefined {
    return this.tree.find(method, path);
  }

  /** How pages of other origins may call a path, by any of its methods. */
  crossOriginOf(path: string): CrossOrigin | null {
    return this.crossOrigins.find('ALL', path)?.target ?? null;
  }

  private discover(): Route[] {
    return this.discovery.getControllers().flatMap(({ instance, metatype }) => {
      if (!metatype || typeof instance !== 'object' || instance === null) return [];
      const methods = instance as Record<string, () => unknown>;
      return this.scanner
        .getAllMethodNames(Object.getPrototypeOf(instance) as object)
        .map((name) => methods[name])
        .filter((method) => method && Reflect.getMetadata(PATH_METADATA, method) !== undefined)
        .map((handler) => this.routeOf(handler as Target, metatype));
    });
  }

  private routeOf(handler: Target, controller: Target): Route {
    const read = <T>(key: string, target: Target) => this.reflector.get<T>(key, target);
    const declared = accessOf(handler, controller);
    const marks = readMarks(handler, controller);
    const needs = this.needsOf(declared);
    return {
      method: RequestMethod[read<RequestMethod>(METHOD_METADATA, handler)],
      path: join(read<string>(PATH_METADATA, controller), read<string>(PATH_METADATA, handler)),
      declared,
      access: describeAccess(declared),
      callers: callersOf(declared, this.abilities),
      clients: clientsOf(declared, this.abilities),
      needs,
      strictLimit: marks.strictLimit?.name ?? null,
      countsAsRead: marks.countsAsRead ?? false,
      opensInBrowser: marks.opensInBrowser ?? false,
      body: bodyRulesOf(marks),
      crossOrigin: marks.crossOrigin ?? null,
      creates: marks.createdAt !== undefined,
      versioned: marks.versioned ?? false,
      conditional: marks.conditional ?? false,
      deprecated: marks.deprecated ?? false,
      problems: [
        ...this.reflector.getAllAndMerge(ProblemsMark, [handler, controller]),
        ...this.problemsOf(declared, needs, marks),
      ],
      headers: read<FixedHeader[] | undefined>(HEADERS_METADATA, handler) ?? [],
      tag: marks.tag ?? null,
      query: queryNamesOf(handler, controller),
    };
  }

  /** Returns the errors that follow from the declarations of a route. */
  private problemsOf(
    declared: RouteAccess,
    needs: readonly AuthenticationNeed[],
    { createdAt, conditional }: RouteMarks,
  ): ErrorCode[] {
    const judgesSignIn = needs.length > 0 || this.entersTenant(declared);
    return [
      ...(judgesSignIn ? (['insufficient-user-authentication'] as const) : []),
      ...(createdAt !== undefined ? (['conflict', 'idempotency-key-reused'] as const) : []),
      ...(conditional ? (['precondition-failed'] as const) : []),
    ];
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

function bodyRulesOf({ textBody, maxJsonBytes, rawBody }: RouteMarks): BodyRules | null {
  if (textBody === undefined && maxJsonBytes === undefined && rawBody === undefined) return null;
  return { text: textBody, maxJsonBytes, isUnread: rawBody !== undefined };
}

/** Compared as it is: an order of languages would load their data, 3 MB of Node's program. */
const placeOf = ({ path, method }: Route): string => `${path} ${method}`;

function join(...parts: string[]): string {
  return `/${parts
    .flatMap((part) => part.split('/'))
    .filter((part) => part !== '')
    .join('/')}`;
}
