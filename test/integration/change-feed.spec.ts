import { TcpProxy } from '../support/tcp-proxy.js';
import { createDatabase, eventually, TestApp } from '../support/test-app.js';

/** Whatever becomes of its connection, a replica hears of changes again. */
describe('The feed of changes', () => {
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
  /** Of the connection by which it hears, once it does. */
  const connection = async (): Promise<number | undefined> =>
    (
      await app.sql<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE ${FEED} AND query LIKE '%clock%'`,
      )
    )[0]?.pid;
  const hearsByAnother = (than: number | undefined) =>
    eventually('it hears by another connection', async () => {
      const now = await connection();
      return now !== undefined && now !== than;
    });

  it('comes back when its connection ends with the very answer that it is alive', async () => {
    const first = await connection();
    network.endWithAnswerTo('clock_timestamp()');
    await hearsByAnother(first);
  });

  it('comes back when its connection ends with the very answer that it listens', async () => {
    const first = await connection();
    network.endWithAnswerTo('LISTEN gatehouse_announced_at');
    await app.sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${FEED}`);
    await hearsByAnother(first);
    const second = await connection();
    await app.sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${FEED}`);
    await hearsByAnother(second);
  });
});
