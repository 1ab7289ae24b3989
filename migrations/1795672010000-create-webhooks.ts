import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Subscriptions to events, their deliveries, and the attempts of each. The tenant of the platform
 * is the empty text, so that there are no foreign keys to tenants.
 */
export class CreateWebhooks1795672010000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE webhook_endpoints (
        tenant_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        url text NOT NULL,
        description text,
        types text[] COLLATE "C" NOT NULL,
        subject_prefix text COLLATE "C",
        ordering text COLLATE "C" NOT NULL DEFAULT 'none',
        personal_data boolean NOT NULL DEFAULT false,
        signing text COLLATE "C" NOT NULL DEFAULT 'hmac',
        status text COLLATE "C" NOT NULL DEFAULT 'active',
        reason text COLLATE "C",
        paused boolean NOT NULL DEFAULT false,
        failures int NOT NULL DEFAULT 0,
        failing_since timestamptz,
        probe_at timestamptz,
        sealed_secret text NOT NULL,
        sealed_previous text,
        previous_until timestamptz,
        recover_after bigint,
        recover_from timestamptz,
        recover_at timestamptz,
        created_by text COLLATE "C" NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (tenant_id, id)
      );
      CREATE INDEX webhook_endpoints_recover_idx ON webhook_endpoints (recover_at) WHERE recover_after IS NOT NULL;
      CREATE INDEX webhook_endpoints_deleted_idx ON webhook_endpoints (tenant_id, id) WHERE status = 'deleted';
      CREATE TABLE webhook_deliveries (
        tenant_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        endpoint_id text COLLATE "C" NOT NULL,
        event_id text COLLATE "C" NOT NULL,
        type text COLLATE "C" NOT NULL,
        sequence bigint NOT NULL,
        is_test boolean NOT NULL DEFAULT false,
        order_key text COLLATE "C",
        state text COLLATE "C" NOT NULL,
        attempts int NOT NULL DEFAULT 0,
        due_at timestamptz NOT NULL DEFAULT now(),
        lease_until timestamptz,
        last_status int,
        last_error text COLLATE "C",
        created_at timestamptz NOT NULL DEFAULT now(),
        finished_at timestamptz,
        CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (tenant_id, id),
        CONSTRAINT webhook_deliveries_event_key UNIQUE (tenant_id, endpoint_id, event_id),
        CONSTRAINT webhook_deliveries_endpoint_fkey FOREIGN KEY (tenant_id, endpoint_id) REFERENCES webhook_endpoints (tenant_id, id)
      );
      CREATE INDEX webhook_deliveries_due_idx ON webhook_deliveries (tenant_id, endpoint_id, due_at) WHERE state = 'due';
      CREATE INDEX webhook_deliveries_lease_idx ON webhook_deliveries (lease_until) WHERE state = 'claimed';
      CREATE INDEX webhook_deliveries_order_idx ON webhook_deliveries (tenant_id, endpoint_id, order_key, sequence)
        WHERE order_key IS NOT NULL AND state IN ('waiting', 'due', 'claimed');
      CREATE INDEX webhook_deliveries_list_idx ON webhook_deliveries (tenant_id, endpoint_id, id);
      CREATE INDEX webhook_deliveries_created_idx ON webhook_deliveries (created_at);
      CREATE TABLE webhook_attempts (
        tenant_id text COLLATE "C" NOT NULL,
        delivery_id text COLLATE "C" NOT NULL,
        at timestamptz NOT NULL,
        id text COLLATE "C" NOT NULL,
        status int,
        ms int NOT NULL,
        error text COLLATE "C",
        excerpt text,
        CONSTRAINT webhook_attempts_pkey PRIMARY KEY (tenant_id, delivery_id, id)
      );
      CREATE INDEX webhook_attempts_at_idx ON webhook_attempts (at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE webhook_attempts, webhook_deliveries, webhook_endpoints');
  }
}
