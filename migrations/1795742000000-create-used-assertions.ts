import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Assertions that have authenticated clients: each does so once. */
export class CreateUsedAssertions1795742000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE used_assertions (
        assertion_hash bytea NOT NULL CONSTRAINT used_assertions_pkey PRIMARY KEY,
        expires_at timestamptz NOT NULL
      );
      CREATE INDEX used_assertions_expiry_idx ON used_assertions (expires_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE used_assertions');
  }
}
