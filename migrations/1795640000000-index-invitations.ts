import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes the invitations of a tenant by address and by status (ADR 29). */
export class IndexInvitations1795640000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX invitations_address_idx ON invitations (tenant_id, email_key, id);
      CREATE INDEX invitations_pending_idx ON invitations (tenant_id, id) WHERE accepted_at IS NULL AND revoked_at IS NULL;
      CREATE INDEX invitations_accepted_idx ON invitations (tenant_id, id) WHERE accepted_at IS NOT NULL;
      CREATE INDEX invitations_revoked_idx ON invitations (tenant_id, id) WHERE accepted_at IS NULL AND revoked_at IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP INDEX invitations_address_idx, invitations_pending_idx, invitations_accepted_idx, invitations_revoked_idx',
    );
  }
}
