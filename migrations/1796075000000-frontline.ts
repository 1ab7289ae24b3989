import type { MigrationInterface, QueryRunner } from 'typeorm';

/** People without an address, and the shared stations at which they sign in (ADR 56). */
export class Frontline1796075000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE TABLE workers (
  tenant_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  number text NOT NULL,
  number_key text COLLATE "C" NOT NULL,
  until timestamptz,
  pin_hash text,
  pin_expires_at timestamptz,
  pin_failures integer NOT NULL DEFAULT 0,
  badge_lookup text COLLATE "C",
  badge_hash bytea,
  badge_expires_at timestamptz,
  reset_by text COLLATE "C",
  reset_until timestamptz,
  last_sign_in_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT workers_pkey PRIMARY KEY (tenant_id, user_id),
  CONSTRAINT workers_number_unique UNIQUE (tenant_id, number_key),
  CONSTRAINT workers_badge_unique UNIQUE (badge_lookup),
  CONSTRAINT workers_member_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES members(tenant_id, user_id) ON DELETE CASCADE
);

CREATE TABLE stations (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  place text,
  status text COLLATE "C" NOT NULL DEFAULT 'pending',
  idle_seconds integer NOT NULL,
  shift_seconds integer NOT NULL,
  networks text[] NOT NULL DEFAULT '{}',
  registration_hash bytea,
  registration_expires_at timestamptz,
  jwk jsonb,
  jkt text COLLATE "C",
  failed_at timestamptz[] NOT NULL DEFAULT '{}',
  session_id text COLLATE "C",
  user_id text COLLATE "C",
  created_by text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_seen_at timestamptz,
  CONSTRAINT stations_pkey PRIMARY KEY (tenant_id, id),
  CONSTRAINT stations_id_unique UNIQUE (id),
  CONSTRAINT stations_registration_unique UNIQUE (registration_hash),
  CONSTRAINT stations_status_known CHECK (status IN ('pending', 'active', 'locked', 'disabled')),
  CONSTRAINT stations_tenant_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX stations_user_idx ON stations (tenant_id, user_id) WHERE user_id IS NOT NULL;

ALTER TABLE grants ADD COLUMN station_id text COLLATE "C";
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE grants DROP COLUMN station_id; DROP TABLE stations, workers');
  }
}
