import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  defaultTextMapGetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Request, RequestHandler } from 'express';
import type { Client } from 'pg';
import { requestIdOf } from '../web/index.js';
import { isProbe, routeOf } from './route-of.js';
import { describeStatement } from './sql-statement.js';
import { type Attributes, Tracing } from './tracing.js';

/** Maximum time to send the last spans at shutdown. */
const MAX_FLUSH_MS = 3_000;

/**
 * Traces by OTLP over HTTP, configured by the variables of OpenTelemetry and loaded only if they
 * are set. Registers nothing globally. Spans hold route patterns, SQL texts, hosts and codes only:
 * no path, user id, header, body or parameter.
 */
export class OpenTelemetry extends Tracing {
  private readonly open = new AsyncLocalStorage<Context>();
  private readonly propagator = new W3CTraceContextPropagator();
  private readonly provider: TracerProvider;
  private readonly tracer: Tracer;

  /**
   * @param endpoint base URL of the collector; the libraries read the other variables themselves
   * @param ratio share of the traces begun here that is sampled, 0 to 1
   */
  constructor(endpoint: string, ratio: number) {
    super();
    this.provider = new TracerProvider({
      resource: resourceFromAttributes({ 'service.name': 'gatehouse' }).merge(
        detectResources({ detectors: [envDetector] }),
      ),
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
      spanProcessors: [
        new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }) }),
      ],
    });
    this.tracer = this.provider.getTracer('gatehouse');
  }

  override middleware(trusts: (request: Request) => boolean): RequestHandler {
    return (request, response, next) => {
      if (isProbe(request)) return next();
      const parent = trusts(request)
        ? this.propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter)
        : ROOT_CONTEXT;
      const attributes = {
        'http.request.method': request.method,
        'gatehouse.request.id': requestIdOf(request),
      };
      const span = this.tracer.startSpan(request.method, { kind: SpanKind.SERVER, attributes }, parent);
      response.once('close', () => {
        const route = routeOf(request);
        span.updateName(`${request.method} ${route}`);
        span.setAttributes({ 'http.route': route, 'http.response.status_code': response.statusCode });
        if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      });
      this.open.run(trace.setSpan(parent, span), next);
    };
  }

  override async span<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
    const parent = this.open.getStore() ?? ROOT_CONTEXT;
    const span = this.tracer.startSpan(name, { attributes }, parent);
    return endWith(span, this.open.run(trace.setSpan(parent, span), work));
  }

  override watching(connection: typeof Client): typeof Client {
    const trace = (query: () => unknown, statement: unknown): unknown => this.traceQuery(query, statement);
    return class extends connection {
      override query(...parameters: never[]): never {
        const query = (): unknown => super.query(...(parameters as unknown as [string]));
        return trace(query, parameters[0]) as never;
      }
    };
  }

  override async onApplicationShutdown(): Promise<void> {
    const sent = this.provider.shutdown().catch(() => undefined);
    await Promise.race([sent, sleep(MAX_FLUSH_MS, undefined, { ref: false })]);
  }

  private traceQuery(query: () => unknown, statement: unknown): unknown {
    const parent = this.open.getStore();
    if (parent === undefined) return query();
    const { name, attributes } = describeStatement(statement);
    const span = this.tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent);
    const result = query();
    if (result instanceof Promise) return endWith(span, result);
    span.end(); // with a callback, which the span does not wait for
    return result;
  }
}

/**
 * Ends a span when the work settles. Records only the code of an error: its message may hold user
 * input.
 */
async function endWith<T>(span: Span, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { code, name } = error as { code?: unknown; name?: unknown };
    span.setAttribute('error.type', String(code ?? name ?? 'unknown'));
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}
