import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables of what a session can make, which stays or waits after it. */
const TABLES = [
  'email_changes',
  'external_identities',
  'machine_credentials',
  'passkeys',
  'totp_authenticators',
  'trusted_devices',
];

/** Notes in which session each row was made, so that a person can end what a thief has made. */
export class NoteWhatSessionsMade1795920000200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES)
      await runner.query(`ALTER TABLE ${table} ADD COLUMN session_id text COLLATE "C"`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`ALTER TABLE ${table} DROP COLUMN session_id`);
  }
}
