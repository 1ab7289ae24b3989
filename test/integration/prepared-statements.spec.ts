import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { prepared } from '../../src/platform/database/connection/prepared.js';
import { PreparingClient } from '../../src/platform/database/connection/preparing-client.js';
import { Database } from '../../src/platform/database/index.js';
import { toAppError } from '../../src/platform/errors/to-app-error.js';
import { Person } from '../support/organization.js';
import { queriesOf } from '../support/plans.js';
import { createDatabase, TestApp } from '../support/test-app.js';

const FIND = prepared('SELECT word FROM things WHERE id = $1');

describe('A connection that prepares', () => {
  let url: string;
  let client: Client;
  beforeEach(async () => {
    url = await createDatabase();
    client = new PreparingClient(url);
    await client.connect();
    await client.query(
      "CREATE TABLE things (id int PRIMARY KEY, word text); INSERT INTO things VALUES (1, 'ada')",
    );
  });
  afterEach(() => client.end());

  const find = async (): Promise<unknown> => (await client.query(FIND, [1])).rows;
  const names = async () => (await client.query('SELECT statement FROM pg_prepared_statements')).rows;

  it('prepares each marked statement once, and no others', async () => {
    for (let n = 0; n < 10; n += 1) expect(await find()).toEqual([{ word: 'ada' }]);
    await client.query('SELECT id FROM things WHERE id = $1', [1]);
    expect(await names()).toEqual([{ statement: FIND }]);
  });

  it('continues after a migration adds a column', async () => {
    await find();
    await client.query(
      "ALTER TABLE things ADD COLUMN note text NOT NULL DEFAULT ''; CREATE INDEX ON things (note)",
    );
    expect(await find()).toEqual([{ word: 'ada' }]);
  });

  it('closes with 503 after a migration has changed the result of a statement', async () => {
    await find();
    await client.query('ALTER TABLE things ALTER COLUMN word TYPE varchar(9)');
    const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
    const error: unknown = await find().catch((refusal: unknown) => refusal);
    expect(toAppError(error).code).toBe('unavailable');
    await ended;
  });
});

describe.each([
  ['to the server itself', {}, true],
  ['to a pooler', { direct: true }, false],
])('A service whose connections go %s', (_where, { direct = false }: { direct?: boolean }, prepares) => {
  it(`${prepares ? 'prepares' : 'does not prepare'} what a refresh sends`, async () => {
    const url = await createDatabase();
    const ROOT_SECRET = randomBytes(32).toString('base64');
    const settings = { DATABASE_URL: url, ROOT_SECRET };
    const app = await TestApp.start(direct ? { ...settings, DATABASE_DIRECT_URL: url } : settings);
    const { refreshToken } = await Person.signUp(app);
    const sent = await queriesOf(Client, async () =>
      expect((await app.post('refresh', { refreshToken })).status).toBe(200),
    );
    const named = sent.filter(
      ({ given: [question] }) => typeof (question as { name?: unknown }).name === 'string',
    );
    const [connection] = await app.app
      .get(Database)
      .rows("SELECT current_setting('enable_seqscan') AS scans, current_setting('jit') AS jit");
    await app.stop();
    expect(named).toHaveLength(prepares ? 1 : 0);
    // A plan that is kept must not be one of a table that was empty then.
    expect(connection).toEqual(
      prepares ? { scans: 'off', jit: 'off' } : expect.objectContaining({ scans: 'on' }),
    );
  });
});
