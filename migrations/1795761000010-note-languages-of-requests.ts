import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keeps the languages that a client of OpenID Connect asks for, for the page of the sign-in. */
export class NoteLanguagesOfRequests1795761000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE oidc_requests ADD COLUMN ui_locales text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE oidc_requests DROP COLUMN ui_locales');
  }
}
