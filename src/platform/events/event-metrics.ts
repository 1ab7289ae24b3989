import { Injectable } from '@nestjs/common';
import { Database } from '../database/index.js';
import { Metrics } from '../observability/index.js';

/** Metric of the mark up to which events are read. */
@Injectable()
export class EventMetrics {
  constructor(metrics: Metrics, database: Database) {
    metrics.gauge(
      'gatehouse_events_lag_seconds',
      'Age of the oldest event without a sequence number: a transaction that stays open holds it back.',
      async () => {
        const row = await database.row<{ seconds: number }>(
          `SELECT greatest(0, extract(epoch FROM clock_timestamp() - e.created_at))::float8 AS seconds
           FROM event_cursors c CROSS JOIN LATERAL
             (SELECT created_at FROM events WHERE (xid, seq) > (c.xid, c.seq) ORDER BY xid, seq LIMIT 1) AS e
           WHERE c.consumer = 'sequencer'`,
        );
        return row?.seconds ?? 0;
      },
    );
  }
}
