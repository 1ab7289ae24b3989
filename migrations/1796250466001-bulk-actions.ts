import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What operators do for many people, with its progress. */
export class BulkActions1796250466001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE bulk_actions (
        id text COLLATE "C" NOT NULL,
        operator_id text COLLATE "C" NOT NULL,
        kind text COLLATE "C" NOT NULL,
        state text COLLATE "C" NOT NULL DEFAULT 'running',
        total integer NOT NULL,
        done integer NOT NULL DEFAULT 0,
        skipped integer NOT NULL DEFAULT 0,
        last_id text COLLATE "C" NOT NULL DEFAULT '',
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT bulk_actions_pkey PRIMARY KEY (id)
      );
      CREATE INDEX bulk_actions_created_idx ON bulk_actions (created_at);
      CREATE INDEX bulk_actions_running_idx ON bulk_actions (operator_id) WHERE state = 'running';`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE bulk_actions');
  }
}
