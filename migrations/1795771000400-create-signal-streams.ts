import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Streams of security events to clients (Shared Signals Framework 1.0), and what waits in them. */
export class CreateSignalStreams1795771000400 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE signal_streams (
        id text COLLATE "C" NOT NULL CONSTRAINT signal_streams_pkey PRIMARY KEY,
        client_id text COLLATE "C" NOT NULL
          CONSTRAINT signal_streams_client_fkey REFERENCES satellites (client_id) ON DELETE CASCADE,
        method text COLLATE "C" NOT NULL,
        endpoint_url text,
        sealed_authorization text,
        events_requested text[] NOT NULL,
        events_delivered text[] NOT NULL,
        description text,
        status text COLLATE "C" NOT NULL DEFAULT 'enabled',
        status_reason text,
        created_at timestamptz NOT NULL DEFAULT now(),
        polled_at timestamptz NOT NULL DEFAULT now(),
        verified_at timestamptz,
        attempts int NOT NULL DEFAULT 0,
        due_at timestamptz NOT NULL DEFAULT now(),
        lease_until timestamptz
      );
      CREATE INDEX signal_streams_client_idx ON signal_streams (client_id, id);
      CREATE INDEX signal_streams_polled_idx ON signal_streams (polled_at) WHERE method = 'poll';
      CREATE TABLE signal_events (
        id text COLLATE "C" NOT NULL CONSTRAINT signal_events_pkey PRIMARY KEY,
        stream_id text COLLATE "C" NOT NULL
          CONSTRAINT signal_events_stream_fkey REFERENCES signal_streams (id) ON DELETE CASCADE,
        type text COLLATE "C" NOT NULL,
        subject text COLLATE "C",
        session_id text COLLATE "C",
        details jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX signal_events_stream_idx ON signal_events (stream_id, id);
      CREATE INDEX signal_events_created_idx ON signal_events (created_at);
      CREATE INDEX satellites_own_idx ON satellites (client_id) WHERE first_party AND tenant_id IS NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX satellites_own_idx; DROP TABLE signal_events; DROP TABLE signal_streams');
  }
}
