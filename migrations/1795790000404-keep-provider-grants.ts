import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Refresh tokens of Google and Apple, sealed, by which an erasure revokes the grant there. */
export class KeepProviderGrants1795790000404 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE external_identities ADD COLUMN sealed_grant text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE external_identities DROP COLUMN sealed_grant');
  }
}
