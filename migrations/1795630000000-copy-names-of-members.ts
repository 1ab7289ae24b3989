import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Copies name and address of each account to its memberships, so that an index of one tenant finds
 * and orders its members (ADR 29). Triggers keep the copies, so that the previous release does too.
 */
export class CopyNamesOfMembers1795630000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(String.raw`
      CREATE FUNCTION search_key(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT regexp_replace(lower(normalize(value, NFKD) COLLATE "und-x-icu"), '[\u0300-\u036f]', '', 'g') COLLATE "C" $$;
      ALTER TABLE members
        ADD COLUMN name_key text COLLATE "C" NOT NULL DEFAULT '',
        ADD COLUMN address_key text COLLATE "C" NOT NULL DEFAULT '';
      CREATE FUNCTION fill_member_keys() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          SELECT search_key(coalesce(a.first_name, a.email, '')), search_key(coalesce(a.email, ''))
            INTO NEW.name_key, NEW.address_key FROM accounts a WHERE a.id = NEW.user_id FOR SHARE;
          NEW.name_key := coalesce(NEW.name_key, '');
          NEW.address_key := coalesce(NEW.address_key, '');
          RETURN NEW;
        END $$;
      CREATE TRIGGER members_fill_keys BEFORE INSERT ON members FOR EACH ROW EXECUTE FUNCTION fill_member_keys();
      CREATE FUNCTION update_member_keys() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          UPDATE members SET name_key = search_key(coalesce(NEW.first_name, NEW.email, '')),
            address_key = search_key(coalesce(NEW.email, '')) WHERE user_id = NEW.id;
          RETURN NULL;
        END $$;
      CREATE TRIGGER accounts_update_member_keys AFTER UPDATE OF first_name, email ON accounts FOR EACH ROW
        WHEN (OLD.first_name IS DISTINCT FROM NEW.first_name OR OLD.email IS DISTINCT FROM NEW.email)
        EXECUTE FUNCTION update_member_keys()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER accounts_update_member_keys ON accounts;
      DROP TRIGGER members_fill_keys ON members;
      DROP FUNCTION update_member_keys, fill_member_keys;
      ALTER TABLE members DROP COLUMN name_key, DROP COLUMN address_key;
      DROP FUNCTION search_key`);
  }
}
