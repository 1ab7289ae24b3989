import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Deletion of tenants. Events of the audit trail can be deleted with their tenant and at no other
 * time.
 */
export class DeleteTenants1795660000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE tenants
        ADD COLUMN deletes_at timestamptz,
        ADD COLUMN deletion_requested_by text COLLATE "C",
        ADD COLUMN deletion_started_at timestamptz,
        ADD CONSTRAINT tenants_deletion_requested CHECK (deletes_at IS NULL OR deletion_requested_by IS NOT NULL),
        ADD CONSTRAINT tenants_deletion_scheduled CHECK (deletion_started_at IS NULL OR deletes_at IS NOT NULL);
      CREATE INDEX tenants_deletion_idx ON tenants (deletes_at, id) WHERE deletes_at IS NOT NULL;
      CREATE INDEX grants_of_tenant_idx ON grants (tenant_id, id) WHERE tenant_id IS NOT NULL;
      CREATE INDEX satellite_codes_tenant_idx ON satellite_codes (tenant_id) WHERE tenant_id IS NOT NULL;
      DROP TRIGGER audit_events_append_only ON audit_events;
      CREATE TRIGGER audit_events_append_only BEFORE UPDATE OR TRUNCATE ON audit_events
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
      CREATE FUNCTION refuse_deletion_of_events() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF EXISTS (SELECT 1 FROM deleted d LEFT JOIN tenants t ON t.id = d.tenant_id WHERE t.deletion_started_at IS NULL)
            THEN RAISE EXCEPTION 'The audit trail is append-only.';
          END IF;
          RETURN NULL;
        END $$;
      CREATE TRIGGER audit_events_deleted_with_tenant AFTER DELETE ON audit_events
        REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION refuse_deletion_of_events();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER audit_events_deleted_with_tenant ON audit_events;
      DROP FUNCTION refuse_deletion_of_events;
      DROP TRIGGER audit_events_append_only ON audit_events;
      CREATE TRIGGER audit_events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_events
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
      DROP INDEX satellite_codes_tenant_idx, grants_of_tenant_idx, tenants_deletion_idx;
      ALTER TABLE tenants DROP COLUMN deletion_started_at, DROP COLUMN deletion_requested_by, DROP COLUMN deletes_at;
    `);
  }
}
