import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
// The built artifact: Jest does not resolve TypeScript's import paths here.
import { migrations } from '../../dist/migrations/index.js';
import { migrateDatabase } from '../../dist/src/platform/database/index.js';
import { startEmbeddedPostgres } from '../../dist/src/platform/embedded-postgres/index.js';

/** One PostgreSQL for the whole run, with a template that the real migrations have built. */
export default async function setUp() {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-test-'));
  await chmod(dataDir, 0o755);
  const postgres = await startEmbeddedPostgres({ dataDir, durable: false });
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query('CREATE DATABASE gatehouse_template');
  await client.end();
  const template = new URL(postgres.url);
  template.pathname = '/gatehouse_template';
  await migrateDatabase(template.href, migrations);
  process.env['TEST_POSTGRES_URL'] = postgres.url;
  globalThis.testPostgres = { dataDir, postgres };
}
