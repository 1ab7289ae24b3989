import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds what an OpenID client has beside a satellite, and the keys of ID tokens. The previous
 * release registers satellites as before: each column has a default. The keys have a table of their
 * own, because the previous release signs access tokens with the newest key of `signing_keys`.
 */
export class DescribeOpenIdClients1795752000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE satellites
        ADD COLUMN type text COLLATE "C" NOT NULL DEFAULT 'confidential',
        ADD COLUMN first_party boolean NOT NULL DEFAULT false,
        ADD COLUMN grant_types text[] NOT NULL DEFAULT '{authorization_code,refresh_token}',
        ADD COLUMN token_endpoint_auth_method text COLLATE "C" NOT NULL DEFAULT 'client_secret_basic',
        ADD COLUMN post_logout_redirect_uris text[] NOT NULL DEFAULT '{}',
        ADD COLUMN backchannel_logout_uri text,
        ADD COLUMN require_par boolean NOT NULL DEFAULT false,
        ADD COLUMN id_token_alg text COLLATE "C" NOT NULL DEFAULT 'RS256',
        ADD COLUMN logo_uri text;
      CREATE TABLE id_token_keys (
        kid text COLLATE "C" NOT NULL CONSTRAINT id_token_keys_pkey PRIMARY KEY,
        public_jwk jsonb NOT NULL,
        sealed_private_key text NOT NULL,
        signs_from timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE id_token_keys;
      ALTER TABLE satellites
        DROP COLUMN type, DROP COLUMN first_party, DROP COLUMN grant_types,
        DROP COLUMN token_endpoint_auth_method, DROP COLUMN post_logout_redirect_uris,
        DROP COLUMN backchannel_logout_uri, DROP COLUMN require_par, DROP COLUMN id_token_alg,
        DROP COLUMN logo_uri;
    `);
  }
}
