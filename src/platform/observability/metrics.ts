import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

type Labels<L extends string> = {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly L[];
};

/** The Prometheus metrics of this process. A module makes its own, with names that begin with `gatehouse_`. */
@Injectable()
export class Metrics {
  private readonly registry = new Registry();
  private readonly requests = new Histogram({
    name: 'gatehouse_http_request_duration_seconds',
    help: 'Time from request to answer, by route pattern.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry, prefix: 'gatehouse_' });
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** The metrics in Prometheus' text format. */
  show(): Promise<string> {
    return this.registry.metrics();
  }

  /** A number that only grows; its name ends in `_total`. */
  counter<L extends string>({ name, help, labels = [] }: Labels<L>): Counter<L> {
    return new Counter({ name, help, labelNames: labels, registers: [this.registry] });
  }

  /** A number that is asked for when the metrics are shown. */
  gauge(name: string, help: string, read: () => number): void {
    this.registry.registerMetric(
      new Gauge({
        name,
        help,
        registers: [],
        collect() {
          this.set(read());
        },
      }),
    );
  }

  /** Express middleware: times every answer under its route's pattern, never under the address that was asked for. */
  readonly observe = (request: Request, response: Response, next: NextFunction): void => {
    const started = performance.now();
    response.on('finish', () => {
      const route = (request.route as { path?: string } | undefined)?.path ?? 'unmatched';
      const labels = { method: request.method, route, status: response.statusCode };
      this.requests.observe(labels, (performance.now() - started) / 1000);
    });
    next();
  };
}
