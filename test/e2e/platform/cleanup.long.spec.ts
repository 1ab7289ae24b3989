import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { BuiltService } from '../../support/built-service.js';
import { eventually } from '../../support/test-app.js';

jest.setTimeout(120_000); // a hundred thousand rows, deleted with rests between

const EXPIRED = 100_000;
/** Between two looks at them: a look takes 15 ms of the database's processor time. */
const LOOK_MS = 300;

/** Expired sessions are deleted in batches of a hundred, with pauses between them. */
describe('A service that clears away a hundred thousand expired sessions', () => {
  let service: BuiltService;
  beforeAll(async () => {
    service = await BuiltService.start();
    await service.login(await service.register());
    await service.sql(
      `INSERT INTO sessions (id, account_id, amr, expires_at)
       SELECT '01GONES' || lpad(n::text, 19, '0'), a.id, '{pwd}', now() - interval '1 minute'
       FROM accounts a, generate_series(1, ${EXPIRED}) n`,
    );
  });
  afterAll(() => service.stop());

  const cleanUp = () => service.sql("SELECT graphile_worker.add_job('housekeeping', '{}')");
  const expired = async (): Promise<number> => {
    await sleep(LOOK_MS);
    const [row] = await service.sql<{ count: number }>(
      'SELECT count(*)::int AS count FROM sessions WHERE expires_at < now()',
    );
    return row?.count ?? NaN;
  };

  it('ends in order when it is told to, and leaves most of them for another day', async () => {
    await cleanUp();
    await eventually('some of them are gone', async () => (await expired()) < EXPIRED);
    expect(await service.stop()).toBe(0);
    expect(await expired()).toBeGreaterThan(EXPIRED / 2);
  });

  it('continues with them in further rounds, and skips rows that another transaction has locked', async () => {
    service = await BuiltService.start(service.environment);
    await service.sql(
      "DELETE FROM sessions WHERE expires_at < now() AND id <= '01GONES' || lpad('75000', 19, '0')",
    );
    const other = new Client({ connectionString: service.environment['DATABASE_URL'] });
    await other.connect();
    try {
      await other.query('BEGIN');
      await other.query('SELECT 1 FROM sessions WHERE expires_at < now() LIMIT 1 FOR UPDATE');
      await cleanUp();
      await eventually('all but one are gone', async () => (await expired()) === 1, 90_000);
    } finally {
      await other.end();
    }
    await cleanUp();
    await eventually('all are gone', async () => (await expired()) === 0);
  });
});
