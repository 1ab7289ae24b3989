import { Injectable, RequestMethod, type OnApplicationBootstrap } from '@nestjs/common';
import { HEADERS_METADATA, METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import type { DocumentedRoute, FixedHeader } from '../platform/docs/index.js';
import type { ErrorCode } from '../platform/errors/index.js';
import { BEARER, PROBLEMS, PUBLIC, TAG, type TagInfo } from '../platform/http/index.js';
import { STRICT_LIMIT } from '../platform/rate-limit/index.js';
import { RouteTree } from './route-tree.js';

/** One route, who may call it, and what else it declares. */
export type Route = DocumentedRoute;

/** Every route of the application with its declared access; the application refuses to start with an undeclared one. */
@Injectable()
export class RouteManifest implements OnApplicationBootstrap {
  private found: readonly Route[] | undefined;
  private readonly tree = new RouteTree();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  onApplicationBootstrap(): void {
    const undeclared = this.routes.filter(({ access }) => access === null);
    if (undeclared.length > 0) {
      const list = undeclared.map(({ method, path }) => `${method} ${path}`).join(', ');
      throw new Error(`These routes declare no access; add @Public('why') or @Bearer(): ${list}`);
    }
  }

  /** Sorted by path, then method. */
  get routes(): readonly Route[] {
    if (!this.found) {
      this.found = this.discover().toSorted((a, b) =>
        `${a.path} ${a.method}`.localeCompare(`${b.path} ${b.method}`),
      );
      for (const { method, path } of this.found) this.tree.add(method, path);
    }
    return this.found;
  }

  /** The methods that a path takes; empty for an unknown path. */
  methodsOf(path: string): readonly string[] {
    return this.tree.methodsOf(path);
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
        const why = this.reflector.getAllAndOverride<string | undefined>(PUBLIC, [handler, metatype]);
        const bearer = this.reflector.getAllAndOverride<boolean | undefined>(BEARER, [handler, metatype]);
        const strictLimit = this.reflector.get<string | undefined>(STRICT_LIMIT, handler) ?? null;
        const access = why === undefined ? (bearer === true ? 'bearer' : null) : `public: ${why}`;
        const problems = this.reflector.getAllAndMerge<ErrorCode[]>(PROBLEMS, [handler, metatype]);
        const headers = this.reflector.get<FixedHeader[] | undefined>(HEADERS_METADATA, handler) ?? [];
        const tag = this.reflector.get<TagInfo | undefined>(TAG, metatype) ?? null;
        return [{ method, path: join(base, path), access, strictLimit, problems, headers, tag }];
      });
    });
  }
}

function join(...parts: string[]): string {
  return `/${parts
    .flatMap((part) => part.split('/'))
    .filter((part) => part !== '')
    .join('/')}`;
}
