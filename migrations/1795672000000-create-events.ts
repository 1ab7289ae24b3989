import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Months for which the migration creates partitions; the cleanup creates further ones. */
const MONTHS = 3;

/**
 * Events: the outbox of commands, and the streams in which organizations read them. Both are
 * partitioned by month, because rows of whole months expire.
 */
export class CreateEvents1795672000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE SEQUENCE events_seq;
      CREATE TABLE events (
        id text COLLATE "C" NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        seq bigint NOT NULL DEFAULT nextval('events_seq'),
        xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
        type text COLLATE "C" NOT NULL,
        tenant_ids text[] COLLATE "C" NOT NULL,
        subject text COLLATE "C" NOT NULL,
        actor_id text COLLATE "C",
        data jsonb NOT NULL,
        CONSTRAINT events_pkey PRIMARY KEY (created_at, id)
      ) PARTITION BY RANGE (created_at);
      ALTER SEQUENCE events_seq OWNED BY events.seq;
      CREATE INDEX events_order_idx ON events (xid, seq);
      CREATE TABLE event_entries (
        tenant_id text COLLATE "C" NOT NULL,
        sequence bigint NOT NULL,
        created_at timestamptz NOT NULL,
        event_id text COLLATE "C" NOT NULL,
        CONSTRAINT event_entries_pkey PRIMARY KEY (tenant_id, sequence, created_at)
      ) PARTITION BY RANGE (created_at);
      CREATE INDEX event_entries_created_idx ON event_entries (created_at);
      CREATE TABLE event_streams (
        tenant_id text COLLATE "C" NOT NULL,
        last bigint NOT NULL,
        CONSTRAINT event_streams_pkey PRIMARY KEY (tenant_id)
      );
      CREATE TABLE event_cursors (
        consumer text COLLATE "C" NOT NULL,
        xid xid8 NOT NULL,
        seq bigint NOT NULL,
        CONSTRAINT event_cursors_pkey PRIMARY KEY (consumer)
      );
      INSERT INTO event_cursors (consumer, xid, seq) VALUES ('sequencer', '0', 0);
      CREATE TABLE events_default PARTITION OF events DEFAULT;
      CREATE TABLE event_entries_default PARTITION OF event_entries DEFAULT;
      DO $$
      DECLARE
        first date;
        parent text;
      BEGIN
        FOR month IN 0..${MONTHS - 1} LOOP
          first := date_trunc('month', now() AT TIME ZONE 'UTC') + make_interval(months => month);
          FOREACH parent IN ARRAY ARRAY['events', 'event_entries'] LOOP
            EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)', parent || to_char(first, '_YYYY_MM'), parent,
              first::timestamp AT TIME ZONE 'UTC', (first + interval '1 month')::timestamp AT TIME ZONE 'UTC');
          END LOOP;
        END LOOP;
      END $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE event_cursors, event_streams, event_entries, events');
  }
}
