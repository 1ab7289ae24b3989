import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What organizations ask of the keys that act in them. */
export class CreateKeyPolicies1795744000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE key_policies (
        tenant_id text COLLATE "C" NOT NULL CONSTRAINT key_policies_pkey PRIMARY KEY CONSTRAINT key_policies_tenant_fkey REFERENCES tenants ON DELETE CASCADE,
        personal_keys boolean NOT NULL,
        max_lifetime_days integer
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE key_policies');
  }
}
