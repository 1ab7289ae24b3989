import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Keys of this service at identity providers, several of each kind. In a table of their own: the
 * previous release has one row in `saml_keys`, and reseals all rows there with the same key.
 */
export class CreateConnectionKeys1795790800100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE connection_keys (
        kid text COLLATE "C" NOT NULL CONSTRAINT connection_keys_pkey PRIMARY KEY,
        kind text COLLATE "C" NOT NULL,
        certificate text COLLATE "C",
        sealed_private_key text COLLATE "C" NOT NULL,
        signs_from timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE connection_keys');
  }
}
