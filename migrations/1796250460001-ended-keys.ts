import type { MigrationInterface, QueryRunner } from 'typeorm';

/** History of the revoked keys of service accounts. */
export class EndedKeys1796250460001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ended_keys (
        tenant_id text COLLATE "C" NOT NULL,
        account_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        lookup text COLLATE "C" NOT NULL,
        name text NOT NULL,
        networks text[] COLLATE "C" NOT NULL,
        created_at timestamptz NOT NULL,
        last_used_at timestamptz,
        ended_at timestamptz NOT NULL DEFAULT now(),
        ended_by text COLLATE "C",
        reason text COLLATE "C" NOT NULL,
        CONSTRAINT ended_keys_pkey PRIMARY KEY (tenant_id, account_id, id),
        CONSTRAINT ended_keys_account_fkey FOREIGN KEY (tenant_id, account_id) REFERENCES service_accounts(tenant_id, id) ON DELETE CASCADE
      );
      CREATE INDEX ended_keys_ended_idx ON ended_keys (ended_at);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ended_keys');
  }
}
