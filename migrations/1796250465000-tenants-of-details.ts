import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Names the organization in details of events. With indexes, it would lock reads for long. */
export class TenantsOfDetails1796250465000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_details ADD COLUMN tenant_id text COLLATE "C"');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_details DROP COLUMN tenant_id');
  }
}
