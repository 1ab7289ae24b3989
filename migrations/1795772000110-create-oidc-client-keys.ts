import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The key by which this service authenticates at providers by `private_key_jwt`. */
export class CreateOidcClientKeys1795772000110 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE oidc_client_keys (
        single boolean NOT NULL DEFAULT true,
        kid text COLLATE "C" NOT NULL,
        sealed_private_key text COLLATE "C" NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT oidc_client_keys_pkey PRIMARY KEY (single),
        CONSTRAINT oidc_client_keys_single CHECK (single)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE oidc_client_keys');
  }
}
