import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { BuiltService, freePort } from '../../support/built-service.js';
import { Organization, Person } from '../../support/organization.js';
import { Pooler } from '../../support/pooler.js';
import { createDatabase, eventually } from '../../support/test-app.js';
import { describeWith } from '../../support/tools.js';

const ME = '/api/v1/iam/me';

/** Two replicas reach PostgreSQL through PgBouncer, which has four connections to it. */
describeWith(['pgbouncer'], 'Behind a pooler in transaction mode', () => {
  let direct: string;
  let pooler: Pooler;
  let here: BuiltService;
  let there: BuiltService;
  beforeAll(async () => {
    direct = await createDatabase('template1');
    pooler = await Pooler.before(direct);
    here = await BuiltService.start({
      DATABASE_URL: pooler.url,
      DATABASE_DIRECT_URL: direct,
      ROOT_SECRET: randomBytes(32).toString('base64'),
      LOG_LEVEL: 'info',
    });
    there = await another();
  }, 120_000); // all migrations, through the pooler
  afterAll(async () => {
    expect([await there.stop(), await here.stop()]).toEqual([0, 0]);
    await pooler.stop();
  });

  const another = async (changes: Record<string, string> = {}) =>
    BuiltService.start({ ...here.environment, PORT: String(await freePort()), ...changes });
  const readiness = (one: BuiltService) => async () => (await one.get('/readyz')).status === 200;

  it('the service migrates, mails, signs people in and lets them work in an organization', async () => {
    const organization = await Organization.found(here);
    const { person, token } = await organization.join('member');
    expect((await there.post('refresh', { refreshToken: person.refreshToken })).status).toBe(200);
    const scopes = ['iam:tenant:read', 'iam:tenant:archive'];
    const { body } = await there.call('POST', '/api/auth/can', { scopes }, { token });
    expect(body).toMatchObject({
      'iam:tenant:read': { allowed: true },
      'iam:tenant:archive': { allowed: false, code: 'scope_not_held' },
    });
  });

  it('a logout is heard of at the other replica', async () => {
    const { token } = await Person.signUp(here);
    expect((await there.get(ME, token)).status).toBe(200);
    expect((await here.post('logout', undefined, { token })).status).toBe(204);
    await eventually('the logout is seen', async () => (await there.get(ME, token)).status === 401, 5_000);
  });

  it('more requests are answered at once than there are connections', async () => {
    const account = await here.register();
    const sessions = await Promise.all(Array.from({ length: 20 }, () => here.login(account)));
    const answers = await Promise.all(
      sessions.flatMap(({ refreshToken, accessToken: token }, n) => [
        (n % 2 ? here : there).post('refresh', { refreshToken }),
        (n % 2 ? there : here).get(`${ME}/sessions`, token),
        (n % 2 ? here : there).call('PATCH', ME, { firstName: `Ada ${n}` }, { token }),
      ]),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('limits the wait for a lock by the timeouts of the pooler', async () => {
    expect(here.output).not.toContain('timeout');
    const { id, token } = await Person.signUp(here);
    const rename = () => here.call('PATCH', ME, { firstName: 'Grace' }, { token });
    const holder = new Client({ connectionString: direct });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE', [id]);
    const began = Date.now();
    expect((await rename()).status).toBe(503);
    expect(Date.now() - began).toBeLessThan(4_500);
    await holder.end();
    await eventually('the lock has gone with its connection', async () => (await rename()).status === 200);
  });

  it('a pooler that is away means 503, never 401, and afterwards all goes on', async () => {
    const { token } = await Person.signUp(here);
    await pooler.program.kill();
    for (const path of [`${ME}/tenants`, `${ME}/sessions`, '/readyz'])
      expect({ path, status: (await here.get(path, token)).status }).toEqual({ path, status: 503 });
    expect((await here.get('/healthz')).status).toBe(200);
    await pooler.program.restart();
    await eventually('one replica is ready', readiness(here), 5_000);
    await eventually('the other replica is ready', readiness(there), 5_000);
    expect((await here.get(ME, token)).status).toBe(200);
  });

  it('the service says which timeouts its pooler does not set', async () => {
    const bare = await Pooler.before(direct, false);
    const service = await another({ DATABASE_URL: bare.url });
    const sentence =
      "The pooler's connections have no idle_in_transaction_session_timeout, statement_timeout";
    await eventually('it has said so', () => service.output.includes(sentence));
    expect(await service.stop()).toBe(0);
    await bare.stop();
  });
});
