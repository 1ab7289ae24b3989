import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds each connection's maximum age of authentications; null for the setting, 0 for no limit. */
export class AgeOfAuthentications1796010000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE saml_connections ADD COLUMN authn_instant_max_age integer');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE saml_connections DROP COLUMN authn_instant_max_age');
  }
}
