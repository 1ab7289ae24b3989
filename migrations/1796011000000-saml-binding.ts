import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds how each connection sends its requests: `redirect` or `post`; null for redirect. */
export class SamlBinding1796011000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE saml_connections ADD COLUMN sso_binding text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE saml_connections DROP COLUMN sso_binding');
  }
}
