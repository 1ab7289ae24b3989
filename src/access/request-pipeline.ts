import { Inject, Injectable, Optional } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { READS } from '../kernel/index.js';
import { type Settings, SETTINGS } from '../platform/config/index.js';
import { AppError, toAppError } from '../platform/errors/index.js';
import {
  arrivalsOfTurn,
  authenticationOf,
  bearerOf,
  clientIpOf,
  type Found,
  headerValuesOf,
  markAsBrowserRoute,
  type Pages,
  PAGES,
  setAuthentication,
  setBodyRules,
} from '../platform/web/index.js';
import { mendScimPath } from '../directory/index.js';
import { RateLimits } from '../platform/rate-limit/index.js';
import { ProfileDirectory, runAsImpersonator } from '../iam/index.js';
import { Authenticator } from '../session/index.js';
import { type Route, RouteManifest } from './route-manifest.js';

/** Exempt from rate limits: called by the operator's monitoring and gateways, or static pages. */
const UNLIMITED =
  /^\/(?:healthz|readyz|metrics|errors\/[a-z-]+|\.well-known\/(?:jwks\.json|openid-configuration|oauth-authorization-server|oauth-protected-resource|ssf-configuration|authzen-configuration|webauthn|passkey-endpoints))$/;
const PUBLIC_GROUP = /^\/api\/(?:v1\/iam\/auth|iam\/auth\/external|docs)(?:\/|$)/;

/** Shared by all anonymous requests, to avoid capturing a stack trace for each. */
const ANONYMOUS = { principal: null, refusal: new AppError('unauthenticated') };
/** The same for requests with other credentials, such as a client's at the token endpoint. */
const WITHOUT_TOKEN = {
  principal: null,
  refusal: new AppError('unauthenticated', { cause: 'not a bearer token' }),
};

/**
 * Handles every request before its body is read: authentication, rate limit, and 404 or 405 if no
 * route matches. The guard authenticates directories (SCIM), which have their own rate limit.
 */
@Injectable()
export class RequestPipeline {
  private readonly arrivals = arrivalsOfTurn();

  constructor(
    private readonly authenticator: Authenticator,
    private readonly profiles: ProfileDirectory,
    private readonly limits: RateLimits,
    private readonly routes: RouteManifest,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Optional() @Inject(PAGES) private readonly pages?: Pages,
  ) {}

  async handle(request: Request, response: Response, next: NextFunction): Promise<void> {
    try {
      await this.arrivals();
      if (!isSpoken(request)) return await this.refuseVersion(request, response);
      mendScimPath(request);
      const { method, path } = request;
      if (UNLIMITED.test(path)) return this.continueUnlimited(request, response, next);
      const found = this.routes.find(method, path);
      const route = found?.target;
      if (!route && this.showPage(request, response)) return;
      if (found?.target.declared.kind === 'directory') {
        setAuthentication(request, ANONYMOUS);
        return this.continueWith(found, request, next);
      }
      if (route?.opensInBrowser) markAsBrowserRoute(request);
      await this.authenticate(request);
      await this.limits.requireGeneral(request, response, READS.has(method) || route?.countsAsRead === true);
      requireHost(request);
      if (found) return this.continueWith(found, request, next);
      this.answerWithoutRoute(request, response);
    } catch (error) {
      next(error);
    }
  }

  /** Continues with a public document, or answers the preflight of a browser (Fetch). */
  private continueUnlimited(request: Request, response: Response, next: NextFunction): void {
    const isPreflight = request.method === 'OPTIONS' && this.routes.methodsOf(request.path).length > 0;
    if (isPreflight) this.answerWithoutRoute(request, response);
    else next();
  }

  /** Continues with the route. The audit trail names an operator who acts as the caller. */
  private continueWith(
    { target: { body }, parameters }: Found<Route>,
    request: Request,
    next: NextFunction,
  ): void {
    const { principal } = authenticationOf(request);
    if (body !== null) {
      request.params = parameters;
      setBodyRules(request, body);
    }
    if (principal?.kind !== 'person' || principal.actorId === undefined) return next();
    runAsImpersonator(principal.actorId, next);
  }

  /**
   * Refuses other versions of HTTP. Counts the request, and closes the connection, because further
   * bytes on it are ambiguous (RFC 9112 section 11.2).
   */
  private async refuseVersion(request: Request, response: Response): Promise<void> {
    response.shouldKeepAlive = false;
    setAuthentication(request, ANONYMOUS);
    await this.limits.requireGeneral(request, response, READS.has(request.method));
    throw toAppError({ status: 400 });
  }

  /** Responds with a page of the portal, if any. Never for paths of routes. */
  private showPage(request: Request, response: Response): boolean {
    if (!this.pages) return false;
    return this.routes.methodsOf(request.path).length === 0 && this.pages.answer(request, response);
  }

  /**
   * Authenticates the caller. The guard of the route decides whether the result suffices; an
   * unavailable database is a 503 only for routes that need a caller.
   */
  private async authenticate(request: Request): Promise<void> {
    if (request.headers.authorization === undefined) return setAuthentication(request, ANONYMOUS);
    const bearer = bearerOf(request);
    if (bearer === null) return setAuthentication(request, WITHOUT_TOKEN);
    try {
      const principal = await this.authenticator.authenticate(bearer, clientIpOf(request), () => ({
        method: request.method,
        url: this.settings.PUBLIC_URL + request.path,
        proofs: headerValuesOf(request, 'dpop'),
      }));
      const findChosenLocale = () => this.profiles.findLocale(principal.userId);
      setAuthentication(request, { principal, findChosenLocale });
    } catch (error) {
      setAuthentication(request, { principal: null, refusal: toAppError(error) });
    }
  }

  /** Responds with 404, 401 or 405 (API-1), or to OPTIONS with the allowed methods. */
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
 * Tells whether the request is HTTP/1.0 or 1.1. Node.js also accepts the versions 0.9 and 2.0 and
 * parses them as 1.1.
 */
function isSpoken({ httpVersion }: Request): boolean {
  return httpVersion === '1.1' || httpVersion === '1.0';
}

/** Refuses HTTP/1.1 requests without a Host header (RFC 9112 section 3.2). */
function requireHost({ httpVersion, headers }: Request): void {
  if (httpVersion === '1.1' && headers.host === undefined) throw toAppError({ status: 400 });
}
