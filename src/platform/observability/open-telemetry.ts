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

/** The process ends, whether the collector has taken the last spans or not. */
const FLUSH_LIMIT_MS = 3_000;

/**
 * Traces by OTLP over HTTP, as the variables of OpenTelemetry say. Loaded only where they ask for it. Nothing is registered globally, and a span
 * holds route patterns, the texts of our own statements, hosts and codes alone: no address, id of a person, header, body or parameter.
 */
export class OpenTelemetry extends Tracing {
  private readonly open = new AsyncLocalStorage<Context>();
  private readonly propagator = new W3CTraceContextPropagator();
  private readonly provider: TracerProvider;
  private readonly tracer: Tracer;

  /**
   * @param endpoint the collector's base address; its other variables are read where they are used
   * @param ratio the share that is kept of the traces that begin here
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
    return finishing(span, this.open.run(trace.setSpan(parent, span), work));
  }

  override watching(connection: typeof Client): typeof Client {
    const ask = (query: () => unknown, question: unknown): unknown => this.asking(query, question);
    return class extends connection {
      override query(...question: never[]): never {
        const query = (): unknown => super.query(...(question as unknown as [string]));
        return ask(query, question[0]) as never;
      }
    };
  }

  override async onApplicationShutdown(): Promise<void> {
    const sent = this.provider.shutdown().catch(() => undefined);
    await Promise.race([sent, sleep(FLUSH_LIMIT_MS, undefined, { ref: false })]);
  }

  private asking(query: () => unknown, question: unknown): unknown {
    const parent = this.open.getStore();
    if (parent === undefined) return query();
    const { name, attributes } = describeStatement(question);
    const span = this.tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent);
    const answer = query();
    if (answer instanceof Promise) return finishing(span, answer);
    span.end(); // whoever wants no promise is told by a callback
    return answer;
  }
}

/** Ends the span with the work. Of an error it keeps the code alone: a message may hold what a user has given. */
async function finishing<T>(span: Span, work: Promise<T>): Promise<T> {
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
