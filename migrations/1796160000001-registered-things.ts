import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Things of other services, of what they are parts, and how many each organization has. */
export class RegisteredThings1796160000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE registered_things (
        tenant_id text COLLATE "C" NOT NULL,
        thing text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        name text,
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT registered_things_pkey PRIMARY KEY (tenant_id, thing)
      );
      CREATE UNIQUE INDEX registered_things_id_idx ON registered_things (tenant_id, id);
      CREATE TABLE registered_parents (
        tenant_id text COLLATE "C" NOT NULL,
        thing text COLLATE "C" NOT NULL,
        parent text COLLATE "C" NOT NULL,
        height integer NOT NULL,
        CONSTRAINT registered_parents_pkey PRIMARY KEY (tenant_id, thing, parent)
      );
      CREATE INDEX registered_parents_parent_idx ON registered_parents (tenant_id, parent, height);
      CREATE TABLE registered_thing_counts (
        tenant_id text COLLATE "C" NOT NULL,
        things integer NOT NULL,
        CONSTRAINT registered_thing_counts_pkey PRIMARY KEY (tenant_id)
      );`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE registered_thing_counts, registered_parents, registered_things');
  }
}
