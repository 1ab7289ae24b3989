import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Counts the users and groups of each directory, and their bytes, so that a limit is compared with
 * one row. Triggers count what each statement adds or removes, also erasures and cascades, and what
 * the previous release writes.
 */
export class CountRecordsOfDirectories1795970000100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE directories ADD COLUMN records int NOT NULL DEFAULT 0, ADD COLUMN bytes bigint NOT NULL DEFAULT 0;
      CREATE FUNCTION count_directory_records() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE sign int := CASE TG_OP WHEN 'DELETE' THEN -1 ELSE 1 END;
        BEGIN
          UPDATE directories d SET records = d.records + sign * c.records, bytes = d.bytes + sign * c.bytes
          FROM (SELECT tenant_id, directory_id, count(*)::int AS records, sum(octet_length(attributes::text)) AS bytes
            FROM changed GROUP BY tenant_id, directory_id) c
          WHERE d.tenant_id = c.tenant_id AND d.id = c.directory_id;
          RETURN NULL;
        END $$;
      CREATE FUNCTION count_directory_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          UPDATE directories SET bytes = bytes + octet_length(NEW.attributes::text) - octet_length(OLD.attributes::text)
          WHERE tenant_id = NEW.tenant_id AND id = NEW.directory_id;
          RETURN NULL;
        END $$;
      CREATE FUNCTION count_directory_memberships() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE sign int := CASE TG_OP WHEN 'DELETE' THEN -1 ELSE 1 END;
        BEGIN
          UPDATE directories d SET bytes = d.bytes + sign * c.bytes
          FROM (SELECT tenant_id, directory_id, 128 * count(*) AS bytes FROM changed GROUP BY tenant_id, directory_id) c
          WHERE d.tenant_id = c.tenant_id AND d.id = c.directory_id;
          RETURN NULL;
        END $$;
    `);
    for (const table of ['directory_users', 'directory_groups', 'directory_group_members']) {
      const counter = table === 'directory_group_members' ? 'memberships' : 'records';
      await runner.query(`
        CREATE TRIGGER ${table}_count_added AFTER INSERT ON ${table} REFERENCING NEW TABLE AS changed
          FOR EACH STATEMENT EXECUTE FUNCTION count_directory_${counter}();
        CREATE TRIGGER ${table}_count_removed AFTER DELETE ON ${table} REFERENCING OLD TABLE AS changed
          FOR EACH STATEMENT EXECUTE FUNCTION count_directory_${counter}();
      `);
    }
    for (const table of ['directory_users', 'directory_groups'])
      await runner.query(`
        CREATE TRIGGER ${table}_count_bytes AFTER UPDATE OF attributes ON ${table} FOR EACH ROW
          WHEN (OLD.attributes IS DISTINCT FROM NEW.attributes) EXECUTE FUNCTION count_directory_bytes();
      `);
    // The triggers lock the tables until the commit: nothing is counted twice, or not at all.
    await runner.query(`
      UPDATE directories d SET records = c.records, bytes = c.bytes
      FROM (SELECT tenant_id, directory_id, sum(records)::int AS records, sum(bytes)::bigint AS bytes FROM (
          SELECT tenant_id, directory_id, count(*) AS records, sum(octet_length(attributes::text)) AS bytes
          FROM directory_users GROUP BY tenant_id, directory_id
          UNION ALL
          SELECT tenant_id, directory_id, count(*), sum(octet_length(attributes::text))
          FROM directory_groups GROUP BY tenant_id, directory_id
          UNION ALL
          SELECT tenant_id, directory_id, 0, 128 * count(*) FROM directory_group_members GROUP BY tenant_id, directory_id
        ) parts GROUP BY tenant_id, directory_id) c
      WHERE d.tenant_id = c.tenant_id AND d.id = c.directory_id;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['directory_users', 'directory_groups', 'directory_group_members'])
      await runner.query(`
        DROP TRIGGER ${table}_count_added ON ${table};
        DROP TRIGGER ${table}_count_removed ON ${table};
      `);
    for (const table of ['directory_users', 'directory_groups'])
      await runner.query(`DROP TRIGGER ${table}_count_bytes ON ${table}`);
    await runner.query(`
      DROP FUNCTION count_directory_memberships;
      DROP FUNCTION count_directory_bytes;
      DROP FUNCTION count_directory_records;
      ALTER TABLE directories DROP COLUMN bytes, DROP COLUMN records;
    `);
  }
}
