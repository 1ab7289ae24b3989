import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the scopes of satellites. Registered satellites keep every permission of their visitors
 * (`*`), and each start warns of them until an operator sets their scopes. New rows have none by
 * default, also those that the previous release inserts during the upgrade: a missing permission is
 * noticed, a superfluous one is not.
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
