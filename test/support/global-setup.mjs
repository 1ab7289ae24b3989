import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
// The built artifact: Jest does not resolve TypeScript's import paths here.
import { migrations } from '../../dist/migrations/index.js';
import { migrateDatabase } from '../../dist/src/platform/database/index.js';
import { startEmbeddedPostgres } from '../../dist/src/platform/embedded-postgres/index.js';

/** Starts one PostgreSQL for the whole run, with a template built by the real migrations. */
export default async function setUp() {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-test-'));
  await chmod(dataDir, 0o755);
  const postgres = await startEmbeddedPostgres({ dataDir, durable: false });
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  const { rows } = await client.query('SHOW data_directory');
  const watcher = await endWithThisProcess(dataDir, rows[0].data_directory);
  await saveProcessorTime(client, new URL(postgres.url).password);
  await client.query('CREATE DATABASE gatehouse_template');
  await client.end();
  const template = new URL(postgres.url);
  template.pathname = '/gatehouse_template';
  await migrateDatabase(template.href, migrations);
  process.env['TEST_POSTGRES_URL'] = postgres.url;
  globalThis.testPostgres = { dataDir, postgres, watcher };
}

/**
 * Sets one round of SCRAM in place of 4,096, as tests open thousands of connections, and no
 * autovacuum, which would process the databases that specs leave behind.
 */
async function saveProcessorTime(client, password) {
  await client.query('SET scram_iterations = 1');
  await client.query(`ALTER ROLE CURRENT_USER PASSWORD ${client.escapeLiteral(password)}`);
  await client.query('ALTER SYSTEM SET autovacuum = off');
  await client.query('SELECT pg_reload_conf()');
}

/**
 * Runs in a separate process group, so that a signal to this one's group does not end it as well.
 */
async function endWithThisProcess(dataDir, cluster) {
  const [pid] = (await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n');
  const script = join(import.meta.dirname, 'end-postgres.mjs');
  const watcher = spawn(process.execPath, [script, dataDir, pid], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.unref();
  watcher.stdin.unref();
  return watcher;
}
