import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Properties that clients of other authors need at the OpenID provider (ADR 55). */
export class OpenIdClientsOfAnyKind1796061000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE satellites
        ADD COLUMN require_pkce boolean NOT NULL DEFAULT true,
        ADD COLUMN id_token_claims text COLLATE "C" NOT NULL DEFAULT 'none';
      -- Finds the client of a logout that names its address only.
      CREATE INDEX satellites_post_logout_idx ON satellites USING gin (post_logout_redirect_uris);
      ALTER TABLE oidc_requests ADD COLUMN response_mode text COLLATE "C" NOT NULL DEFAULT 'query';`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE oidc_requests DROP COLUMN response_mode;
      DROP INDEX satellites_post_logout_idx;
      ALTER TABLE satellites DROP COLUMN id_token_claims, DROP COLUMN require_pkce;`);
  }
}
