import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
-- Names and address of a person.
CREATE FUNCTION search_text_of_person(first text, last text, display text, email text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT search_key(concat_ws(' ', display, first, last, email)) $$;

-- The same of a record of a directory: an attribute can be long, of which the beginning is enough.
CREATE FUNCTION search_text_of_record(user_name text, email text, attributes jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT search_key(concat_ws(' ', user_name, email, left(attributes ->> 'displayName', 255), left(attributes #>> '{name,givenName}', 255),
    left(attributes #>> '{name,familyName}', 255), left(attributes #>> '{name,formatted}', 255))) $$;

CREATE FUNCTION fill_search_text_of_person() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.search_text := search_text_of_person(NEW.first_name, NEW.last_name, NEW.display_name, NEW.email);
    RETURN NEW;
  END $$;
CREATE FUNCTION fill_search_text_of_record() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.search_text := search_text_of_record(NEW.user_name_key, NEW.email_key, NEW.attributes);
    RETURN NEW;
  END $$;

ALTER TABLE accounts ADD COLUMN search_text text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE directory_users ADD COLUMN search_text text COLLATE "C" NOT NULL DEFAULT '';
UPDATE accounts SET search_text = search_text_of_person(first_name, last_name, display_name, email) WHERE erased_at IS NULL;
UPDATE directory_users SET search_text = search_text_of_record(user_name_key, email_key, attributes);

-- By its name after accounts_forget_names, which empties names.
CREATE TRIGGER accounts_search_text BEFORE INSERT OR UPDATE OF first_name, last_name, display_name, email ON accounts FOR EACH ROW
  EXECUTE FUNCTION fill_search_text_of_person();
CREATE TRIGGER directory_users_search_text BEFORE INSERT OR UPDATE OF user_name_key, email_key, attributes ON directory_users FOR EACH ROW
  EXECUTE FUNCTION fill_search_text_of_record();

-- Entries are written at once, as of members.
CREATE INDEX accounts_search_idx ON accounts USING gin (search_text gin_trgm_ops) WITH (fastupdate = off);
CREATE INDEX directory_users_search_idx ON directory_users USING gin (tenant_id, directory_id, search_text gin_trgm_ops) WITH (fastupdate = off);
`;

const DOWN = `
DROP TRIGGER directory_users_search_text ON directory_users;
DROP TRIGGER accounts_search_text ON accounts;
ALTER TABLE directory_users DROP COLUMN search_text;
ALTER TABLE accounts DROP COLUMN search_text;
DROP FUNCTION fill_search_text_of_record;
DROP FUNCTION fill_search_text_of_person;
DROP FUNCTION search_text_of_record;
DROP FUNCTION search_text_of_person;
`;

/** Search of people and of records of directories for any part (ADR 72). */
export class SearchPeopleAndRecords1796200000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
