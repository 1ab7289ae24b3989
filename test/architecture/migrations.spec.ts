import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { DataSource, type QueryRunner } from 'typeorm';
import { ulid } from 'ulid';
import { migrations } from '../../migrations/index.js';
import { JOB_TABLES, migrateDatabase } from '../../src/platform/database/migrate.js';
import { breaksOf } from '../support/expansion.js';
import { Next9999999999999, NEXT_MIGRATION } from '../support/next-migration.js';
import { createDatabase } from '../support/test-app.js';

const SCHEMA = `
  SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns WHERE table_schema = 'public'
  UNION ALL
  SELECT tablename, indexname, indexdef, '', '' FROM pg_indexes WHERE schemaname = 'public'
  ORDER BY 1, 2`;

const MOVE = 'ops/move-to-1.0.0.sql';

/** Makes of a database of 1.0.0 one of the last build before it. */
const BEFORE_1_0_0 = `
  ALTER TABLE directory_tokens DROP COLUMN stopped_at;
  ALTER TABLE saml_connections DROP COLUMN authn_instant_max_age, DROP COLUMN sso_binding;
  ALTER TABLE external_identities DROP COLUMN followed_name;
  DROP TABLE one_time_codes;
  CREATE TABLE oidc_codes (code_hash bytea PRIMARY KEY, client_id text NOT NULL, session_id text NOT NULL, account_id text NOT NULL,
    tenant_id text, redirect_uri text NOT NULL, code_challenge text NOT NULL, scopes text[] NOT NULL, nonce text, grant_id text,
    expires_at timestamptz NOT NULL, consumed_at timestamptz, dpop_jkt text);
  CREATE TABLE satellite_codes (code_hash bytea PRIMARY KEY, client_id text, session_id text NOT NULL, account_id text NOT NULL,
    tenant_id text, redirect_uri text NOT NULL, code_challenge text NOT NULL, expires_at timestamptz NOT NULL, consumed_at timestamptz);
  CREATE TABLE external_codes (code_hash bytea PRIMARY KEY, account_id text NOT NULL, kind text NOT NULL, code_challenge text NOT NULL,
    expires_at timestamptz NOT NULL, consumed_at timestamptz, session_id text, connection_id text NOT NULL DEFAULT '', upstream jsonb,
    is_two_factor boolean NOT NULL DEFAULT false);
  CREATE TABLE external_link_codes (code_hash bytea PRIMARY KEY, account_id text NOT NULL, session_id text NOT NULL, sealed text NOT NULL,
    expires_at timestamptz NOT NULL);
  CREATE TABLE saml_keys (single boolean PRIMARY KEY DEFAULT true, certificate text NOT NULL, sealed_private_key text NOT NULL);
  INSERT INTO saml_keys (certificate, sealed_private_key) VALUES ('certificate', 'sealed');
  CREATE TABLE oidc_client_keys (single boolean PRIMARY KEY DEFAULT true, kid text NOT NULL, sealed_private_key text NOT NULL);
  ALTER TABLE sessions ADD COLUMN factor_owed boolean NOT NULL DEFAULT false;
  CREATE FUNCTION fill_identity_connection() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
  CREATE TRIGGER external_identities_fill_connection BEFORE INSERT ON external_identities
    FOR EACH ROW EXECUTE FUNCTION fill_identity_connection();
  ALTER TABLE external_identities ALTER COLUMN connection_id SET DEFAULT '';
  ALTER TABLE impersonations ALTER COLUMN operator_session_id DROP NOT NULL;
  CREATE FUNCTION trust_rule_selector(conditions jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT conditions::text $$;
  CREATE INDEX trust_rules_selector_idx ON trust_rules (trust_rule_selector(conditions));
  TRUNCATE schema_migrations;
  INSERT INTO schema_migrations (timestamp, name) VALUES (1795190400000, 'CreateAccountsAndSessions1795190400000'),
    (1795990000000, 'RememberSuspensionsOfDirectories1795990000000');`;

/** A code of each kind, in a database of that build. */
const UNDER_WAY = `
  INSERT INTO accounts (id, email, email_key, first_name, country) VALUES ('A', 'ada@example.com', 'ada@example.com', 'Ada', 'DE');
  INSERT INTO sessions (id, account_id, amr, expires_at) VALUES ('S', 'A', '{pwd}', now() + interval '1 day');
  INSERT INTO satellites (id, client_id, name, redirect_uris, scopes, secret_hash) VALUES ('C', 'C', 'Client', '{}', '{}', 'secret');
  INSERT INTO oidc_codes (code_hash, client_id, session_id, account_id, redirect_uri, code_challenge, scopes, expires_at, consumed_at)
    VALUES ('openid', 'C', 'S', 'A', '-', '-', '{openid}', now(), now());
  INSERT INTO satellite_codes (code_hash, client_id, session_id, account_id, redirect_uri, code_challenge, expires_at)
    VALUES ('satellite', 'C', 'S', 'A', '-', '-', now()), ('hosted', NULL, 'S', 'A', '-', '-', now());
  INSERT INTO external_codes (code_hash, account_id, kind, code_challenge, expires_at) VALUES ('sign-in', 'A', 'google', '-', now());
  INSERT INTO external_link_codes (code_hash, account_id, session_id, sealed, expires_at)
    VALUES ('linking', 'A', 'S', 'sealed', now()), ('proof', 'A', '', 'sealed', now()), ('ended', 'A', 'gone', 'sealed', now());`;

/** Foreign keys without an index on their column. */
const UNINDEXED = `
  SELECT conname AS name FROM pg_constraint c WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND NOT EXISTS (
    SELECT 1 FROM pg_index i WHERE i.indrelid = c.conrelid AND i.indkey[0] = c.conkey[1] AND i.indpred IS NULL)`;

/**
 * It refuses ids of a time that is a week ahead or more, until the migration after the next makes
 * partitions for them (ADR 73).
 */
const BOUND = 'BoundAuditTables1796240600002';

describe('Migrations', () => {
  const admin = new Client({ connectionString: process.env['TEST_POSTGRES_URL'] });
  beforeAll(() => admin.connect());
  afterAll(() => admin.end());

  async function emptyDatabase(): Promise<string> {
    const name = `migrations_${ulid().toLowerCase()}`;
    await admin.query(`CREATE DATABASE ${name}`);
    const url = new URL(process.env['TEST_POSTGRES_URL'] ?? '');
    url.pathname = `/${name}`;
    return url.href;
  }

  it('refuse a database that is not in UTF-8, and say how to create one', async () => {
    const name = `migrations_${ulid().toLowerCase()}`;
    await admin.query(`CREATE DATABASE ${name} ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0`);
    const url = new URL(process.env['TEST_POSTGRES_URL'] ?? '');
    url.pathname = `/${name}`;
    await expect(migrateDatabase(url.href, migrations)).rejects.toThrow(
      /^the database migrations_\w+ at [\w.:]+ has the encoding SQL_ASCII\. Create it with UTF8/,
    );
    expect(await rowsOf(url.href, 'SELECT 1 FROM pg_tables WHERE schemaname = current_schema()')).toEqual([]);
  });

  it('say which extensions to create where the role may not', async () => {
    const url = new URL(await emptyDatabase());
    const role = `limited_${ulid().toLowerCase()}`;
    await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'limited'`);
    await admin.query(`REVOKE CREATE ON DATABASE ${url.pathname.slice(1)} FROM PUBLIC`);
    await rowsOf(url.href, `ALTER SCHEMA public OWNER TO ${role}`);
    const limited = new URL(url);
    [limited.username, limited.password] = [role, 'limited'];
    const refusal = /Let an owner of the database run: CREATE EXTENSION pg_trgm; CREATE EXTENSION btree_gin;/;
    await expect(migrateDatabase(limited.href, migrations)).rejects.toThrow(refusal);
    await rowsOf(url.href, 'CREATE EXTENSION pg_trgm; CREATE EXTENSION btree_gin');
    await expect(migrateDatabase(limited.href, migrations)).rejects.not.toThrow(refusal);
  });

  async function rowsOf(url: string, question: string): Promise<unknown[]> {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(question)).rows;
    } finally {
      await client.end();
    }
  }

  const schemaOf = (url: string) => rowsOf(url, SCHEMA);

  it('are applied once when five replicas start concurrently', async () => {
    const url = await emptyDatabase();
    await Promise.all(Array.from({ length: 5 }, () => migrateDatabase(url, migrations)));
    const tables = (await schemaOf(url)).map((row) => (row as { table_name: string }).table_name);
    expect(tables).toEqual(expect.arrayContaining(['accounts', 'sessions', 'grants']));
  });

  it("know the job queue's tables that the library makes, so that a start need not ask it", async () => {
    const url = await createDatabase();
    const made = await rowsOf(url, 'SELECT max(id) AS id FROM graphile_worker.migrations');
    expect(made).toEqual([{ id: JOB_TABLES }]);
  });

  it('update the tables of an older job queue', async () => {
    const url = await createDatabase();
    const older =
      'DROP SCHEMA graphile_worker CASCADE; CREATE SCHEMA graphile_worker; CREATE TABLE graphile_worker.migrations (id int PRIMARY KEY)';
    await rowsOf(url, older);
    await migrateDatabase(url, migrations);
    expect(await rowsOf(url, "SELECT to_regclass('graphile_worker.jobs') AS jobs")).toEqual([
      { jobs: 'graphile_worker.jobs' },
    ]);
  });

  it('return to the same schema after down and up', async () => {
    const url = await createDatabase();
    const before = await schemaOf(url);
    const source = new DataSource({
      type: 'postgres',
      url,
      migrations: [...migrations],
      migrationsTableName: 'schema_migrations',
    });
    await source.initialize();
    for (const _ of migrations) await source.undoLastMigration();
    const empty = (await schemaOf(url)).map((row) => (row as { table_name: string }).table_name);
    expect(new Set(empty)).toEqual(new Set(['schema_migrations']));
    await source.runMigrations();
    await source.destroy();
    expect(await schemaOf(url)).toEqual(before);
  });

  describe('of a build before 1.0.0', () => {
    const move = async (url: string) => rowsOf(url, `BEGIN; ${await readFile(MOVE, 'utf8')}; COMMIT`);

    it('are moved by a command to the schema of 1.0.0, with the keys at providers', async () => {
      const schema = await schemaOf(await createDatabase());
      const url = await emptyDatabase();
      await migrateDatabase(url, migrations.slice(0, 1));
      await rowsOf(url, BEFORE_1_0_0);
      await expect(migrateDatabase(url, migrations)).rejects.toThrow('made before 1.0.0');
      await move(url);
      await migrateDatabase(url, migrations);
      expect(await schemaOf(url)).toEqual(schema);
      expect(await rowsOf(url, 'SELECT kind, sealed_private_key FROM connection_keys')).toEqual([
        { kind: 'saml', sealed_private_key: 'sealed' },
      ]);
    });

    it('keep the sign-ins that are under way', async () => {
      const url = await emptyDatabase();
      await migrateDatabase(url, migrations);
      await rowsOf(url, `${BEFORE_1_0_0} ${UNDER_WAY}`);
      await move(url);
      const rows = await rowsOf(
        url,
        `SELECT encode(code_hash, 'escape') AS code, purpose, client_id, session_id, scopes, content, consumed_at IS NOT NULL AS used,
           grant_id <> '' AS gives FROM one_time_codes ORDER BY code_hash`,
      );
      const rest = { scopes: null, content: null, used: false, gives: true };
      const account = { client_id: null, scopes: null, used: false, gives: null };
      const proof = { kind: 'google', connectionId: '', upstream: null, isTwoFactor: false };
      expect(rows).toEqual([
        { ...rest, code: 'hosted', purpose: 'hosted', client_id: null, session_id: 'S' },
        { ...account, code: 'linking', purpose: 'link', session_id: 'S', content: 'sealed' },
        {
          ...rest,
          code: 'openid',
          purpose: 'openid',
          client_id: 'C',
          session_id: 'S',
          scopes: ['openid'],
          used: true,
        },
        { ...account, code: 'proof', purpose: 'link', session_id: null, content: 'sealed' },
        { ...rest, code: 'satellite', purpose: 'satellite', client_id: 'C', session_id: 'S' },
        { ...account, code: 'sign-in', purpose: 'external', session_id: null, content: proof },
      ]);
    });

    it('are not moved from an older schema', async () => {
      const url = await emptyDatabase();
      await migrateDatabase(url, migrations.slice(0, 1));
      await rowsOf(url, `${BEFORE_1_0_0} DELETE FROM schema_migrations WHERE timestamp > 1795900000000`);
      await expect(move(url)).rejects.toThrow('Start the last build before 1.0.0 once');
    });
  });

  it('go to the schema that the connection names, whatever another application keeps in the one beside it', async () => {
    const url = new URL(await emptyDatabase());
    const theirs = 'CREATE TABLE public.schema_migrations (version text); CREATE SCHEMA gatehouse';
    await rowsOf(url.href, theirs);
    url.searchParams.set('options', '-c search_path=gatehouse,public');
    await migrateDatabase(url.href, migrations);
    await migrateDatabase(url.href, migrations);
    const applied = await rowsOf(url.href, 'SELECT name FROM gatehouse.schema_migrations');
    expect(applied).toHaveLength(migrations.length);
    expect(
      await rowsOf(url.href, "SELECT tablename AS table FROM pg_tables WHERE schemaname = 'public'"),
    ).toEqual([{ table: 'schema_migrations' }]);
  });

  it('leave an index for each foreign key, so that a delete scans no table', async () => {
    expect(await rowsOf(await createDatabase(), UNINDEXED)).toEqual([]);
  });

  it('wait for readers of a table without blocking other readers', async () => {
    const url = await emptyDatabase();
    await migrateDatabase(url, migrations);
    const [backup, visitor] = [new Client({ connectionString: url }), new Client({ connectionString: url })];
    await Promise.all([backup.connect(), visitor.connect()]);
    await backup.query('BEGIN; SELECT 1 FROM accounts');
    const migrated = migrateDatabase(url, [...migrations, Next9999999999999]);
    let longest = 0;
    for (const until = Date.now() + 4_000; Date.now() < until; await sleep(20)) {
      const began = Date.now();
      await visitor.query('SELECT 1 FROM accounts');
      longest = Math.max(longest, Date.now() - began);
    }
    await backup.query('COMMIT');
    await migrated;
    await Promise.all([backup.end(), visitor.end()]);
    expect(longest).toBeLessThan(1_500); // for so long a request waits
    expect(await rowsOf(url, 'SELECT pronouns FROM accounts')).toEqual([]);
  });

  describe('expand, so that the release before works on', () => {
    /** On a database that all of them have migrated. */
    let client: Client;
    beforeAll(async () => {
      client = new Client({ connectionString: await createDatabase() });
      await client.connect();
    });
    afterAll(() => client.end());
    beforeEach(() => client.query('BEGIN'));
    afterEach(() => client.query('ROLLBACK'));

    const by = (sql: string) => () => client.query(sql);

    it('each after the first', async () => {
      const [First, ...others] = migrations;
      const url = await emptyDatabase();
      await migrateDatabase(url, [First!]);
      const first = new Client({ connectionString: url });
      await first.connect();
      const query = async (sql: string, values?: unknown[]) =>
        (await first.query(sql, values)).rows as unknown;
      const runner = { query } as unknown as QueryRunner;
      const found: string[] = [];
      await first.query('BEGIN');
      for (const Migration of others)
        for (const breach of await breaksOf(first, () => new Migration().up(runner)))
          found.push(`${Migration.name}: ${breach}`);
      await first.end();
      expect(found.filter((breach) => !breach.startsWith(BOUND))).toEqual([]);
    });

    it('and so does one that keeps to the rules', async () => {
      expect(await breaksOf(client, by(NEXT_MIGRATION))).toEqual([]);
    });

    it('and a foreign key with a column that the release before leaves empty', async () => {
      const sql = `ALTER TABLE roles ADD COLUMN parent_id text COLLATE "C",
        ADD CONSTRAINT parent FOREIGN KEY (tenant_id, parent_id) REFERENCES roles (tenant_id, id)`;
      expect(await breaksOf(client, by(sql))).toEqual([]);
    });

    it.each([
      [
        'ALTER TABLE sessions ADD CONSTRAINT known FOREIGN KEY (account_id) REFERENCES operators (account_id)',
        ['known refuses what may be written to sessions'],
      ],
      ['ALTER TABLE accounts DROP COLUMN country', ['accounts.country is gone']],
      ['ALTER TABLE accounts RENAME COLUMN country TO land', ['accounts.country is gone']],
      ['DROP TABLE external_forms', ['external_forms.key_hash is gone']],
      [
        'ALTER TABLE grants ALTER COLUMN generation TYPE bigint',
        ['grants.generation is another type', 'grants is copied'],
      ],
      [
        'ALTER TABLE sessions ALTER COLUMN ip_address SET NOT NULL',
        ['sessions.ip_address may be null no more'],
      ],
      ['ALTER TABLE accounts ADD COLUMN pronouns text NOT NULL', ['accounts.pronouns has to be given']],
      ['ALTER TABLE accounts ADD COLUMN number uuid DEFAULT gen_random_uuid()', ['accounts is copied']],
      [
        'ALTER TABLE accounts ALTER COLUMN created_at DROP DEFAULT',
        ['accounts.created_at has lost its default'],
      ],
      [
        "ALTER TABLE accounts ADD CONSTRAINT named CHECK (first_name <> '')",
        ['named refuses what may be written to accounts'],
      ],
      [
        'CREATE UNIQUE INDEX one_each ON sessions (account_id)',
        ['one_each refuses what may be written to sessions'],
      ],
    ])('but not "%s"', async (sql, breaches) => {
      expect(await breaksOf(client, by(sql))).toEqual(expect.arrayContaining(breaches));
    });
  });
});
