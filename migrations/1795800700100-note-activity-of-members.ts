import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A tab of the portal renews tokens for its organization on a grant that has none of its own. */
export class NoteActivityOfMembers1795800700100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE members ADD COLUMN last_active_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE members DROP COLUMN last_active_at');
  }
}
