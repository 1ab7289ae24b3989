import type { MigrationInterface, QueryRunner } from 'typeorm';

/** History of the imports of people by operators. */
export class ImportRuns1796240500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE import_runs (
        id text COLLATE "C" NOT NULL,
        operator_id text COLLATE "C" NOT NULL,
        file_name text NOT NULL,
        imported integer NOT NULL DEFAULT 0,
        unchanged integer NOT NULL DEFAULT 0,
        failed integer NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT import_runs_pkey PRIMARY KEY (id)
      );
      CREATE INDEX import_runs_updated_idx ON import_runs (updated_at);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE import_runs');
  }
}
