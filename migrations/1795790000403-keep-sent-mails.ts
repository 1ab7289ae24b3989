import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Contents of mails that were sent, sealed, while an operator can send them again. */
export class KeepSentMails1795790000403 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE outgoing_mails ADD COLUMN kept text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE outgoing_mails DROP COLUMN kept');
  }
}
