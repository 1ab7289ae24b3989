import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Networks of earlier sign-ins, by keyed hash. Owners get a mail after one from another network.
 */
export class CreateKnownNetworks1795600010000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE known_networks (
        account_id text COLLATE "C" NOT NULL CONSTRAINT known_networks_account_fkey REFERENCES accounts ON DELETE CASCADE,
        network_key bytea NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT known_networks_pkey PRIMARY KEY (account_id, network_key)
      );
      CREATE INDEX known_networks_expiry_idx ON known_networks (expires_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE known_networks');
  }
}
