import type { MigrationInterface, QueryRunner } from 'typeorm';

/** APIs that accept tokens of this service, and the clients that reach them (ADR 63). */
export class Apis1796120000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE TABLE apis (
  id text COLLATE "C" NOT NULL,
  tenant_id text COLLATE "C",
  identifier text COLLATE "C" NOT NULL,
  name text NOT NULL,
  scopes jsonb NOT NULL DEFAULT '[]',
  access_token_seconds integer NOT NULL,
  access_token_alg text COLLATE "C" NOT NULL,
  secret_hash bytea,
  previous_secret_hash bytea,
  previous_secret_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT apis_pkey PRIMARY KEY (id),
  CONSTRAINT apis_identifier_unique UNIQUE (identifier),
  CONSTRAINT apis_tenant_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX apis_tenant_idx ON apis (tenant_id, id);

CREATE TABLE api_clients (
  api_id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  scopes text[] NOT NULL,
  CONSTRAINT api_clients_pkey PRIMARY KEY (api_id, client_id),
  CONSTRAINT api_clients_api_fkey FOREIGN KEY (api_id) REFERENCES apis(id) ON DELETE CASCADE
);
CREATE INDEX api_clients_client_idx ON api_clients (client_id);
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE api_clients; DROP TABLE apis;');
  }
}
