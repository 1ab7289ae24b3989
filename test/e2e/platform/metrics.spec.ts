import { randomBytes } from 'node:crypto';
import { ulid } from 'ulid';
import { ExternalVisitor, withOidc } from '../../support/external.js';
import { growth, Scrape } from '../../support/metrics.js';
import { Person } from '../../support/organization.js';
import { TcpProxy } from '../../support/tcp-proxy.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { createDatabase, eventually, QUIET, TestApp } from '../../support/test-app.js';

const ME = '/api/v1/iam/me';

describe('Metrics', () => {
  const { lab, app } = withOidc({ REFRESH_RETRY_WINDOW: '0' });
  const grows = (name: string, labels: Record<string, string>, work: () => Promise<unknown>) =>
    growth(app.url, name, labels, work);

  it('count logins by outcome', async () => {
    const account = await app.register();
    const stranger = { email: 'stranger@example.com', password: 'quiet-harbour-42' };
    await app.post('register', { ...stranger, firstName: 'Eve' });
    const logins = (outcome: string, body: object) =>
      grows('gatehouse_logins_total', { outcome }, () => app.post('login', body));
    expect(await logins('signed-in', account)).toBe(1);
    expect(await logins('invalid-credentials', { ...account, password: 'another-one' })).toBe(1);
    expect(await logins('email-not-verified', stranger)).toBe(1);
    expect(await logins('unavailable', account)).toBe(0);
  });

  it('count the logins that have to wait after too many failures', async () => {
    const wrong = { ...(await app.register()), password: 'another-one' };
    const fail = async (times: number) => {
      for (let time = 0; time < times; time += 1) await app.post('login', wrong);
    };
    expect(await grows('gatehouse_logins_throttled_total', {}, () => fail(5))).toBe(0);
    expect(await grows('gatehouse_logins_throttled_total', {}, () => fail(1))).toBe(1);
  });

  it('count refreshes by outcome, and reuse of single-use tokens', async () => {
    const { refreshToken } = await Person.signUp(app);
    const refreshes = (outcome: string, body: object) =>
      grows('gatehouse_refreshes_total', { outcome }, () => app.post('refresh', body));
    expect(await refreshes('refused', { refreshToken: 'forged' })).toBe(1);
    expect(await refreshes('not-a-member', { refreshToken, tenantId: ulid() })).toBe(1);
    const wrongSecret = { refreshToken, clientId: 'no-such-client', clientSecret: 'ghs_wrong' };
    expect(await refreshes('invalid-client', wrongSecret)).toBe(1);
    expect(await refreshes('rotated', { refreshToken })).toBe(1);
    const again = () => refreshes('reused', { refreshToken });
    expect(await grows('gatehouse_reuse_detections_total', { what: 'refresh-token' }, again)).toBe(1);
  });

  it('count external sign-ins by kind and outcome', async () => {
    const visitor = new ExternalVisitor(app, 'oidc');
    const start = async () => String((await visitor.start()).body['authorizationUrl']);
    const started = { kind: 'oidc' };
    expect(await grows('gatehouse_external_sign_ins_started_total', started, start)).toBe(1);
    const ended = (outcome: string, work: () => Promise<unknown>) =>
      grows('gatehouse_external_sign_ins_total', { kind: 'oidc', outcome }, work);
    const back = async (changes: Record<string, string | null> = {}) => lab.visit(await start(), changes);
    const [callback, cancelled, forged] = [
      await back(),
      await back({ code: null, error: 'access_denied' }),
      await back({ state: 'forged' }),
    ];
    expect(await ended('signed_in', () => visitor.open(callback))).toBe(1);
    expect(await ended('access_denied', () => visitor.open(cancelled))).toBe(1);
    expect(await ended('unusable_state', () => visitor.open(forged))).toBe(1);
  });

  it('tell of jobs and mails', async () => {
    const done = { task: 'mail.send', outcome: 'done' };
    const sent = { outcome: 'sent' };
    const before = await Scrape.of(app.url);
    await app.register();
    await eventually('the mail is counted', async () => {
      const now = await Scrape.of(app.url);
      const jobs = now.sum('gatehouse_job_duration_seconds_count', done);
      const mails = now.sum('gatehouse_mail_deliveries_total', sent);
      return (
        jobs > before.sum('gatehouse_job_duration_seconds_count', done) &&
        mails > before.sum('gatehouse_mail_deliveries_total', sent)
      );
    });
    await app.sql(`SELECT graphile_worker.add_job('of_nobody', run_at := now() - interval '1 minute')`);
    const now = await Scrape.of(app.url);
    expect(now.sum('gatehouse_jobs_waiting')).toBe(1);
    expect(now.sum('gatehouse_jobs_oldest_waiting_seconds')).toBeGreaterThanOrEqual(60);
  });

  it('count the mails that an address has had too many of', async () => {
    const { email } = await app.register();
    const ask = async () => {
      for (let time = 0; time < 12; time += 1) await app.post('request-password-reset', { email });
      await eventually('every job is done', async () => {
        const rows = await app.sql(
          "SELECT 1 FROM graphile_worker.jobs WHERE task_identifier = 'iam.request-password-reset'",
        );
        return rows.length === 0;
      });
    };
    expect(await grows('gatehouse_mails_withheld_total', {}, ask)).toBeGreaterThan(0);
  });

  it('show how busy the hashing and the database connections are', async () => {
    const [scrape] = await Promise.all([Scrape.of(app.url), app.get('/readyz')]);
    expect(scrape.sum('gatehouse_hashing_slots')).toBeGreaterThan(0);
    for (const idle of ['hashing_running', 'hashing_waiting', 'database_pool_waiting'])
      expect(scrape.sum(`gatehouse_${idle}`)).toBe(0);
    expect(scrape.sum('gatehouse_database_pool_size')).toBe(10);
    expect(scrape.sum('gatehouse_database_pool_connections')).toBeGreaterThan(0);
  });

  it('show how old the signing key is', async () => {
    expect((await Scrape.of(app.url)).sum('gatehouse_signing_key_age_seconds')).toBeGreaterThan(0);
  });

  it('name the pages of the portal, which are no answers of the API', async () => {
    for (const path of ['/sign-in', '/account', '/favicon.svg']) await fetch(`${app.url}${path}`);
    const scrape = await Scrape.of(app.url);
    const answers = (route: string) =>
      scrape.sum('gatehouse_http_request_duration_seconds_count', { route, status: '200' });
    expect([answers('/portal/page'), answers('/portal/file')]).toEqual([2, 1]);
  });

  it('name routes by their pattern, and everything else in one word: no id, no address becomes a label', async () => {
    const { token, email, id } = await Person.signUp(app);
    const tenantId = ulid();
    await app.get(`/api/v1/iam/tenants/${tenantId}`, token);
    await app.get(`/api/v1/iam/nothing/${tenantId}`, token);
    await app.get(`/api/v1/iam/tenants/${tenantId}`);
    const { text, samples } = await Scrape.of(app.url);
    for (const personal of [tenantId, email, id, token]) expect(text).not.toContain(personal);
    const routes = new Set(samples.map(({ labels }) => labels['route'] ?? 'unmatched'));
    expect([...routes]).toContain('/api/v1/iam/tenants/:id');
    expect([...routes].filter((route) => !/^(?:unmatched|(?:\/:?[\w.-]+)+)$/.test(route))).toEqual([]);
  });
});

describe('Metrics of the rate limits', () => {
  it('count who was let through and who was not, by bucket', async () => {
    const app = await TestApp.start({ RATE_LOGIN: '1' }, true);
    try {
      const login = { email: 'unknown@example.com', password: 'quiet-harbour-42' };
      await app.post('login', login);
      await app.post('login', login);
      await app.get(ME);
      const scrape = await Scrape.of(app.url);
      const asked = (bucket: string, outcome: string) =>
        scrape.sum('gatehouse_rate_limit_requests_total', { bucket, outcome });
      expect([asked('login', 'allowed'), asked('login', 'refused')]).toEqual([1, 1]);
      expect([asked('write', 'allowed'), asked('read', 'allowed')]).toEqual([2, 1]);
    } finally {
      await app.stop();
    }
  });
});

describe('Metrics of a replica', () => {
  let proxy: TcpProxy;
  let here: TestApp;
  let other: TestApp;
  beforeAll(async () => {
    const DATABASE_URL = await createDatabase();
    proxy = await TcpProxy.to(DATABASE_URL);
    const shared = {
      ROOT_SECRET: randomBytes(32).toString('base64'),
      DATA_DIR: temporaryFolder('metrics'),
    };
    here = await TestApp.start({ ...shared, DATABASE_URL: proxy.url });
    other = await TestApp.start({ ...shared, DATABASE_URL, METRICS_TOKEN: '' });
  });
  afterAll(async () => {
    await here.stop();
    await other.stop();
    await proxy.close();
  });
  const scrape = () => Scrape.of(here.url);

  it('require the token', async () => {
    const { status } = await here.get('/metrics', QUIET.METRICS_TOKEN);
    expect(status).toBe(200);
    const refused = [here.get('/metrics'), here.get('/metrics', 'another-token'), other.get('/metrics')];
    expect((await Promise.all(refused)).map((answer) => answer.status)).toEqual([404, 404, 404]);
  });

  it('show the delay of the change feed after a logout at another replica', async () => {
    const { token } = await Person.signUp(other);
    const before = await scrape();
    await other.post('logout', undefined, { token });
    await eventually('the news is counted', async () => {
      const lag = 'gatehouse_change_feed_lag_seconds';
      return (await scrape()).sum(`${lag}_count`) === before.sum(`${lag}_count`) + 1;
    });
    const lags = { le: '1' };
    const soon = (await scrape()).sum('gatehouse_change_feed_lag_seconds_bucket', lags);
    expect(soon).toBe(before.sum('gatehouse_change_feed_lag_seconds_bucket', lags) + 1);
  });

  it('are there while the database is not, without what only it knows, and count the gap', async () => {
    const before = await scrape();
    expect(before.sum('gatehouse_change_feed_up')).toBe(1);
    expect(before.has('gatehouse_jobs_waiting')).toBe(true);
    await proxy.cut();
    await eventually('the feed is lost', async () => (await scrape()).sum('gatehouse_change_feed_up') === 0);
    const during = await scrape();
    expect(during.has('gatehouse_jobs_waiting')).toBe(false);
    const losses = 'gatehouse_change_feed_losses_total';
    expect(during.sum(losses)).toBe(before.sum(losses) + 1);
    await proxy.mend();
    await eventually('the feed is back', async () => (await scrape()).sum('gatehouse_change_feed_up') === 1);
    expect((await scrape()).sum('gatehouse_change_feed_gap_seconds_total')).toBeGreaterThan(0);
  });
});

describe('Metrics without a token', () => {
  const statusAt = async (settings: Record<string, string>, headers: Record<string, string> = {}) => {
    const app = await TestApp.start({ PUBLIC_URL: 'http://localhost:3000', ...settings, METRICS_TOKEN: '' });
    try {
      return (await app.call('GET', '/metrics', undefined, { headers })).status;
    } finally {
      await app.stop();
    }
  };

  it('are shown on a machine of my own', async () => {
    expect(await statusAt({})).toBe(200);
  });

  it.each([
    ['the service listens for other machines', { HOST: '0.0.0.0' }],
    ['it has a public name', { PUBLIC_URL: 'https://id.example.com' }],
    ['a proxy is before it', { TRUSTED_PROXIES: '10.0.0.0/8' }],
  ])('are refused to everyone if %s', async (_where, settings) => {
    expect(await statusAt(settings)).toBe(404);
  });

  it('are refused through a tunnel', async () => {
    expect(await statusAt({}, { 'x-forwarded-for': '203.0.113.1' })).toBe(404);
  });
});
