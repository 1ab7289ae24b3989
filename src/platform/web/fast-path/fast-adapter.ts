import { IncomingMessage, ServerResponse } from 'node:http';
import { StreamableFile } from '@nestjs/common';
import type { Express, NextFunction, Request, RequestHandler, Response } from 'express';
import { type Found, RouteTree } from '../route-tree.js';
import { ServiceAdapter } from '../service-adapter.js';
import { etagOfJson, isVersioned } from '../versioned-body.js';
import { usesFastPath } from './switch.js';

/** Statuses without content (RFC 9110 sections 15.3.5, 15.3.6 and 15.4.5). */
const EMPTY = new Set([204, 205, 304]);

interface Route {
  readonly path: string;
  readonly handler: RequestHandler;
}

/**
 * The service's adapter with a faster dispatch and a faster JSON response. Express matches a
 * request against the pattern of each route in order; here a {@link RouteTree} finds the route. For
 * a JSON object, Express reads six settings and parses the type that it has just set; here the
 * response is written directly. Middleware and other responses are left to Express.
 */
export class FastAdapter extends ServiceAdapter {
  private routes: RouteTree<Route> | undefined;

  /**
   * Returns classes that inherit from Express's prototypes. Express otherwise changes the prototype
   * of every request and response, which discards the optimizations of the JavaScript engine for
   * these objects.
   */
  protected override serverClasses(app: Express): object {
    class ExpressRequest extends IncomingMessage {}
    class ExpressResponse extends ServerResponse {}
    app.request = inheritFrom(app.request, ExpressRequest.prototype);
    app.response = inheritFrom(app.response, ExpressResponse.prototype);
    return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
  }

  // Overrides of overloaded methods: `never` is the only type that is compatible with all
  // overloads.
  override get(...route: never[]): never {
    return this.addRoute('GET', route);
  }

  override post(...route: never[]): never {
    return this.addRoute('POST', route);
  }

  override put(...route: never[]): never {
    return this.addRoute('PUT', route);
  }

  override patch(...route: never[]): never {
    return this.addRoute('PATCH', route);
  }

  override delete(...route: never[]): never {
    return this.addRoute('DELETE', route);
  }

  override all(...route: never[]): never {
    return this.addRoute('ALL', route);
  }

  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    const status = statusCode ?? response.statusCode;
    const isHead = response.req.method === 'HEAD'; // Node would omit Content-Length
    if (isHead || !isData(body) || EMPTY.has(status) || response.hasHeader('Content-Type'))
      return super.reply(response, body, statusCode);
    response.statusCode = status;
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    const json = JSON.stringify(body);
    if (isVersioned(body)) response.setHeader('ETag', etagOfJson(json));
    return response.end(json);
  }

  /**
   * Adds a route. All routes are dispatched after the middleware registered before the first route.
   */
  private addRoute(method: string, route: readonly unknown[]): never {
    const [path, handler] = route as readonly [string, RequestHandler];
    if (route.length !== 2 || typeof handler !== 'function')
      throw new Error(`A route must have a path and one handler: ${method} ${path}`);
    if (!this.routes) {
      this.routes = new RouteTree();
      this.use((request: Request, response: Response, next: NextFunction) =>
        this.dispatch(request, response, next),
      );
    }
    this.routes.add(method, path, { path, handler });
    return this.instance as never;
  }

  /** Returns the handler's promise, so that a rejection fails the request and not the process. */
  private dispatch(request: Request, response: Response, next: NextFunction): unknown {
    const found = this.routes?.find(request.method, request.path);
    if (!found) return next();
    request.params = decoded(found);
    request.route = found.target;
    return found.target.handler(request, response, next);
  }
}

/**
 * Percent-decodes the parameters in place.
 * @throws {URIError} if a parameter is malformed; the response is 400
 */
function decoded({ parameters }: Found<Route>): Record<string, string> {
  for (const name in parameters) parameters[name] = decodeURIComponent(parameters[name] ?? '');
  return parameters;
}

/** Makes a prototype inherit from Express's. */
function inheritFrom<T extends object>(express: T, prototype: object): T {
  return Object.setPrototypeOf(prototype, express) as T;
}

function isData(body: unknown): body is object {
  return typeof body === 'object' && body !== null && !(body instanceof StreamableFile);
}

/** Creates the adapter of an application. */
export function newAdapter(): ServiceAdapter {
  return usesFastPath() ? new FastAdapter() : new ServiceAdapter();
}
