import { Inject, Injectable, Optional } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { AppError, toAppError } from '../platform/errors/index.js';
import {
  authenticationOf,
  headerValuesOf,
  type Pages,
  PAGES,
  setAuthentication,
} from '../platform/web/index.js';
import { GeneralLimit } from '../platform/rate-limit/index.js';
import { Authenticator } from '../session/index.js';
import { RouteManifest } from './route-manifest.js';

/** Outside the rate limits: asked by machines of the operator's own, or leading nowhere. */
const UNLIMITED = /^\/(?:healthz|readyz|metrics|errors\/[a-z-]+|\.well-known\/jwks\.json)$/;
const READS = new Set(['GET', 'HEAD', 'OPTIONS']);
const PUBLIC_GROUP = /^\/api\/(?:v1\/iam\/auth|iam\/auth\/external|docs)(?:\/|$)/;

/**
 * Whoever comes without a token wants, as a rule, a route that needs none: an error made for each
 * would note where, and nobody would read it.
 */
const NOBODY = { principal: null, refusal: new AppError('unauthenticated') };

/**
 * What every request passes before its body is read: who is it, is it too often, is there such a
 * route.
 */
@Injectable()
export class RequestPipeline {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly limit: GeneralLimit,
    private readonly routes: RouteManifest,
    @Optional() @Inject(PAGES) private readonly pages?: Pages,
  ) {}

  async handle(request: Request, response: Response, next: NextFunction): Promise<void> {
    try {
      if (!isSpoken(request)) return await this.refuseVersion(request, response);
      if (UNLIMITED.test(request.path)) return next();
      if (this.showPage(request, response)) return;
      const route = this.routes.find(request.method, request.path);
      await this.authenticate(request);
      await this.limit.take(request, response, READS.has(request.method) || route?.countsAsRead === true);
      requireHost(request);
      if (route) return next();
      this.answerWithoutRoute(request, response);
    } catch (error) {
      next(error);
    }
  }

  /**
   * Counted as any other request. The connection ends, as what else comes on it may be read in two
   * ways (RFC 9112 section 11.2).
   */
  private async refuseVersion(request: Request, response: Response): Promise<void> {
    response.shouldKeepAlive = false;
    setAuthentication(request, NOBODY);
    await this.limit.take(request, response, READS.has(request.method));
    throw toAppError({ status: 400 });
  }

  /**
   * Only where there is no route: a page never stands before one, and a request to the API does not
   * ask for pages.
   */
  private showPage(request: Request, response: Response): boolean {
    if (!this.pages || request.path.startsWith('/api/')) return false;
    return this.routes.methodsOf(request.path).length === 0 && this.pages.answer(request, response);
  }

  /**
   * Notes who is calling. Whether that suffices is the route's question; a database out of reach
   * stays a 503 for routes that ask.
   */
  private async authenticate(request: Request): Promise<void> {
    const headers = headerValuesOf(request, 'authorization');
    if (headers.length === 0) return setAuthentication(request, NOBODY);
    try {
      setAuthentication(request, { principal: await this.authenticator.authenticate(headers) });
    } catch (error) {
      setAuthentication(request, { principal: null, refusal: toAppError(error) });
    }
  }

  /** 404, 401 and 405 by contract section 1; what may be asked of the path, to OPTIONS. */
  private answerWithoutRoute(request: Request, response: Response): void {
    const methods = this.routes.methodsOf(request.path);
    if (methods.length === 0) {
      const authentication = authenticationOf(request);
      const closed = request.path.startsWith('/api/') && !PUBLIC_GROUP.test(request.path);
      throw closed && authentication.principal === null ? authentication.refusal : new AppError('not-found');
    }
    const allow = [...new Set([...methods, 'OPTIONS'])].join(', ');
    if (request.method !== 'OPTIONS') throw new AppError('method-not-allowed', { headers: { Allow: allow } });
    response.setHeader('Allow', allow);
    response.status(204).end();
  }
}

/**
 * Whether the request is of HTTP/1.0 or 1.1. Node's parser also takes HTTP/0.9 and HTTP/2.0 and
 * reads them as if they were 1.1.
 */
function isSpoken({ httpVersion }: Request): boolean {
  return httpVersion === '1.1' || httpVersion === '1.0';
}

/** RFC 9112 section 3.2: a server must refuse a request of HTTP/1.1 that names no host. */
function requireHost({ httpVersion, headers }: Request): void {
  if (httpVersion === '1.1' && headers.host === undefined) throw toAppError({ status: 400 });
}
