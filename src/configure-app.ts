import type { CorsOptionsCallback } from '@nestjs/common/interfaces/external/cors-options.interface.js';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { CLIENT_SAMPLES } from './client-samples.js';
import { RequestPipeline, RouteManifest } from './access/index.js';
import { KIND_WORDS, ProviderRegistry } from './external-identity/index.js';
import { type Settings, SETTINGS } from './platform/config/index.js';
import { createOpenApiDocument, DocsController, EXPOSED_HEADERS } from './platform/api/index.js';
import {
  ClientIpResolver,
  inTurn,
  parseBody,
  ProblemFilter,
  requestIdOf,
  securityHeaders,
  setClientIp,
  settleProtocol,
} from './platform/web/index.js';
import { eventDocuments } from './platform/events/index.js';
import { strictBuckets } from './platform/rate-limit/index.js';
import { Metrics, RequestLog, Tracing } from './platform/observability/index.js';

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
  const manifest = app.get(RouteManifest);
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
  const marked = { credentialed: { ...cors, credentials: true }, open: { ...cors, origin: '*' } };
  app.enableCors((request: Request, answer: CorsOptionsCallback) => {
    if (request.headers.origin === undefined) return answer(null, { origin: false });
    const mark = manifest.crossOriginOf(request.path);
    answer(null, mark === null ? cors : marked[mark]);
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
      parseBody((type) => app.get(type)),
    ),
  );
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) =>
    problems.answer(error, request, response),
  );
  const words = { [KIND_WORDS]: app.get(ProviderRegistry).kinds };
  const document = {
    words,
    buckets: strictBuckets(),
    clientSamples: CLIENT_SAMPLES,
    events: eventDocuments(),
  };
  app
    .get(DocsController)
    .publish(
      () => createOpenApiDocument(app, settings.PUBLIC_URL, manifest.routes, document),
      settings.PORTAL === 'on' ? '/' : null,
    );
}
