import { Injectable } from '@nestjs/common';
import { type Count, Metrics } from '../observability/index.js';
import { allBuckets } from './buckets/bucket.js';
import { type Sharing, SHARING } from './buckets/token-buckets.js';

const OUTCOMES = ['allowed', 'refused'] as const;

/** Metrics of the rate limits. */
@Injectable()
export class LimitMetrics {
  private readonly requests: Count<{ bucket: readonly string[]; outcome: typeof OUTCOMES }>;

  private readonly fallbacks: Count;

  constructor(private readonly metrics: Metrics) {
    this.requests = metrics.counter({
      name: 'gatehouse_rate_limit_requests_total',
      help: 'Requests to a rate limit bucket, by bucket and outcome.',
      labels: {
        bucket: allBuckets().map(({ name }) => name),
        outcome: OUTCOMES,
      },
    });
    this.fallbacks = metrics.counter({
      name: 'gatehouse_rate_limit_fallbacks_total',
      help: 'Requests that only this replica counted, as Redis was unavailable.',
      labels: {},
    });
  }

  /** Registers the gauge of the scope of the rate limits. Call it once. */
  watch(read: () => Sharing): void {
    this.metrics.gaugeBy(
      'gatehouse_rate_limit_sharing',
      'Scope of the rate limits (1): "local" this replica, "shared" all replicas, "fallback" this replica while Redis is unavailable.',
      'sharing',
      () => Object.fromEntries(SHARING.map((sharing) => [sharing, Number(sharing === read())])),
    );
  }

  /** Counts a request that only this replica counted. */
  countFallback(): void {
    this.fallbacks.inc({});
  }

  /** Counts a request to a bucket. */
  count(bucket: string, refused: boolean): void {
    this.requests.inc({ bucket, outcome: refused ? 'refused' : 'allowed' });
  }
}
