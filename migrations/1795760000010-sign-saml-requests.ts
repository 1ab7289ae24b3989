import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Requests of connections by SAML have always been signed: now the column says so. */
export class SignSamlRequests1795760000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE saml_connections ALTER COLUMN sign_requests SET DEFAULT true;
      UPDATE saml_connections SET sign_requests = true;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE saml_connections ALTER COLUMN sign_requests SET DEFAULT false');
  }
}
