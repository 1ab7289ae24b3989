import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who has begun what counts only while they could begin it again. */
export class Requesters1796250471001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE email_changes ADD COLUMN requested_by text COLLATE "C", ADD COLUMN requested_in text COLLATE "C";
      ALTER TABLE workers ADD COLUMN pin_set_by text COLLATE "C";`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE workers DROP COLUMN pin_set_by;
      ALTER TABLE email_changes DROP COLUMN requested_by, DROP COLUMN requested_in;`);
  }
}
