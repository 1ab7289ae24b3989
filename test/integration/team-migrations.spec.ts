import type { MigrationInterface, QueryRunner } from 'typeorm';
import { migrations } from '../../migrations/index.js';
import { migrateDatabase } from '../../src/platform/database/index.js';
import { query } from '../../src/testing/query.js';
import { createDatabase } from '../support/test-app.js';

/** Base of migrations, none of which is undone here. */
abstract class Forward implements MigrationInterface {
  abstract up(runner: QueryRunner): Promise<void>;
  async down(): Promise<void> {}
}

/** Older than all of this service, on one of whose tables it depends. */
class CreateDocks1000000000000 extends Forward {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE docks (tenant_id text NOT NULL REFERENCES tenants)');
  }
}

class NameDocks1000000000001 extends Forward {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE docks ADD COLUMN name text');
  }
}

class ForgetOurs1000000000002 extends Forward {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE gates ()');
    await runner.query("DELETE FROM schema_migrations WHERE name LIKE 'CreateSchema%'");
  }
}

class DropOurs1000000000003 extends Forward {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE schema_migrations');
  }
}

describe('Migrations of another team', () => {
  let url: string;
  beforeEach(async () => {
    url = await createDatabase('template1');
  });
  const namesIn = async (table: string) =>
    ((await query(url, `SELECT name FROM ${table} ORDER BY id`)) as { name: string }[]).map(
      ({ name }) => name,
    );
  const ours = migrations.map(({ name }) => name);
  const tableExists = async (name: string) =>
    ((await query(url, 'SELECT to_regclass($1) AS there', [name])) as { there: unknown }[])[0]?.there !==
    null;

  it('run after those of the service, each once, in their own order', async () => {
    await migrateDatabase(url, migrations, [NameDocks1000000000001, CreateDocks1000000000000]);
    await migrateDatabase(url, migrations, [CreateDocks1000000000000, NameDocks1000000000001]);
    expect(await namesIn('team_migrations')).toEqual(['CreateDocks1000000000000', 'NameDocks1000000000001']);
    expect((await namesIn('schema_migrations')).toSorted()).toEqual(ours.toSorted());
  });

  it('are added later, with several replicas at once', async () => {
    await migrateDatabase(url, migrations);
    expect(await tableExists('team_migrations')).toBe(false);
    await migrateDatabase(url, migrations, [CreateDocks1000000000000]);
    const next = [CreateDocks1000000000000, NameDocks1000000000001];
    await Promise.all(Array.from({ length: 3 }, () => migrateDatabase(url, migrations, next)));
    expect(await namesIn('team_migrations')).toEqual(next.map(({ name }) => name));
  });

  it.each([
    ['removes one from', ForgetOurs1000000000002, /ForgetOurs1000000000002 changes schema_migrations/],
    ['drops', DropOurs1000000000003, /schema_migrations/],
  ])('fail and roll back if one %s the record of the service', async (_what, Migration, message) => {
    await expect(migrateDatabase(url, migrations, [Migration])).rejects.toThrow(message);
    expect((await namesIn('schema_migrations')).toSorted()).toEqual(ours.toSorted());
    expect(await namesIn('team_migrations')).toEqual([]);
    expect(await tableExists('gates')).toBe(false);
  });
});
