import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = String.raw`
DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE EXTENSION IF NOT EXISTS btree_gin;
EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_file THEN
  RAISE EXCEPTION 'Searches need the extensions pg_trgm and btree_gin of PostgreSQL, which this role cannot create here (%). They are part of its contrib modules. Let an owner of the database run: CREATE EXTENSION pg_trgm; CREATE EXTENSION btree_gin;', SQLERRM;
END $$;

-- Pattern that finds a text anywhere in folded ones.
CREATE FUNCTION search_pattern(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT '%' || regexp_replace(search_key(value), '([\\%_])', '\\\1', 'g') || '%' $$;

-- Entries are written at once: a search would read those that wait one by one.
CREATE INDEX members_search_idx ON members USING gin (tenant_id, name_key gin_trgm_ops, address_key gin_trgm_ops) WITH (fastupdate = off);
CREATE INDEX invitations_search_idx ON invitations USING gin (tenant_id, email_key gin_trgm_ops) WITH (fastupdate = off);
`;

const DOWN = `
DROP INDEX invitations_search_idx;
DROP INDEX members_search_idx;
DROP FUNCTION search_pattern;
`;

/** Indexes of trigrams for searches of members and invitations (ADR 57). The extensions stay. */
export class SearchAnyPart1796080000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
