import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Logout tokens to send, which waited as jobs until now. */
export class CreateLogoutNotices1795801000300 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE logout_notices (
        client_id text COLLATE "C" NOT NULL,
        session_id text COLLATE "C" NOT NULL,
        attempts int NOT NULL DEFAULT 0,
        due_at timestamptz NOT NULL DEFAULT now(),
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT logout_notices_pkey PRIMARY KEY (client_id, session_id)
      );
      CREATE INDEX logout_notices_due_idx ON logout_notices (client_id, due_at);
      CREATE INDEX logout_notices_created_idx ON logout_notices (created_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE logout_notices');
  }
}
