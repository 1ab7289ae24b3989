import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes the events of a tenant by what was done, by whom, and to what (ADR 29). */
export class IndexAuditEvents1795650000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX audit_events_tenant_action_idx ON audit_events (tenant_id, action, id) WHERE tenant_id IS NOT NULL;
      CREATE INDEX audit_events_tenant_actor_idx ON audit_events (tenant_id, account_id, id) WHERE tenant_id IS NOT NULL;
      CREATE INDEX audit_events_tenant_subject_idx ON audit_events (tenant_id, subject, id) WHERE tenant_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP INDEX audit_events_tenant_action_idx, audit_events_tenant_actor_idx, audit_events_tenant_subject_idx',
    );
  }
}
