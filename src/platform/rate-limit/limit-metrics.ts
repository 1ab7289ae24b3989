import { Injectable } from '@nestjs/common';
import { Metrics, type Count } from '../observability/index.js';
import { STRICT_BUCKETS } from './strict-limit.decorator.js';

const BUCKETS = ['read', 'write', ...STRICT_BUCKETS] as const;
const OUTCOMES = ['allowed', 'refused'] as const;

/** Counts what the buckets answer. */
@Injectable()
export class LimitMetrics {
  private readonly requests: Count<{ bucket: typeof BUCKETS; outcome: typeof OUTCOMES }>;

  constructor(metrics: Metrics) {
    this.requests = metrics.counter({
      name: 'gatehouse_rate_limit_requests_total',
      help: 'Requests that asked a bucket of the rate limits, by bucket and answer.',
      labels: { bucket: BUCKETS, outcome: OUTCOMES },
    });
  }

  asked(bucket: (typeof BUCKETS)[number], refused: boolean): void {
    this.requests.inc({ bucket, outcome: refused ? 'refused' : 'allowed' });
  }
}
