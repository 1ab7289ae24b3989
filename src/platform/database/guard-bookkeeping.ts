import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Table of the applied migrations of this service. */
export const SCHEMA_MIGRATIONS = 'schema_migrations';

/**
 * Makes a migration of another team fail, and roll back, if it changes the record of this service's
 * migrations: the next start would then apply one again, or leave one out.
 */
export function guardBookkeeping(Migration: new () => MigrationInterface): new () => MigrationInterface {
  const guarded = class extends Migration {
    override async up(runner: QueryRunner): Promise<void> {
      const before = await record(runner);
      await super.up(runner);
      if ((await record(runner)) !== before)
        throw new Error(
          `The migration ${Migration.name} changes ${SCHEMA_MIGRATIONS}, which is not its own.`,
        );
    }
  };
  Object.defineProperty(guarded, 'name', { value: Migration.name }); // under which it is recorded
  return guarded;
}

async function record(runner: QueryRunner): Promise<string> {
  const sql = `SELECT coalesce(string_agg(name, ',' ORDER BY id), '') AS names FROM ${SCHEMA_MIGRATIONS}`;
  const [row] = (await runner.query(sql)) as [{ names: string }];
  return row.names;
}
