import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Evidence of sessions. A summary stays in the row of the session, so that a refresh reads no
 * further table, and the previous release, which writes no evidence, keeps working: its `amr` and
 * times are the evidence of its sessions.
 */
export class CreateSessionEvidence1795666000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE sessions
        ADD COLUMN aal2_at timestamptz,
        ADD COLUMN phr_at timestamptz,
        ADD COLUMN trusted_device boolean NOT NULL DEFAULT false;
      CREATE TABLE session_evidence (
        session_id text COLLATE "C" NOT NULL,
        method text COLLATE "C" NOT NULL,
        connection_id text COLLATE "C" NOT NULL DEFAULT '',
        acr text COLLATE "C" NOT NULL,
        proven_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT session_evidence_pkey PRIMARY KEY (session_id, method, connection_id),
        CONSTRAINT session_evidence_session_fkey FOREIGN KEY (session_id) REFERENCES sessions (id) ON DELETE CASCADE
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE session_evidence;
      ALTER TABLE sessions DROP COLUMN trusted_device, DROP COLUMN phr_at, DROP COLUMN aal2_at;
    `);
  }
}
