import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
CREATE FUNCTION search_text_of_tenant(name text, slug text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT search_key(concat_ws(' ', name, slug)) $$;
CREATE FUNCTION fill_search_text_of_tenant() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.search_text := search_text_of_tenant(NEW.name, NEW.slug);
    RETURN NEW;
  END $$;

ALTER TABLE tenants ADD COLUMN search_text text COLLATE "C" NOT NULL DEFAULT '';
UPDATE tenants SET search_text = search_text_of_tenant(name, slug);
CREATE TRIGGER tenants_search_text BEFORE INSERT OR UPDATE OF name, slug ON tenants FOR EACH ROW
  EXECUTE FUNCTION fill_search_text_of_tenant();

-- Entries are written at once, as of accounts.
CREATE INDEX tenants_search_idx ON tenants USING gin (search_text gin_trgm_ops) WITH (fastupdate = off);
`;

const DOWN = `
DROP TRIGGER tenants_search_text ON tenants;
ALTER TABLE tenants DROP COLUMN search_text;
DROP FUNCTION fill_search_text_of_tenant;
DROP FUNCTION search_text_of_tenant;
`;

/** Search of organizations for any part of their names (ADR 72). */
export class SearchOrganizations1796250530001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
