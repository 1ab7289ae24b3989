import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which memberships a directory has suspended: it restores these, and none that an administrator
 * suspended. Memberships of people who are inactive now count as suspended by their directory.
 */
export class NoteSuspensionsByDirectories1795790300100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE directory_users ADD COLUMN suspended_member boolean NOT NULL DEFAULT false;
      UPDATE directory_users u SET suspended_member = true FROM members m
        WHERE m.tenant_id = u.tenant_id AND m.user_id = u.account_id AND m.status = 'suspended' AND NOT u.active;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE directory_users DROP COLUMN suspended_member');
  }
}
