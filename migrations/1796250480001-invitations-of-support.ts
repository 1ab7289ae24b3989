import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Invitations of imports end when the organization no longer allows support. */
export class InvitationsOfSupport1796250480001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE invitations ADD COLUMN of_support boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE invitations DROP COLUMN of_support');
  }
}
