import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { StreamableFile, type NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, NextFunction, Request, RequestHandler, Response } from 'express';
import { type Found, RouteTree } from './route-tree.js';

/** RFC 9110: these answers have no content. */
const EMPTY = new Set([204, 205, 304]);

interface Route {
  readonly path: string;
  readonly handler: RequestHandler;
}

/**
 * Nest's adapter for Express with a short way in and out. Express compares a request with the pattern of one route after the other; here a tree
 * finds it. And for what nearly every answer is, an object in JSON, Express asks six settings and parses the type that it has just written; here it is
 * written. Whatever else there is, middleware and other answers, goes its usual way.
 */
export class ServiceAdapter extends ExpressAdapter {
  private routes: RouteTree<Route> | undefined;

  /**
   * Express gives every request and answer a prototype of its own, and what the engine has learnt about such objects is lost when their prototype
   * changes. Here they are born with it, and Express finds nothing to change.
   * @throws for options of the server: TLS is the proxy's, and the end of the service its own (`platform/health`)
   */
  override initHttpServer(options: NestApplicationOptions): void {
    if (options.httpsOptions || options.forceCloseConnections || options.return503OnClosing)
      throw new Error('The server of this adapter knows no TLS and no closing of its own.');
    const app = this.getInstance<Express>();
    class BornRequest extends IncomingMessage {}
    class BornResponse extends ServerResponse {}
    app.request = bornAs(BornRequest.prototype, app.request);
    app.response = bornAs(BornResponse.prototype, app.response);
    // Who names no host is refused like everybody else (`access/front-door.ts`): the library's answer says nothing.
    const born = { IncomingMessage: BornRequest, ServerResponse: BornResponse, requireHostHeader: false };
    this.httpServer = createServer(born, app);
  }

  // Overloads of the framework, one of which Nest calls: no type but never fits in the place of all of them.
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

  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    const status = statusCode ?? response.statusCode;
    if (!isData(body) || EMPTY.has(status) || response.hasHeader('Content-Type'))
      return super.reply(response, body, statusCode);
    response.statusCode = status;
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    return response.end(JSON.stringify(body));
  }

  /** Routes come after the middleware that was there before the first of them. */
  private addRoute(method: string, route: readonly unknown[]): never {
    const [path, handler] = route as readonly [string, RequestHandler];
    if (route.length !== 2 || typeof handler !== 'function')
      throw new Error(`A route has a path and one handler: ${method} ${path}`);
    if (!this.routes) {
      this.routes = new RouteTree();
      this.use((request: Request, response: Response, next: NextFunction) =>
        this.dispatch(request, response, next),
      );
    }
    this.routes.add(method, path, { path, handler });
    return this.instance as never;
  }

  /** Whoever calls awaits the answer: a handler that fails is a request that fails, and not the end of the process. */
  private dispatch(request: Request, response: Response, next: NextFunction): unknown {
    const found = this.routes?.find(request.method, request.path);
    if (!found) return next();
    request.params = decoded(found);
    request.route = found.target;
    return found.target.handler(request, response, next);
  }
}

/** @throws {URIError} where a parameter is not percent-encoded as it should be: 400 */
function decoded({ parameters }: Found<Route>): Record<string, string> {
  for (const name in parameters) parameters[name] = decodeURIComponent(parameters[name] ?? '');
  return parameters;
}

/** The prototype of a class, which inherits from Express's from now on. */
function bornAs<T extends object>(prototype: object, express: T): T {
  return Object.setPrototypeOf(prototype, express) as T;
}

function isData(body: unknown): body is object {
  return typeof body === 'object' && body !== null && !(body instanceof StreamableFile);
}
