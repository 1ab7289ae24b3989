import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the scopes of satellites. Those that are registered keep what they had, every permission of their visitors, and the start warns of them
 * until an operator sets their scopes. The default for new rows is none, also for those that the release before inserts meanwhile: a satellite
 * that lacks a permission is noticed and given it, one that has too many is not.
 */
export class ScopeSatellites1795570000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE satellites
        ADD COLUMN scopes text[] NOT NULL DEFAULT '{*}',
        ADD COLUMN scopes_inherited boolean NOT NULL DEFAULT true;
      ALTER TABLE satellites
        ALTER COLUMN scopes SET DEFAULT '{}',
        ALTER COLUMN scopes_inherited SET DEFAULT false;
      CREATE INDEX satellites_inherited_idx ON satellites (client_id) WHERE scopes_inherited;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE satellites DROP COLUMN scopes, DROP COLUMN scopes_inherited');
  }
}
