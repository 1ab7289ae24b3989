import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keeps the public keys by which clients of OpenID Connect authenticate (`private_key_jwt`). */
export class KeepKeysOfClients1795761000040 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE satellites ADD COLUMN jwks jsonb, ADD COLUMN jwks_uri text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE satellites DROP COLUMN jwks, DROP COLUMN jwks_uri');
  }
}
