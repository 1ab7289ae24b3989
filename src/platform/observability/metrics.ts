import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';
import { routeOf } from './route-of.js';

/** Labels with all values of each, so that the number of series is bounded. */
type Values = Readonly<Record<string, readonly string[]>>;
type Labels<V extends Values> = { readonly [N in keyof V]: V[N][number] };

interface Definition<V extends Values> {
  readonly name: string;
  readonly help: string;
  readonly labels: V;
}

/** Metrics of a process of the replica. */
export type Exported = readonly MetricObjectWithValues<MetricValue<string>>[];

/** Counter. */
export interface Count<V extends Values = Record<never, never>> {
  inc(labels: Labels<V>, by?: number): void;
}

/** Histogram of durations. */
export interface Timing<V extends Values = Record<never, never>> {
  observe(labels: Labels<V>, seconds: number): void;
}

/** Buckets in seconds, from 1 ms to the maximum duration of a request. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

let processRegistry: Registry | undefined;

/** Metrics of the process and Node.js, shared by all its applications. */
function metricsOfProcess(): Registry {
  if (!processRegistry) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return processRegistry;
}

/**
 * Prometheus metrics of this process. Modules register theirs, with names that begin with
 * `gatehouse_`; those of the process and Node.js keep the standard names of dashboards.
 */
@Injectable()
export class Metrics {
  private readonly registry = new Registry();
  private readonly requests = new Histogram({
    name: 'gatehouse_http_request_duration_seconds',
    help: 'Time from request to response, by route pattern; "/portal/page" and "/portal/file" for the portal, "unmatched" for requests refused before they reach a route.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: BUCKETS,
    registers: [this.registry],
  });

  constructor() {
    metricsOfProcess();
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** @returns the metrics in Prometheus' text format */
  show(): Promise<string> {
    return this.all.metrics();
  }

  /**
   * @param worker number of this process
   * @returns the metrics, each with the label `worker`
   */
  async export(worker: number): Promise<Exported> {
    const metrics = await this.all.getMetricsAsJSON();
    return metrics.map((metric) => ({
      ...metric,
      aggregator: 'first', // no two have the same labels
      values: metric.values.map((one) => ({ ...one, labels: { ...one.labels, worker: String(worker) } })),
    }));
  }

  /** @returns the metrics of several processes in Prometheus' text format */
  showTogether(exported: readonly Exported[]): Promise<string> {
    return AggregatorRegistry.aggregate(exported as Exported[]).metrics();
  }

  private get all(): Registry {
    return Registry.merge([metricsOfProcess(), this.registry]);
  }

  /**
   * Registers a counter; its name ends in `_total`. All series begin at 0, so that a rate includes
   * the first event.
   */
  counter<const V extends Values>({ name, help, labels }: Definition<V>): Count<V> {
    const labelNames = Object.keys(labels);
    const counter = new Counter({ name, help, labelNames, registers: [this.registry] });
    for (const combination of combinationsOf(labels)) counter.inc(combination, 0);
    return counter;
  }

  /** Registers a histogram of durations; its name ends in `_seconds`. */
  timing<const V extends Values>({ name, help, labels }: Definition<V>): Timing<V> {
    const labelNames = Object.keys(labels);
    const timing = new Histogram({ name, help, labelNames, buckets: BUCKETS, registers: [this.registry] });
    for (const combination of combinationsOf(labels)) timing.zero(combination);
    return timing;
  }

  /**
   * Registers a gauge.
   * @param read called on each scrape; the gauge is omitted if it fails
   */
  gauge(name: string, help: string, read: () => number | Promise<number>): void {
    this.gaugeBy(name, help, null, async () => ({ '': await read() }));
  }

  /**
   * Registers a gauge with one label.
   * @param label name of the label; null for none
   * @param read called on each scrape; returns numbers by value of the label. The gauge is omitted
   *   if it fails.
   */
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

  /**
   * Express middleware: measures responses by the pattern of the route, never by the requested
   * path.
   */
  readonly observe = (request: Request, response: Response, next: NextFunction): void => {
    const started = performance.now();
    response.on('finish', () => {
      const labels = { method: request.method, route: routeOf(request), status: response.statusCode };
      this.requests.observe(labels, (performance.now() - started) / 1000);
    });
    next();
  };
}

/** Returns all combinations of the labels' values. */
function combinationsOf(labels: Values): Record<string, string>[] {
  return Object.entries(labels).reduce<Record<string, string>[]>(
    (combinations, [name, values]) =>
      combinations.flatMap((combination) => values.map((value) => ({ ...combination, [name]: value }))),
    [{}],
  );
}
