import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets operators find organizations by name, and events by what they happened to. */
export class FindOrganizations1795762000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX tenants_name_idx ON tenants ((search_key(name) COLLATE "C"), id);
      CREATE INDEX audit_events_subject_idx ON audit_events (subject, id) WHERE subject IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX audit_events_subject_idx, tenants_name_idx');
  }
}
