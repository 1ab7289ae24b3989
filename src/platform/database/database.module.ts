import { Global, Module } from '@nestjs/common';
import { TypeOrmModule, type TypeOrmModuleOptions } from '@nestjs/typeorm';
import pg, { type ClientBase } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { type Settings, SETTINGS } from '../config/index.js';
import { Tracing } from '../observability/index.js';
import { SnakeCaseColumns, XID8 } from './columns.js';
import { DATABASE_URL } from './database-url.token.js';
import { Database } from './database.js';
import { ImpatientClient } from './connection/impatient-client.js';
import { PreparingClient } from './connection/preparing-client.js';
import { Primary, PrimaryModule } from './connection/primary.js';
import { PoolMetrics } from './connection/pool-metrics.js';
import { ServerSettings } from './connection/server-settings.js';
import { sessionSettings, SessionTimeouts } from './connection/session-settings.js';
import { TenantDatabase } from './tenant-database.js';
import { type DatabaseTimeouts, MAX_CONNECTION_AGE_SECONDS, TIMEOUTS } from './timeouts.js';

@Global()
@Module({
  imports: [
    PrimaryModule,
    TypeOrmModule.forRootAsync({
      imports: [PrimaryModule],
      dataSourceFactory: async (options: TypeOrmModuleOptions = {}) => {
        const source = new DataSource(options as DataSourceOptions);
        source.driver.supportedDataTypes.push(XID8.type);
        if (!options.manualInitialization) return source.initialize();
        (source.driver as PostgresDriver).master = new pg.Pool(); // connects when it is used
        return source;
      },
      inject: [SETTINGS, DATABASE_URL, TIMEOUTS, Tracing, Primary],
      useFactory: async (
        settings: Settings,
        url: string | null,
        timeouts: DatabaseTimeouts,
        tracing: Tracing,
        primary: Primary,
      ) => ({
        type: 'postgres' as const,
        driver: pg, // by name, TypeORM does not find it in a bundle
        ...(url !== null && { url: await addressOf(settings, url, primary) }),
        manualInitialization: url === null,
        autoLoadEntities: true,
        namingStrategy: new SnakeCaseColumns(),
        logging: false,
        retryAttempts: 0,
        poolSize: settings.DATABASE_POOL_SIZE,
        extra: {
          application_name: 'gatehouse',
          connectionTimeoutMillis: timeouts.acquireMs,
          Client: tracing.watching(
            settings.DATABASE_DIRECT_URL ? ImpatientClient : primary.following(PreparingClient),
          ),
          maxLifetimeSeconds: MAX_CONNECTION_AGE_SECONDS,
          query_timeout: timeouts.answerMs,
          // The servers behind a pooler's connections change, and are asked once a second.
          ...(!settings.DATABASE_DIRECT_URL && { onConnect: (client: ClientBase) => primary.admit(client) }),
          ...sessionSettings(settings, timeouts),
        },
      }),
    }),
  ],
  providers: [Database, PoolMetrics, ServerSettings, SessionTimeouts, TenantDatabase],
  exports: [Database, PrimaryModule, TenantDatabase],
})
export class DatabaseModule {}

/** Returns the address for requests: the pooler's, or the primary's. */
async function addressOf(settings: Settings, url: string, primary: Primary): Promise<string> {
  const address = await primary.find();
  return settings.DATABASE_DIRECT_URL ? url : address;
}
