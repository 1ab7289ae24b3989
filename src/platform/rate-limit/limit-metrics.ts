import { Injectable } from '@nestjs/common';
import { type Count, Metrics } from '../observability/index.js';
import { STRICT_BUCKET_NAMES } from '../../kernel/index.js';
import { type Sharing, SHARING } from './token-buckets.js';

/** Buckets that no answer shows. */
const SILENT_BUCKETS = ['resend-verification'] as const;
export type SilentBucket = (typeof SILENT_BUCKETS)[number];
const BUCKETS = ['read', 'write', ...STRICT_BUCKET_NAMES, ...SILENT_BUCKETS] as const;
const OUTCOMES = ['allowed', 'refused'] as const;

/** Counts what the buckets answer. */
@Injectable()
export class LimitMetrics {
  private readonly requests: Count<{ bucket: typeof BUCKETS; outcome: typeof OUTCOMES }>;

  private readonly fallbacks: Count;

  constructor(private readonly metrics: Metrics) {
    this.requests = metrics.counter({
      name: 'gatehouse_rate_limit_requests_total',
      help: 'Requests that asked a bucket of the rate limits, by bucket and answer.',
      labels: { bucket: BUCKETS, outcome: OUTCOMES },
    });
    this.fallbacks = metrics.counter({
      name: 'gatehouse_rate_limit_fallbacks_total',
      help: 'Requests that this replica counted alone, as Redis was out of reach.',
      labels: {},
    });
  }

  /** To be called once. */
  watch(read: () => Sharing): void {
    this.metrics.gaugeBy(
      'gatehouse_rate_limit_sharing',
      'Whom the rate limits count for (1): this process, or all replicas; "fallback" while Redis is configured and out of reach.',
      'sharing',
      () => Object.fromEntries(SHARING.map((sharing) => [sharing, Number(sharing === read())])),
    );
  }

  fellBack(): void {
    this.fallbacks.inc({});
  }

  asked(bucket: (typeof BUCKETS)[number], refused: boolean): void {
    this.requests.inc({ bucket, outcome: refused ? 'refused' : 'allowed' });
  }
}
