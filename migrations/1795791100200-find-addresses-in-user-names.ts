import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The address of a record without `emails` is its `userName`: it is found at an erasure too. */
export class FindAddressesInUserNames1795791100200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(String.raw`
      UPDATE directory_users SET email_key = user_name_key
      WHERE email_key IS NULL AND NOT attributes ? 'emails' AND user_name_key ~ '^[^@\s]+@[a-z0-9.-]+$'
    `);
  }

  async down(): Promise<void> {
    // An earlier release stores the column again at the next change of the record.
  }
}
