import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Time of the last confirmation after the sign-in. Null stands for the sign-in itself: a default of
 * now() would make all existing sessions look recent, and the previous release writes no value.
 */
export class NoteConfirmations1795600000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sessions ADD COLUMN confirmed_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sessions DROP COLUMN confirmed_at');
  }
}
