import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Connections that are trusted for identity assertions, and clients that get some (ADR 70). */
export class IdentityAssertions1796180000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
ALTER TABLE connections ADD COLUMN identity_assertions boolean NOT NULL DEFAULT false;
CREATE INDEX oidc_connections_issuer_idx ON oidc_connections (issuer);
ALTER TABLE satellites ADD COLUMN assertion_audiences jsonb NOT NULL DEFAULT '[]';
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
ALTER TABLE satellites DROP COLUMN assertion_audiences;
DROP INDEX oidc_connections_issuer_idx;
ALTER TABLE connections DROP COLUMN identity_assertions;
`);
  }
}
