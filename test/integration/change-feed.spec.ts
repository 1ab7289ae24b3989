import { TcpProxy } from '../support/tcp-proxy.js';
import { createDatabase, eventually, TestApp } from '../support/test-app.js';

/** A replica receives changes again after any loss of its connection. */
describe('Change feed', () => {
  let network: TcpProxy;
  let app: TestApp;
  beforeAll(async () => {
    const DATABASE_URL = await createDatabase();
    network = await TcpProxy.to(DATABASE_URL);
    const ROOT_SECRET = Buffer.alloc(32, 7).toString('base64');
    app = await TestApp.start({ DATABASE_URL, DATABASE_DIRECT_URL: network.url, ROOT_SECRET });
  });
  afterAll(async () => {
    await app.stop();
    await network.close();
  });

  const FEED = "application_name = 'gatehouse-feed' AND datname = current_database()";
  /** Returns the process id of the feed's connection, once it listens. */
  const connection = async (): Promise<number | undefined> =>
    (
      await app.sql<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE ${FEED} AND query LIKE '%clock%'`,
      )
    )[0]?.pid;
  const hearsByAnother = (than: number | undefined) =>
    eventually('it listens by another connection', async () => {
      const now = await connection();
      return now !== undefined && now !== than;
    });

  it('reconnects when its connection ends with the response to a heartbeat', async () => {
    const first = await connection();
    network.endWithAnswerTo('clock_timestamp()');
    await hearsByAnother(first);
  });

  it('reconnects when its connection ends with the response to LISTEN', async () => {
    const first = await connection();
    network.endWithAnswerTo('LISTEN gatehouse_announced_at');
    await app.sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${FEED}`);
    await hearsByAnother(first);
    const second = await connection();
    await app.sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${FEED}`);
    await hearsByAnother(second);
  });
});
