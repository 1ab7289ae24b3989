import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Binds grants to the key of a client (DPoP, RFC 9449). The previous release issues tokens of
 * bound grants without the binding while both run.
 */
export class BindGrants1795761000030 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE satellites ADD COLUMN require_dpop boolean NOT NULL DEFAULT false;
      ALTER TABLE grants ADD COLUMN dpop_jkt text COLLATE "C";
      ALTER TABLE oidc_requests ADD COLUMN dpop_jkt text COLLATE "C";
      ALTER TABLE oidc_codes ADD COLUMN dpop_jkt text COLLATE "C";
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE oidc_codes DROP COLUMN dpop_jkt;
      ALTER TABLE oidc_requests DROP COLUMN dpop_jkt;
      ALTER TABLE grants DROP COLUMN dpop_jkt;
      ALTER TABLE satellites DROP COLUMN require_dpop;
    `);
  }
}
