import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a provider calls a sign-in, so that a logout can go to it, and come from it. Codes and
 * challenges carry it until the session begins.
 */
export class CreateUpstreamSessions1795772000100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE upstream_sessions (
        session_id text COLLATE "C" NOT NULL,
        connection_id text COLLATE "C" NOT NULL,
        name_id_hash bytea NOT NULL,
        session_index bytea,
        oidc_sid bytea,
        sealed text NOT NULL,
        CONSTRAINT upstream_sessions_pkey PRIMARY KEY (session_id),
        CONSTRAINT upstream_sessions_session_fkey FOREIGN KEY (session_id) REFERENCES sessions (id) ON DELETE CASCADE
      );
      CREATE INDEX upstream_sessions_subject_idx ON upstream_sessions (connection_id, name_id_hash);
      CREATE INDEX upstream_sessions_sid_idx ON upstream_sessions (connection_id, oidc_sid);
      ALTER TABLE external_codes ADD COLUMN upstream jsonb;
      ALTER TABLE sign_in_challenges ADD COLUMN upstream jsonb;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE sign_in_challenges DROP COLUMN upstream;
      ALTER TABLE external_codes DROP COLUMN upstream;
      DROP TABLE upstream_sessions;
    `);
  }
}
