import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Notes whether a person was a member when an identity of a connection was last used: it signs in
 * no person whose membership has ended since. True for identities of before, and for those that the
 * previous release adds.
 */
export class NoteMembershipOfIdentities1795940000100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE external_identities ADD COLUMN used_as_member boolean NOT NULL DEFAULT true',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE external_identities DROP COLUMN used_as_member');
  }
}
