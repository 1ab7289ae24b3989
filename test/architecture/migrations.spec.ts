import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { ulid } from 'ulid';
import { migrations } from '../../migrations/index.js';
import { migrateDatabase } from '../../src/platform/database/migrate.js';

const SCHEMA = `
  SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns WHERE table_schema = 'public'
  UNION ALL
  SELECT tablename, indexname, indexdef, '', '' FROM pg_indexes WHERE schemaname = 'public'
  ORDER BY 1, 2`;

/** Foreign keys whose rows cannot be found by their column without reading the whole table. */
const UNINDEXED = `
  SELECT conname AS name FROM pg_constraint c WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND NOT EXISTS (
    SELECT 1 FROM pg_index i WHERE i.indrelid = c.conrelid AND i.indkey[0] = c.conkey[1] AND i.indpred IS NULL)`;

describe('Migrations', () => {
  const admin = new Client({ connectionString: process.env['TEST_POSTGRES_URL'] });
  beforeAll(() => admin.connect());
  afterAll(() => admin.end());

  async function emptyDatabase(): Promise<string> {
    const name = `migrations_${ulid().toLowerCase()}`;
    await admin.query(`CREATE DATABASE ${name}`);
    const url = new URL(process.env['TEST_POSTGRES_URL'] ?? '');
    url.pathname = `/${name}`;
    return url.href;
  }

  async function rowsOf(url: string, question: string): Promise<unknown[]> {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(question)).rows;
    } finally {
      await client.end();
    }
  }

  const schemaOf = (url: string) => rowsOf(url, SCHEMA);

  it('are applied once when five replicas start at the same moment', async () => {
    const url = await emptyDatabase();
    await Promise.all(Array.from({ length: 5 }, () => migrateDatabase(url, migrations)));
    const tables = (await schemaOf(url)).map((row) => (row as { table_name: string }).table_name);
    expect(tables).toEqual(expect.arrayContaining(['accounts', 'sessions', 'grants']));
  });

  it('go down and up again to the same schema', async () => {
    const url = await emptyDatabase();
    await migrateDatabase(url, migrations);
    const before = await schemaOf(url);
    const source = new DataSource({
      type: 'postgres',
      url,
      migrations: [...migrations],
      migrationsTableName: 'schema_migrations',
    });
    await source.initialize();
    for (const _ of migrations) await source.undoLastMigration();
    const empty = (await schemaOf(url)).map((row) => (row as { table_name: string }).table_name);
    expect(new Set(empty)).toEqual(new Set(['schema_migrations']));
    await source.runMigrations();
    await source.destroy();
    expect(await schemaOf(url)).toEqual(before);
  });

  it('leave an index by which whatever refers to a row is found when that row goes', async () => {
    const url = await emptyDatabase();
    await migrateDatabase(url, migrations);
    expect(await rowsOf(url, UNINDEXED)).toEqual([]);
  });
});
