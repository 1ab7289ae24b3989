import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { type Settings, SETTINGS } from '../../config/index.js';
import { Metrics } from '../../observability/index.js';

/** How busy the connections are that requests share. */
@Injectable()
export class PoolMetrics {
  constructor(source: DataSource, metrics: Metrics, @Inject(SETTINGS) { DATABASE_POOL_SIZE }: Settings) {
    const { master: pool } = source.driver as unknown as { master: Pool };
    metrics.gaugeBy(
      'gatehouse_database_pool_connections',
      'Open database connections of this process for requests, by state.',
      'state',
      () => ({ in_use: pool.totalCount - pool.idleCount, idle: pool.idleCount }),
    );
    metrics.gauge(
      'gatehouse_database_pool_waiting',
      'Callers that wait for a connection.',
      () => pool.waitingCount,
    );
    metrics.gauge(
      'gatehouse_database_pool_size',
      'As many connections as there can be.',
      () => DATABASE_POOL_SIZE,
    );
  }
}
