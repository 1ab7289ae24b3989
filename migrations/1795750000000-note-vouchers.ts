import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Organizations whose connections have vouched for the person of a session. */
export class NoteVouchers1795750000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE sessions ADD COLUMN vouched_by text[] COLLATE "C" NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sessions DROP COLUMN vouched_by');
  }
}
