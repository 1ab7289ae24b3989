import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds events of the audit trail by the thing or the partnership that allowed them. */
export class AllowedBy1796250465001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE INDEX audit_details_on_idx ON audit_details ((details ->> 'on'), event_id) WHERE details ->> 'on' IS NOT NULL;
CREATE INDEX audit_details_tenant_on_idx ON audit_details ((details ->> 'on'), tenant_id, event_id) WHERE details ->> 'on' IS NOT NULL;
CREATE INDEX audit_details_via_idx ON audit_details ((details ->> 'via'), event_id) WHERE details ->> 'via' IS NOT NULL;
CREATE INDEX audit_details_tenant_via_idx ON audit_details ((details ->> 'via'), tenant_id, event_id) WHERE details ->> 'via' IS NOT NULL;
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP INDEX audit_details_on_idx, audit_details_tenant_on_idx, audit_details_via_idx, audit_details_tenant_via_idx',
    );
  }
}
