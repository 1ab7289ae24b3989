import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { type Settings, SETTINGS } from '../config/index.js';
import { Tracing } from '../observability/index.js';
import { XID8 } from './columns.js';
import { ACQUIRE_TIMEOUT } from './acquire-timeout.token.js';
import { DATABASE_URL } from './database-url.token.js';
import { Database } from './database.js';
import { ImpatientClient } from './connection/impatient-client.js';
import { PreparingClient } from './connection/preparing-client.js';
import { PoolMetrics } from './connection/pool-metrics.js';
import { sessionSettings, SessionTimeouts } from './connection/session-settings.js';
import { SnakeCaseColumns } from './snake-case-columns.js';
import { TenantDatabase } from './tenant-database.js';

/** Maximum wait for PostgreSQL's response. A caller gets a 503 within three seconds in total. */
const SILENCE_TIMEOUT_MS = 1_900;

@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      dataSourceFactory: async (options) => {
        const source = new DataSource(options as DataSourceOptions);
        source.driver.supportedDataTypes.push(XID8.type);
        return source.initialize();
      },
      inject: [SETTINGS, DATABASE_URL, ACQUIRE_TIMEOUT, Tracing],
      useFactory: (settings: Settings, url: string, acquireTimeoutMs: number, tracing: Tracing) => ({
        type: 'postgres' as const,
        url,
        autoLoadEntities: true,
        namingStrategy: new SnakeCaseColumns(),
        logging: false,
        retryAttempts: 0,
        poolSize: settings.DATABASE_POOL_SIZE,
        extra: {
          application_name: 'gatehouse',
          connectionTimeoutMillis: acquireTimeoutMs,
          Client: tracing.watching(settings.DATABASE_DIRECT_URL ? ImpatientClient : PreparingClient),
          query_timeout: SILENCE_TIMEOUT_MS,
          ...sessionSettings(settings),
        },
      }),
    }),
  ],
  providers: [Database, PoolMetrics, SessionTimeouts, TenantDatabase],
  exports: [Database, TenantDatabase],
})
export class DatabaseModule {}
