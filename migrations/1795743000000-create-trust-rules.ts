import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Rules by which service accounts trust tokens of other issuers. */
export class CreateTrustRules1795743000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE trust_rules (
        tenant_id text COLLATE "C" NOT NULL,
        account_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        issuer text COLLATE "C" NOT NULL,
        audience text COLLATE "C" NOT NULL,
        conditions jsonb NOT NULL,
        created_by text COLLATE "C" NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT trust_rules_pkey PRIMARY KEY (tenant_id, account_id, id),
        CONSTRAINT trust_rules_account_fkey FOREIGN KEY (tenant_id, account_id) REFERENCES service_accounts (tenant_id, id) ON DELETE CASCADE
      );
      CREATE INDEX trust_rules_issuer_idx ON trust_rules (issuer, id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE trust_rules');
  }
}
