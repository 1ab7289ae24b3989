import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What in the sign-in that made a key stands for the connection of its organization. Of keys that
 * exist it is not known: they may be older than the requirement.
 */
export class NoteVouchersOfKeys1795960000200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE machine_credentials ADD COLUMN voucher text COLLATE "C"');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE machine_credentials DROP COLUMN voucher');
  }
}
