import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sessions that have ended lately, with which new streams of security events begin. */
export class RememberEndedSessions1795790000300 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE signal_ended_sessions (
        session_id text COLLATE "C" NOT NULL CONSTRAINT signal_ended_sessions_pkey PRIMARY KEY,
        client_ids text[] COLLATE "C" NOT NULL,
        ended_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX signal_ended_sessions_ended_idx ON signal_ended_sessions (ended_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE signal_ended_sessions');
  }
}
