import { Injectable } from '@nestjs/common';
import { type Count, Metrics, type Timing } from '../observability/index.js';

/** Metrics of the change feed of this replica: lag, losses and gaps. */
@Injectable()
export class FeedMetrics {
  private readonly lags: Timing;
  private readonly losses: Count;
  private readonly gaps: Count;
  /** Seconds between the database's clock and `performance.now()` of this process. */
  private clockOffset = 0;
  private up = false;
  /** Start of the current gap by `performance.now()`; 0 without one. */
  private downSince = 0;

  constructor(metrics: Metrics) {
    this.lags = metrics.timing({
      name: 'gatehouse_change_feed_lag_seconds',
      help: 'Time from the start of the transaction of a change, such as a logout, until this replica received it.',
      labels: {},
    });
    this.losses = metrics.counter({
      name: 'gatehouse_change_feed_losses_total',
      help: 'Losses of the change feed.',
      labels: {},
    });
    this.gaps = metrics.counter({
      name: 'gatehouse_change_feed_gap_seconds_total',
      help: 'Seconds without the change feed, during which caches were bypassed.',
      labels: {},
    });
    metrics.gauge('gatehouse_change_feed_up', 'Whether the change feed is connected (1) or not (0).', () =>
      Number(this.up),
    );
  }

  /**
   * Compares the clocks of database and process, so that those of two machines need not agree.
   * @param databaseTime seconds since the epoch, by the database's clock
   * @param sentAt time of the query, in milliseconds by `performance.now()`; the database is
   *   assumed to have read its clock half-way between then and now
   */
  compareClocks(databaseTime: number, sentAt: number): void {
    this.clockOffset = databaseTime - (sentAt + performance.now()) / 2_000;
  }

  /**
   * Records the lag of a notification.
   * @param announced start of its transaction, in seconds since the epoch by the database's clock
   */
  recordLag(announced: number): void {
    const now = performance.now() / 1_000 + this.clockOffset;
    this.lags.observe({}, Math.max(0, now - announced));
  }

  /**
   * Records an attempt to connect, or the loss of the connection. Called on every attempt, so that
   * a gap is visible while it lasts; it begins with the first failure.
   */
  recordAttempt(up: boolean): void {
    const now = performance.now();
    if (this.up && !up) this.losses.inc({});
    else if (this.downSince > 0) this.gaps.inc({}, (now - this.downSince) / 1_000);
    this.downSince = up ? 0 : now;
    this.up = up;
  }
}
