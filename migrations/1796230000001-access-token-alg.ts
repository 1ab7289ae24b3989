import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Clients whose access tokens are signed by RS256 (ADR 80). */
export class AccessTokenAlg1796230000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE satellites ADD COLUMN access_token_alg text COLLATE "C" NOT NULL DEFAULT 'ES256'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE satellites DROP COLUMN access_token_alg');
  }
}
