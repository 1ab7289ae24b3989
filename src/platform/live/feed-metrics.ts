import { Injectable } from '@nestjs/common';
import { type Count, Metrics, type Timing } from '../observability/index.js';

/** How soon this replica hears of changes, and for how long it did not. */
@Injectable()
export class FeedMetrics {
  private readonly lags: Timing;
  private readonly losses: Count;
  private readonly gaps: Count;
  /** Seconds between the database's clock and `performance.now()` of this process. */
  private clockOffset = 0;
  private up = false;
  private deafSince = 0;

  constructor(metrics: Metrics) {
    this.lags = metrics.timing({
      name: 'gatehouse_change_feed_lag_seconds',
      help: 'From the beginning of the transaction that made a change, such as a logout, until this replica heard of it.',
      labels: {},
    });
    this.losses = metrics.counter({
      name: 'gatehouse_change_feed_losses_total',
      help: 'How often the feed of changes was lost.',
      labels: {},
    });
    this.gaps = metrics.counter({
      name: 'gatehouse_change_feed_gap_seconds_total',
      help: 'For how long it was not heard; the database was asked each time meanwhile.',
      labels: {},
    });
    metrics.gauge('gatehouse_change_feed_up', 'Whether the feed of changes is heard (1) or not (0).', () =>
      Number(this.up),
    );
  }

  /**
   * Compares the clocks, so that those of two machines need not agree.
   * @param databaseTime seconds since the epoch, as the database said
   * @param asked when it was asked, by `performance.now()`: it has answered half-way between then and now
   */
  clockRead(databaseTime: number, asked: number): void {
    this.clockOffset = databaseTime - (asked + performance.now()) / 2_000;
  }

  /** @param announced seconds since the epoch, by the database's clock */
  heard(announced: number): void {
    const now = performance.now() / 1_000 + this.clockOffset;
    this.lags.observe({}, Math.max(0, now - announced));
  }

  /** To be called on every try to hear, so that a gap is seen while it lasts; it begins with the first that fails. */
  tried(up: boolean): void {
    const now = performance.now();
    if (this.up && !up) this.losses.inc({});
    else if (this.deafSince > 0) this.gaps.inc({}, (now - this.deafSince) / 1_000);
    this.deafSince = up ? 0 : now;
    this.up = up;
  }
}
