import pg from 'pg';
// The built artifact: Jest does not resolve TypeScript's import paths here.
import { migrations } from '../../dist/migrations/index.js';
import { migrateDatabase } from '../../dist/src/platform/database/index.js';
import { startTestPostgres } from '../../dist/src/testing/test-postgres.js';
import { bundle } from '../../scripts/prepare.mjs';

/**
 * Starts one PostgreSQL for the whole run, with a template built by the real migrations, and brings
 * the bundle up to date, which specs start as processes.
 */
export default async function setUp() {
  bundle();
  const postgres = await startTestPostgres();
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query('CREATE DATABASE gatehouse_template');
  await client.end();
  const template = new URL(postgres.url);
  template.pathname = '/gatehouse_template';
  await migrateDatabase(template.href, migrations);
  process.env['TEST_POSTGRES_URL'] = postgres.url;
  globalThis.testPostgres = postgres;
}
