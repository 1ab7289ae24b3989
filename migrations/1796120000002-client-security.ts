import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Clients by the FAPI 2.0 Security Profile (ADR 64). */
export class ClientSecurity1796120000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE satellites ADD COLUMN security text COLLATE "C" NOT NULL DEFAULT 'standard'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE satellites DROP COLUMN security');
  }
}
