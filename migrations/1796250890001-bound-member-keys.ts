import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the functions of the triggers that copy name and address. @param key SQL of a text */
const functions = (key: (text: string) => string): string => `
CREATE OR REPLACE FUNCTION fill_member_keys() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    SELECT ${key("coalesce(person_name(a.first_name, a.last_name, a.display_name), a.email, '')")}, ${key("coalesce(a.email, '')")}
      INTO NEW.name_key, NEW.address_key FROM accounts a WHERE a.id = NEW.user_id FOR SHARE;
    NEW.name_key := coalesce(NEW.name_key, '');
    NEW.address_key := coalesce(NEW.address_key, '');
    RETURN NEW;
  END $$;

CREATE OR REPLACE FUNCTION update_member_keys() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE members SET name_key = ${key("coalesce(person_name(NEW.first_name, NEW.last_name, NEW.display_name), NEW.email, '')")},
      address_key = ${key("coalesce(NEW.email, '')")} WHERE user_id = NEW.id;
    RETURN NULL;
  END $$;`;

/**
 * Cuts the keys of members to what a cursor holds (`TEXT_KEY`). Folding makes up to eighteen
 * characters of one (U+FDFA), so that a member could choose a name after which no page of the list
 * can be read. A key that is too long already is cut with the next change of the name: all
 * memberships would have to be read to find it.
 */
export class BoundMemberKeys1796250890001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(functions((text) => `left(search_key(${text}), 254)`));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(functions((text) => `search_key(${text})`));
  }
}
