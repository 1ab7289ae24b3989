import type { CorsOptionsCallback } from '@nestjs/common/interfaces/external/cors-options.interface.js';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { CLIENT_SAMPLES } from './client-samples.js';
import { RequestPipeline, RouteManifest } from './access/index.js';
import { KIND_WORDS, MAX_EVENT_BYTES, ProviderRegistry } from './external-identity/index.js';
import { type Settings, SETTINGS } from './platform/config/index.js';
import { createOpenApiDocument, DocsController, EXPOSED_HEADERS } from './platform/api/index.js';
import {
  ClientIpResolver,
  eventBody,
  formBody,
  inTurn,
  jsonBody,
  ProblemFilter,
  requestIdOf,
  securityHeaders,
  setClientIp,
  settleProtocol,
} from './platform/web/index.js';
import { eventDocuments } from './platform/events/index.js';
import { strictBuckets } from './platform/rate-limit/index.js';
import { Metrics, RequestLog, Tracing } from './platform/observability/index.js';

/**
 * Routes that pages of other origins may call with credentials: the start of an external sign-in,
 * the linking of an identity, and a test of a connection set the cookie that binds the flow to its
 * browser. The portal's cookies are for its own origin only.
 */
const CREDENTIALED_ROUTES =
  /^\/api\/(?:iam\/auth\/external\/[^/]+\/start|v1\/iam\/me\/identities\/[^/]+\/link|v1\/iam\/(?:tenants\/[^/]+\/connections\/[^/]+|setup\/connection)\/tests)$/;

/**
 * Routes of OAuth that single-page apps of any origin call: they take no cookie, and act by what
 * the request itself proves alone.
 */
const OPEN_ROUTES =
  /^\/(?:\.well-known\/(?:openid-configuration|oauth-authorization-server|oauth-protected-resource|jwks\.json)|oauth2\/(?:par|device_authorization|token|revoke|userinfo))$/;

/** Routes to which pages of other sites post the result of an external sign-in, by its kind. */
const CALLBACKS = /^\/api\/iam\/auth\/external\/([^/]+)\/callback(?:\/|$)/;

/** Routes that take forms of OAuth: an assertion or a hint is the largest of their parameters. */
const OAUTH_ROUTES = /^\/oauth2(?:\/|$)/;
const MAX_OAUTH_FORM_BYTES = 16_384;

/** Routes that take a signed request of Facebook. */
const NOTICES = /^\/api\/iam\/auth\/external\/facebook_oauth\/(?:deauthorize|data-deletion)(?:\/|$)/;
const MAX_NOTICE_FORM_BYTES = 16_384;

/**
 * Routes that take a request for a logout by a provider: one name, a signature and a certificate,
 * in base64.
 */
const LOGOUTS = /^\/api\/iam\/auth\/external\/(?:saml\/logout|oidc\/backchannel-logout)(?:\/|$)/;
const MAX_LOGOUT_FORM_BYTES = 65_536;

/** Routes that take security events of providers. */
const SIGNALS = /^\/api\/iam\/auth\/external\/oidc\/signals(?:\/|$)/;

/** Configures the request pipeline, in the order of its steps. */
export function configureApp(app: NestExpressApplication): void {
  const settings = app.get<Settings>(SETTINGS);
  const addresses = new ClientIpResolver(settings.TRUSTED_PROXIES);
  const headers = securityHeaders({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: settings.PUBLIC_URL.startsWith('https:')
      ? { maxAge: 31_536_000, includeSubDomains: true }
      : false,
  });
  const pipeline = app.get(RequestPipeline);
  const providers = app.get(ProviderRegistry);
  const problems = app.get(ProblemFilter);

  settleProtocol(app.getHttpServer());
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  const traced = app.get(Tracing).middleware((request) => addresses.isPassedOn(request));
  const prepareResponse = (request: Request, response: Response, next: NextFunction): void => {
    response.setHeader('X-Request-Id', requestIdOf(request));
    if (!response.hasHeader('Vary')) response.setHeader('Vary', 'Origin'); // also without an Origin header: shared caches serve the response to other origins
    for (const [name, value] of headers) response.setHeader(name, value);
    response.setHeader('Cache-Control', 'no-store'); // overridden by routes without personal data
    setClientIp(request, addresses.resolve(request));
    next();
  };
  const cors = {
    origin: [...settings.ALLOWED_ORIGINS],
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: 600,
    preflightContinue: true,
  };
  const withCookie = { ...cors, credentials: true };
  const open = { ...cors, origin: '*' };
  app.enableCors((request: Request, answer: CorsOptionsCallback) => {
    if (request.headers.origin === undefined) return answer(null, { origin: false });
    if (OPEN_ROUTES.test(request.path)) return answer(null, open);
    answer(null, CREDENTIALED_ROUTES.test(request.path) ? withCookie : cors);
  });
  app.use(
    ...inTurn(
      ...(traced ? [traced] : []),
      app.get(Metrics).observe,
      app.get(RequestLog).observe,
      prepareResponse,
      (request, response, next) => {
        pipeline.handle(request, response, next).catch(next);
      },
      formBody(CALLBACKS, ({ path }) => providers.maxFormBytesOf(CALLBACKS.exec(path)?.[1] ?? '')),
      formBody(LOGOUTS, () => MAX_LOGOUT_FORM_BYTES),
      formBody(NOTICES, () => MAX_NOTICE_FORM_BYTES),
      formBody(OAUTH_ROUTES, () => MAX_OAUTH_FORM_BYTES),
      eventBody(SIGNALS, MAX_EVENT_BYTES),
      jsonBody(),
    ),
  );
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) =>
    problems.answer(error, request, response),
  );
  const { routes } = app.get(RouteManifest);
  const words = { [KIND_WORDS]: providers.kinds };
  const document = {
    words,
    credentialed: CREDENTIALED_ROUTES,
    buckets: strictBuckets(),
    clientSamples: CLIENT_SAMPLES,
    events: eventDocuments(),
  };
  app
    .get(DocsController)
    .publish(
      () => createOpenApiDocument(app, settings.PUBLIC_URL, routes, document),
      settings.PORTAL === 'on' ? '/' : null,
    );
}
