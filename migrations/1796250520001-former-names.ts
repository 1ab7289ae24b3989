import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables of the things that the audit trail names, with their collections and their names. */
const NAMED = [
  ['roles', 'iam/roles', 'name', ''],
  ['satellites', 'iam/clients', 'name', ''],
  ['apis', 'iam/client-apis', 'name', ''],
  ['connections', 'iam/connections', 'name', ''],
  ['directories', 'iam/directories', 'name', ''],
  ['stations', 'iam/stations', 'name', ''],
  ['tenant_domains', 'iam/domains', 'domain', ''],
  ['service_accounts', 'iam/service-accounts', 'name', ''],
  ['machine_credentials', 'iam/api-keys', 'name', "OLD.owner_kind = 'service-account'"],
] as const;

/**
 * Keeps the names of deleted things, for the audit trail (ADR 66). By triggers, so that a name is
 * kept whatever deletes the row: a command, a cascade, a cleanup, a replica of an earlier build. A
 * deletion of the whole organization keeps none.
 */
export class FormerNames1796250520001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE former_names (
        tenant_id text COLLATE "C" NOT NULL,
        subject text COLLATE "C" NOT NULL,
        name text NOT NULL,
        deleted_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT former_names_pkey PRIMARY KEY (tenant_id, subject)
      );
      CREATE INDEX former_names_deleted_idx ON former_names (tenant_id, deleted_at);
      INSERT INTO former_names (tenant_id, subject, name, deleted_at)
      SELECT tenant_id, 'iam/api-keys/' || id, name, ended_at FROM ended_keys;
      -- The address of a webhook may hold a secret: only its origin is kept.
      CREATE FUNCTION keep_former_name() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO former_names (tenant_id, subject, name)
          SELECT t.id, TG_ARGV[0] || '/' || OLD.id, n.name
          FROM tenants t, coalesce(to_jsonb(OLD) ->> TG_ARGV[1], substring(to_jsonb(OLD) ->> 'url' FROM '^[a-z]+://[^/?#]+')) AS n (name)
          WHERE t.id = OLD.tenant_id AND t.deletion_started_at IS NULL AND n.name IS NOT NULL
          ON CONFLICT DO NOTHING;
          RETURN NULL;
        END $$;
      ${NAMED.map(
        ([table, collection, name, when]) =>
          `CREATE TRIGGER ${table}_keep_name AFTER DELETE ON ${table} FOR EACH ROW${when && ` WHEN (${when})`}
             EXECUTE FUNCTION keep_former_name('${collection}', '${name}');`,
      ).join('\n')}
      CREATE TRIGGER webhook_endpoints_keep_name AFTER UPDATE OF status ON webhook_endpoints FOR EACH ROW
        WHEN (NEW.status = 'deleted' AND OLD.status <> 'deleted')
        EXECUTE FUNCTION keep_former_name('webhooks/subscriptions', 'description');`);
  }

  async down(runner: QueryRunner): Promise<void> {
    const tables = [...NAMED.map(([table]) => table), 'webhook_endpoints'];
    await runner.query(`
      ${tables.map((table) => `DROP TRIGGER ${table}_keep_name ON ${table};`).join('\n')}
      DROP FUNCTION keep_former_name();
      DROP TABLE former_names;`);
  }
}
