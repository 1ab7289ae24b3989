import { Database, turnEnd } from '../../src/platform/database/index.js';
import { withApp } from '../support/test-app.js';

/** The loop of every cleanup. e2e/platform/cleanup.long.spec.ts runs it in a service of its own. */
describe('Removal in batches', () => {
  const app = withApp();
  let database: Database;
  beforeAll(async () => {
    database = app.app.get(Database, { strict: false });
    await app.sql('CREATE TABLE leftovers (id int PRIMARY KEY)');
  });

  it('goes on until a batch leaves nothing', async () => {
    let left = 3;
    expect(await database.repeatUntil(turnEnd(), async () => (left -= 1) > 0)).toBe(false);
    expect(left).toBe(0);
  });

  it('leaves rows when the time is over', async () => {
    const removeBatch = jest.fn().mockResolvedValue(true);
    expect(await database.repeatUntil(performance.now() - 1, removeBatch)).toBe(true);
    expect(removeBatch).not.toHaveBeenCalled();
    expect(await database.repeatUntil(performance.now() + 200, removeBatch)).toBe(true);
    expect(removeBatch).toHaveBeenCalled();
  });

  it('has a turn of five seconds', () => {
    expect(turnEnd() - performance.now()).toBeGreaterThan(4_000);
    expect(turnEnd() - performance.now()).toBeLessThanOrEqual(5_000);
  });

  it('removes all rows of several batches, and a hundred at a time', async () => {
    await app.sql('INSERT INTO leftovers SELECT generate_series(1, 250)');
    const rows = jest.spyOn(database, 'rows');
    expect(await database.removeInBatches({ table: 'leftovers', key: 'id', when: 'id > 0' })).toBe(false);
    // Work in the background uses the database as well.
    const batches = rows.mock.results.filter((_, call) => rows.mock.calls[call]?.[0].includes('leftovers'));
    expect(await Promise.all(batches.map(async ({ value }) => (await value).length))).toEqual([100, 100, 50]);
    expect(await app.sql('SELECT 1 FROM leftovers')).toEqual([]);
  });

  it('fails with a batch that fails', async () => {
    const failing = () => Promise.reject(new Error('refused'));
    await expect(database.repeatUntil(turnEnd(), failing)).rejects.toThrow('refused');
  });

  it('ends when the service shuts down, without more to do', async () => {
    const removeBatch = jest.fn().mockResolvedValue(true);
    const running = database.repeatUntil(turnEnd(), removeBatch);
    await app.stop();
    expect(await running).toBe(false);
  });
});
