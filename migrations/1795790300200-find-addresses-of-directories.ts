import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Finds people of directories by any of their addresses: identity providers filter by
 * `emails[type eq "work"].value`. Addresses are cut, because an entry of an index has a size.
 * Without `fastupdate`, whose list of pending entries each search would read.
 */
export class FindAddressesOfDirectories1795790300200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION directory_address_keys(attributes jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT coalesce(array_agg(left(lower((e.item ->> 'value') COLLATE "und-x-icu"), 320) COLLATE "C"), '{}')
        FROM jsonb_array_elements(CASE jsonb_typeof(attributes -> 'emails') WHEN 'array' THEN attributes -> 'emails' ELSE '[]' END) AS e (item)
        WHERE jsonb_typeof(e.item -> 'value') = 'string' $$;
      CREATE INDEX directory_users_addresses_idx ON directory_users USING gin (directory_address_keys(attributes)) WITH (fastupdate = off);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX directory_users_addresses_idx');
    await runner.query('DROP FUNCTION directory_address_keys');
  }
}
