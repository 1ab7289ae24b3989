import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Records the network of registrations and mails, by keyed hash, and failed tries per mailed link.
 */
export class BoundRegistrations1795560000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE pending_registrations ADD COLUMN network_key bytea;
      ALTER TABLE pending_registrations ADD COLUMN registered_at timestamptz;
      ALTER TABLE pending_registrations ADD COLUMN failed_tries int NOT NULL DEFAULT 0;
      ALTER TABLE outgoing_mails ADD COLUMN network_key bytea;
      ALTER TABLE external_identities ADD COLUMN is_authority boolean NOT NULL DEFAULT false;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE external_identities DROP COLUMN is_authority;
      ALTER TABLE outgoing_mails DROP COLUMN network_key;
      ALTER TABLE pending_registrations DROP COLUMN failed_tries;
      ALTER TABLE pending_registrations DROP COLUMN registered_at;
      ALTER TABLE pending_registrations DROP COLUMN network_key;
    `);
  }
}
