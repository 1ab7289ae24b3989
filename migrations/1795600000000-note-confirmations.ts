import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When the person last confirmed who they are, if after the sign-in. Null means the sign-in itself: a default of now() would make every session
 * that exists look fresh, and the release before writes none.
 */
export class NoteConfirmations1795600000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sessions ADD COLUMN confirmed_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sessions DROP COLUMN confirmed_at');
  }
}
