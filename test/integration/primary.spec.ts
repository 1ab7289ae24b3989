import { Client, type ClientBase, Pool } from 'pg';
import { DataSource } from 'typeorm';
import { SETTINGS } from '../../src/platform/config/index.js';
import { Database } from '../../src/platform/database/index.js';
import { ImpatientClient } from '../../src/platform/database/connection/impatient-client.js';
import { findPrimary } from '../../src/platform/database/connection/find-primary.js';
import { Primary } from '../../src/platform/database/connection/primary.js';
import { toAppError } from '../../src/platform/errors/index.js';
import { DEBIAN_POSTGRES, DebianPostgres } from '../support/debian-postgres.js';
import { freePort } from '../support/built-service.js';
import { Person } from '../support/organization.js';
import { eventually, TestApp } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

const ME = '/api/v1/iam/me';

describe('A server that takes no writes', () => {
  let app: TestApp;
  beforeAll(async () => void (app = await TestApp.start()));
  afterAll(() => app.stop());

  const database = () => new URL(app.databaseUrl).pathname.slice(1);
  const endConnections = () =>
    app.sql(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'gatehouse%'",
    );

  it('is answered 503 and is not ready, until it takes them', async () => {
    const { token } = await Person.signUp(app);
    const rename = async () => (await app.call('PATCH', ME, { firstName: 'Grace' }, { token })).status;
    await app.sql(`ALTER DATABASE ${database()} SET default_transaction_read_only = on`);
    await endConnections();
    await eventually('it is not ready', async () => (await app.get('/readyz')).status === 503);
    expect([await rename(), (await app.get(ME, token)).status]).toEqual([503, 503]);
    expect((await app.get('/healthz')).status).toBe(200);
    // Without asking anything of it, also before a commit is overdue.
    const { master: pool } = app.app.get(DataSource).driver as unknown as { master: Pool };
    await expect(pool.connect()).rejects.toMatchObject({ code: '25006' });
    await app.sql(
      `START TRANSACTION READ WRITE; ALTER DATABASE ${database()} RESET default_transaction_read_only; COMMIT`,
    );
    await endConnections();
    await eventually('it is ready', async () => (await app.get('/readyz')).status === 200);
    await eventually('it writes', async () => (await rename()) === 200);
  });

  it('is left by the connection of a write that it refused', async () => {
    const client: Client = new ImpatientClient(app.databaseUrl);
    await client.connect();
    const ended = new Promise((resolve) => client.once('end', resolve));
    await client.query('SET default_transaction_read_only = on');
    const refused: unknown = await client.query('DELETE FROM sessions').catch((error: unknown) => error);
    expect(toAppError(refused).code).toBe('unavailable');
    await ended;
  });

  it('is left by every idle connection too, but by none in a transaction', async () => {
    const primary = new Primary(app.databaseUrl, app.app.get(SETTINGS), { gauge: () => undefined } as never);
    const pool = new Pool({
      connectionString: app.databaseUrl,
      Client: ImpatientClient,
      idleTimeoutMillis: 0,
      onConnect: ((client: ClientBase) => primary.admit(client)) as (client: ClientBase) => void,
    });
    pool.on('error', () => undefined);
    const [refused, idle, busy] = await Promise.all([pool.connect(), pool.connect(), pool.connect()]);
    const closed = new Promise((resolve) => idle.once('end', resolve));
    idle.release();
    await busy.query('START TRANSACTION');
    await refused.query('SET default_transaction_read_only = on');
    await expect(refused.query('DELETE FROM sessions')).rejects.toMatchObject({ code: '25006' });
    await closed;
    expect(pool.idleCount).toBe(0);
    expect((await busy.query('SELECT 1')).rowCount).toBe(1);
    await busy.query('COMMIT');
    busy.release();
    refused.release();
    await pool.end();
  });
});

describe('A connection that is about half an hour old', () => {
  let app: TestApp;
  beforeAll(async () => void (app = await TestApp.start({ DATABASE_POOL_SIZE: '2' })));
  afterAll(() => app.stop());

  it('is replaced, but never within a transaction', async () => {
    const timers = jest.spyOn(globalThis, 'setTimeout');
    const database = app.app.get(Database, { strict: false });
    const pidOf = async () => (await database.getRow<{ pid: number }>('SELECT pg_backend_pid() AS pid')).pid;
    /** Ends the time of all connections that have one. */
    const passHalfAnHour = () => {
      const ends = timers.mock.calls.filter(([, ms = 0]) => ms >= 1_500_000 && ms < 2_100_000);
      for (const [end] of ends) (end as () => void)();
      return ends.length;
    };
    const ofJobs = async () => {
      const sql =
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'gatehouse-jobs'";
      return (await app.sql<{ pid: number }>(sql)).map(({ pid }) => pid);
    };
    await app.sql(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'gatehouse%'",
    );
    await eventually('connections are made', async () => (await app.get('/readyz')).status === 200);
    await eventually('job workers have connections', async () => (await ofJobs()).length > 1);
    const former = new Set(await ofJobs());
    const [first, second] = await database.transaction(async () => {
      const before = await pidOf();
      expect(passHalfAnHour()).toBeGreaterThan(0);
      return [before, await pidOf()];
    });
    expect(second).toBe(first);
    expect(await pidOf()).not.toBe(first);
    // The one that listens for jobs is never idle. The server knows a connection before its time
    // begins.
    await eventually('job workers have others', async () => {
      passHalfAnHour();
      return (await ofJobs()).filter((pid) => former.has(pid)).length <= 1;
    });
  });
});

describe('A role that may not ask which server it is', () => {
  let app: TestApp;
  beforeAll(async () => void (app = await TestApp.start()));
  afterAll(() => app.stop());

  it('is served all the same', async () => {
    const role = `plain_${Date.now()}`;
    await app.sql('REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC');
    await app.sql(`CREATE ROLE ${role} LOGIN PASSWORD 'plain'`);
    const url = new URL(app.databaseUrl);
    url.username = role;
    url.password = 'plain';
    const settings = app.app.get(SETTINGS);
    const primary = new Primary(url.href, settings, { gauge: () => undefined } as never);
    const pool = new Pool({ connectionString: url.href });
    const client = new Client({ connectionString: url.href });
    await client.connect();
    await primary.admit(client);
    await primary.start(pool);
    expect(primary.proven).toBe(true);
    primary.onApplicationShutdown();
    await Promise.all([client.end(), pool.end()]);
    await app.sql(`DROP ROLE ${role}`);
  });
});

describeWith(DEBIAN_POSTGRES, 'A commit whose wait for the synchronous standby is cancelled', () => {
  let server: DebianPostgres;
  let client: Client;
  let administrator: Client;
  beforeAll(async () => {
    server = await DebianPostgres.start('synchronous_standby_names=absent');
    client = new ImpatientClient({ connectionString: server.url('postgres'), query_timeout: 20_000 });
    administrator = new Client(server.url('postgres'));
    await Promise.all([client.connect(), administrator.connect()]);
    await administrator.query('SET synchronous_commit = local');
    await administrator.query('CREATE TABLE notes (id int)');
  });
  afterAll(async () => {
    await Promise.all([client.end(), administrator.end()]);
    await server.stop();
  });

  async function cancelWait(): Promise<void> {
    const cancel = async () =>
      (
        await administrator.query(
          "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
        )
      ).rowCount === 1;
    await eventually('the commit waits', cancel);
  }

  it.each([
    ['of a statement', ['INSERT INTO notes VALUES ($1)']],
    ['of a transaction', ['START TRANSACTION', 'INSERT INTO notes VALUES ($1)', 'COMMIT']],
  ])('is answered 503, as it may be lost: %s', async (_what, statements) => {
    const run = async () => {
      for (const text of statements) await client.query(text, text.includes('$1') ? [1] : undefined);
    };
    const result = run().then(
      () => 'success',
      (error: unknown) => toAppError(error).code,
    );
    await cancelWait();
    expect(await result).toBe('unavailable');
    expect((await client.query('SELECT 1')).rowCount).toBe(1);
  });
});

describe('Of several servers', () => {
  let app: TestApp;
  const role = `reader_${Date.now()}`;
  let reader: string;
  let absent: string;
  beforeAll(async () => {
    app = await TestApp.start();
    await app.sql(`CREATE ROLE ${role} LOGIN PASSWORD 'reads'`);
    await app.sql(`ALTER ROLE ${role} SET default_transaction_read_only = on`);
    const url = new URL(app.databaseUrl);
    url.username = role;
    url.password = 'reads';
    reader = url.href;
    absent = `postgres://127.0.0.1:${await freePort()}/gatehouse`;
  });
  afterAll(async () => {
    await app.sql(`DROP ROLE ${role}`);
    await app.stop();
  });

  it('the one that takes writes is found', async () => {
    expect(await findPrimary([absent, reader, app.databaseUrl])).toBe(app.databaseUrl);
  });

  it('a single one is not asked', async () => {
    expect(await findPrimary([absent])).toBe(absent);
  });

  it('none may take writes, which is said with their hosts and without credentials', async () => {
    const error: unknown = await findPrimary([absent, reader]).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      name: 'DatabaseUnreachable',
      message: expect.stringMatching(
        /^no database of 127.0.0.1:\d+, .* takes writes \(ECONNREFUSED, 25006\)$/,
      ),
    });
    expect(String(error)).not.toContain('reads');
  });
});
