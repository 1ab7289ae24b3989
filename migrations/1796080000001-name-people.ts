import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = String.raw`
ALTER TABLE accounts ADD COLUMN last_name text, ADD COLUMN display_name text;
ALTER TABLE pending_registrations ADD COLUMN last_name text, ADD COLUMN display_name text;
ALTER TABLE external_identities ADD COLUMN followed_last_name text, ADD COLUMN followed_display_name text;

-- Whole name of a person, as nameOf of the service; null without one.
CREATE FUNCTION person_name(first text, last text, display text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(display, first || ' ' || last, first, last) $$;

CREATE OR REPLACE FUNCTION fill_member_keys() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    SELECT search_key(coalesce(person_name(a.first_name, a.last_name, a.display_name), a.email, '')), search_key(coalesce(a.email, ''))
      INTO NEW.name_key, NEW.address_key FROM accounts a WHERE a.id = NEW.user_id FOR SHARE;
    NEW.name_key := coalesce(NEW.name_key, '');
    NEW.address_key := coalesce(NEW.address_key, '');
    RETURN NEW;
  END $$;

CREATE OR REPLACE FUNCTION update_member_keys() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE members SET name_key = search_key(coalesce(person_name(NEW.first_name, NEW.last_name, NEW.display_name), NEW.email, '')),
      address_key = search_key(coalesce(NEW.email, '')) WHERE user_id = NEW.id;
    RETURN NULL;
  END $$;

CREATE OR REPLACE TRIGGER accounts_update_member_keys AFTER UPDATE OF first_name, last_name, display_name, email ON accounts FOR EACH ROW
  WHEN ((old.first_name, old.last_name, old.display_name, old.email) IS DISTINCT FROM (new.first_name, new.last_name, new.display_name, new.email))
  EXECUTE FUNCTION update_member_keys();

-- An erasure by a replica of the previous release knows nothing of these columns.
CREATE FUNCTION forget_names() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.last_name := NULL;
    NEW.display_name := NULL;
    RETURN NEW;
  END $$;
CREATE TRIGGER accounts_forget_names BEFORE UPDATE OF erased_at ON accounts FOR EACH ROW WHEN (new.erased_at IS NOT NULL)
  EXECUTE FUNCTION forget_names();
`;

const DOWN = String.raw`
DROP TRIGGER accounts_forget_names ON accounts;
DROP FUNCTION forget_names;
CREATE OR REPLACE TRIGGER accounts_update_member_keys AFTER UPDATE OF first_name, email ON accounts FOR EACH ROW
  WHEN ((old.first_name IS DISTINCT FROM new.first_name) OR (old.email IS DISTINCT FROM new.email))
  EXECUTE FUNCTION update_member_keys();
CREATE OR REPLACE FUNCTION update_member_keys() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE members SET name_key = search_key(coalesce(NEW.first_name, NEW.email, '')),
      address_key = search_key(coalesce(NEW.email, '')) WHERE user_id = NEW.id;
    RETURN NULL;
  END $$;
CREATE OR REPLACE FUNCTION fill_member_keys() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    SELECT search_key(coalesce(a.first_name, a.email, '')), search_key(coalesce(a.email, ''))
      INTO NEW.name_key, NEW.address_key FROM accounts a WHERE a.id = NEW.user_id FOR SHARE;
    NEW.name_key := coalesce(NEW.name_key, '');
    NEW.address_key := coalesce(NEW.address_key, '');
    RETURN NEW;
  END $$;
DROP FUNCTION person_name;
ALTER TABLE external_identities DROP COLUMN followed_last_name, DROP COLUMN followed_display_name;
ALTER TABLE pending_registrations DROP COLUMN last_name, DROP COLUMN display_name;
ALTER TABLE accounts DROP COLUMN last_name, DROP COLUMN display_name;
`;

/** Last and display names of people, and members ordered by their whole names. */
export class NamePeople1796080000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
