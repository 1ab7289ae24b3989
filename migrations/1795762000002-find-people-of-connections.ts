import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An index to find the people of a connection. */
export class FindPeopleOfConnections1795762000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX external_identities_connection_idx ON external_identities (connection_id, account_id)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX external_identities_connection_idx');
  }
}
