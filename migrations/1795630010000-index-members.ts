import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Fills the copies of existing memberships, and indexes each order of the list. Runs after the
 * triggers are committed: they copy a name that changes during the update, which does not
 * overwrite it.
 */
export class IndexMembers1795630010000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE members m SET name_key = search_key(coalesce(a.first_name, a.email, '')), address_key = search_key(coalesce(a.email, ''))
        FROM accounts a WHERE a.id = m.user_id AND m.name_key = '' AND m.address_key = '';
      CREATE INDEX members_name_idx ON members (tenant_id, name_key, user_id);
      CREATE INDEX members_address_idx ON members (tenant_id, address_key, user_id);
      CREATE INDEX members_joined_idx ON members (tenant_id, joined_at, user_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX members_name_idx, members_address_idx, members_joined_idx');
  }
}
