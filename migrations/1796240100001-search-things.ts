import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Index of trigrams for the search of registered things by a part of their names (ADR 57). */
export class SearchThings1796240100001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX registered_things_search_idx ON registered_things USING gin (tenant_id, search_key(name) gin_trgm_ops) WITH (fastupdate = off)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX registered_things_search_idx');
  }
}
