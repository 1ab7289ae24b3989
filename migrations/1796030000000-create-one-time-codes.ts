import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates one table of the codes by which clients join a session, of each purpose. A code in the
 * tables of the previous release, `oidc_codes` and `satellite_codes`, moves here when it is
 * presented, so that sign-ins that are under way survive; the next release drops these tables.
 */
export class CreateOneTimeCodes1796030000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE one_time_codes (
        code_hash bytea NOT NULL CONSTRAINT one_time_codes_pkey PRIMARY KEY,
        purpose text COLLATE "C" NOT NULL CONSTRAINT one_time_codes_purpose_known CHECK (purpose IN ('satellite', 'hosted', 'openid')),
        client_id text COLLATE "C" CONSTRAINT one_time_codes_client_fkey REFERENCES satellites (client_id) ON DELETE CASCADE,
        session_id text COLLATE "C" NOT NULL CONSTRAINT one_time_codes_session_fkey REFERENCES sessions (id) ON DELETE CASCADE,
        account_id text COLLATE "C" NOT NULL,
        tenant_id text COLLATE "C",
        redirect_uri text NOT NULL,
        code_challenge text COLLATE "C" NOT NULL,
        scopes text[],
        nonce text,
        dpop_jkt text COLLATE "C",
        grant_id text COLLATE "C" NOT NULL,
        expires_at timestamptz NOT NULL,
        consumed_at timestamptz,
        CONSTRAINT one_time_codes_client_of_purpose CHECK ((client_id IS NULL) = (purpose = 'hosted'))
      );
      CREATE INDEX one_time_codes_client_idx ON one_time_codes (client_id);
      CREATE INDEX one_time_codes_expiry_idx ON one_time_codes (expires_at);
      CREATE INDEX one_time_codes_session_idx ON one_time_codes (session_id);
      CREATE INDEX one_time_codes_tenant_idx ON one_time_codes (tenant_id) WHERE tenant_id IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE one_time_codes');
  }
}
