import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { routeOf } from './route-of.js';

/** Label names with every value that each can take: how many series there are is bounded by construction. */
type Values = Readonly<Record<string, readonly string[]>>;
type Labels<V extends Values> = { readonly [N in keyof V]: V[N][number] };

interface Definition<V extends Values> {
  readonly name: string;
  readonly help: string;
  readonly labels: V;
}

/** A number that only grows. */
export interface Count<V extends Values = Record<never, never>> {
  inc(labels: Labels<V>, by?: number): void;
}

/** How long something took. */
export interface Timing<V extends Values = Record<never, never>> {
  observe(labels: Labels<V>, seconds: number): void;
}

/** Seconds: from a millisecond to the longest that a request may take. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/**
 * The Prometheus metrics of this process. A module makes its own, with names that begin with `gatehouse_`; those of the process and of Node
 * keep the names that dashboards everywhere know them by.
 */
@Injectable()
export class Metrics {
  private readonly registry = new Registry();
  private readonly requests = new Histogram({
    name: 'gatehouse_http_request_duration_seconds',
    help: 'Time from request to answer, by route pattern; "/portal/page" and "/portal/file" for the portal, "unmatched" for what was refused before it reached a route.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: BUCKETS,
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** The metrics in Prometheus' text format. */
  show(): Promise<string> {
    return this.registry.metrics();
  }

  /** A number that only grows; its name ends in `_total`. Every series is there from the start, at 0, so that a rate sees the first event. */
  counter<const V extends Values>({ name, help, labels }: Definition<V>): Count<V> {
    const labelNames = Object.keys(labels);
    const counter = new Counter({ name, help, labelNames, registers: [this.registry] });
    for (const combination of combinationsOf(labels)) counter.inc(combination, 0);
    return counter;
  }

  /** Durations; the name ends in `_seconds`. */
  timing<const V extends Values>({ name, help, labels }: Definition<V>): Timing<V> {
    const labelNames = Object.keys(labels);
    const timing = new Histogram({ name, help, labelNames, buckets: BUCKETS, registers: [this.registry] });
    for (const combination of combinationsOf(labels)) timing.zero(combination);
    return timing;
  }

  /** A number that is asked for when the metrics are shown. It is left out where it cannot be had. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void {
    this.gaugeBy(name, help, null, async () => ({ '': await read() }));
  }

  /** Numbers that are asked for when the metrics are shown, by the values of one label. They are left out where they cannot be had. */
  gaugeBy(
    name: string,
    help: string,
    label: string | null,
    read: () => Readonly<Record<string, number>> | Promise<Readonly<Record<string, number>>>,
  ): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: label === null ? [] : [label],
      registers: [this.registry],
      async collect() {
        const numbers = await (async () => read())().catch(() => ({}));
        gauge.reset();
        if (label === null) gauge.remove({}); // a reset leaves a 0
        for (const [value, number] of Object.entries(numbers))
          gauge.set(label === null ? {} : { [label]: value }, number);
      },
    });
  }

  /** Express middleware: times every answer under its route's pattern, never under the address that was asked for. */
  readonly observe = (request: Request, response: Response, next: NextFunction): void => {
    const started = performance.now();
    response.on('finish', () => {
      const labels = { method: request.method, route: routeOf(request), status: response.statusCode };
      this.requests.observe(labels, (performance.now() - started) / 1000);
    });
    next();
  };
}

/** Each label with each of its values. */
function combinationsOf(labels: Values): Record<string, string>[] {
  return Object.entries(labels).reduce<Record<string, string>[]>(
    (combinations, [name, values]) =>
      combinations.flatMap((combination) => values.map((value) => ({ ...combination, [name]: value }))),
    [{}],
  );
}
