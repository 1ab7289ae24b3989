import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { migrations } from '../../migrations/index.js';
import { createApp } from '../bootstrap.js';
import type { GatehouseOptions } from '../options.js';
import { loadRootSecret, readSettings } from '../platform/config/index.js';
import { migrateDatabase } from '../platform/database/index.js';
import { requireSharedPackages } from '../shared-packages.js';
import { ServiceClient } from './service-client.js';
import { startTestPostgres, type TestPostgres } from './test-postgres.js';
import { NO_LIMITS, PATIENT, QUIET } from './test-settings.js';

/**
 * The service with the modules of another team, on a PostgreSQL of its own and a free port. It has
 * no rate limits, cheap password hashes, and mails in a folder that the methods read.
 */
export class TestGatehouse extends ServiceClient {
  private constructor(
    /** The application, for instance to get a provider. */
    readonly app: NestExpressApplication,
    url: string,
    databaseUrl: string,
    dataDir: string,
    private readonly release: () => Promise<void>,
  ) {
    super(url, databaseUrl, dataDir);
  }

  /**
   * Migrates the database and starts the service.
   * @param options as for `createGatehouse`
   * @param settings in place of those of a test; `DATABASE_URL` names an empty database of a
   *   PostgreSQL that runs already
   * @throws what the start of the service throws: for a route that declares no access, say
   */
  static async start(
    options: GatehouseOptions = {},
    settings: Readonly<Record<string, string>> = {},
  ): Promise<TestGatehouse> {
    requireSharedPackages();
    const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-app-'));
    const ROOT_SECRET = randomBytes(32).toString('base64');
    let postgres: TestPostgres | null = null;
    const release = async () => {
      await postgres?.stop();
      await rm(dataDir, { recursive: true, force: true });
    };
    try {
      const read = readSettings({ ...QUIET, ...NO_LIMITS, ROOT_SECRET, ...settings, DATA_DIR: dataDir });
      postgres = read.DATABASE_URL ? null : await startTestPostgres();
      const databaseUrl = read.DATABASE_URL?.reveal() ?? postgres?.url ?? '';
      await migrateDatabase(databaseUrl, migrations, options.migrations);
      const environment = { ...PATIENT, settings: read, rootSecret: await loadRootSecret(read), databaseUrl };
      const app = await createApp(environment, options.modules);
      await app.listen(0, '127.0.0.1').catch(async (error: unknown) => {
        await app.close();
        throw error;
      });
      const { port } = app.getHttpServer().address() as AddressInfo;
      return new TestGatehouse(app, `http://127.0.0.1:${port}`, databaseUrl, dataDir, release);
    } catch (error) {
      await release();
      throw error;
    }
  }

  /** Stops the service and removes what it has stored, except in a database named by a setting. */
  async stop(): Promise<void> {
    await this.app.close();
    await this.release();
  }
}
