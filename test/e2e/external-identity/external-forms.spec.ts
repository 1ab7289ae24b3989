import { randomBytes } from 'node:crypto';
import { ExternalLab } from '../../support/external-lab.js';
import { ExternalVisitor, type Landing } from '../../support/external.js';
import { roundsOf } from '../../support/long.js';
import { pkce } from '../../support/satellite.js';
import { TestApp } from '../../support/test-app.js';

const KIB = 1024;
const MIB = 1024 * KIB;
const POSTS = roundsOf({ short: 30, long: 100 });
const HOME = '203.0.113.1';
/** Nothing that can be compressed; with its escapes 380 KB. */
const LARGE = randomBytes(260 * KIB).toString('base64');

/**
 * Any client can post a form to the callback, so the stored forms of a state and a network are
 * bounded.
 */
describe('Forms that wait for their browser', () => {
  let lab: ExternalLab;
  let app: TestApp;
  beforeAll(async () => {
    lab = await ExternalLab.start();
    app = await TestApp.start({
      ...lab.settings,
      TRUSTED_PROXIES: '127.0.0.1/32',
    });
  });
  beforeEach(() => app.sql('TRUNCATE external_forms'));
  afterAll(async () => {
    await app.stop();
    await lab.close();
  });

  const sizeOf = async (): Promise<number> => {
    const [{ size = '0' } = {}] = await app.sql<{ size: string }>(
      "SELECT pg_total_relation_size('external_forms') AS size",
    );
    return Number(size);
  };
  const startSaml = async (address = HOME) => {
    const browser = new ExternalVisitor(app, 'saml', { isBrowser: true, address });
    const url = String((await browser.start()).body['authorizationUrl']);
    return { browser, url, key: new URL(url).searchParams.get('RelayState') ?? '' };
  };
  const post = (RelayState: string, SAMLResponse: string, address = HOME): Promise<Landing> =>
    new ExternalVisitor(app, 'saml', { isBrowser: true, address }).post({ RelayState, SAMLResponse });
  const kept = () => app.sql("SELECT 1 FROM external_forms WHERE sealed <> ''");

  it('grow by less than 8 MiB when one state is posted many times with 380 KB', async () => {
    const { key } = await startSaml();
    const before = await sizeOf();
    const landings: Landing[] = [];
    for (let n = 0; n < POSTS; n += 1) landings.push(await post(key, LARGE));
    expect((await sizeOf()) - before).toBeLessThan(8 * MIB);
    expect(landings.filter(({ status }) => status === 429).length).toBeGreaterThan(POSTS - 20);
    expect(landings.at(-1)?.headers.get('retry-after')).toBe('60');
    expect(await kept()).toHaveLength(1);
  });

  it('grow no more when many states are posted at once from one network', async () => {
    const keys: string[] = [];
    for (let n = 0; n < POSTS; n += 1) keys.push((await startSaml()).key);
    const before = await sizeOf();
    const statuses = await Promise.all(keys.map(async (key) => (await post(key, LARGE)).status));
    expect((await sizeOf()) - before).toBeLessThan(8 * MIB);
    expect(statuses.filter((status) => status === 303).length).toBeLessThan(10);
  });

  it('count towards the share of their network though they have been read', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 12; n += 1) {
      const { browser, key } = await startSaml();
      const { status, returnUri } = await post(key, LARGE);
      statuses.push(status);
      if (status === 303)
        expect((await browser.open(returnUri)).fragment).toMatchObject({ error: 'invalid_response' });
    }
    expect(await kept()).toEqual([]);
    expect(statuses).toContain(429);
  });

  it('are one for each flow and network: the last post of a browser counts', async () => {
    const { browser, url, key } = await startSaml();
    const first = await post(key, 'bm8=');
    const second = await browser.post(lab.answer('saml', url) as Record<string, string>);
    expect((await browser.open(first.returnUri)).status).toBe(400);
    expect((await browser.open(second.returnUri)).fragment).toHaveProperty('access_token');
  });

  it('do not lose the true one to junk that strangers post for the same flow', async () => {
    const { browser, url, key } = await startSaml();
    for (let n = 0; n < 20; n += 1) await post(key, 'bm8=', `198.51.100.${n}`);
    const { returnUri } = await browser.post(lab.answer('saml', url) as Record<string, string>);
    for (let n = 0; n < 20; n += 1) await post(key, 'bm8=', `198.51.100.${n}`);
    expect((await browser.open(returnUri)).fragment).toHaveProperty('access_token');
  });

  it('leave the share of other networks alone', async () => {
    const { key } = await startSaml();
    for (let n = 0; n < 12; n += 1) await post(key, LARGE);
    const other = await startSaml('2001:db8:1::1');
    expect((await post(other.key, LARGE, '2001:db8:1::1')).status).toBe(303);
    expect((await post(key, LARGE)).status).toBe(429);
    // An IPv6 caller is its /64.
    for (let n = 0; n < 12; n += 1) await post(other.key, LARGE, `2001:db8:1::${n}`);
    expect((await post(other.key, LARGE, '2001:db8:1::ffff')).status).toBe(429);
  });

  it('share the room of their /48, which one caller can have', async () => {
    const states = await Promise.all(
      Array.from({ length: 24 }, async (_, n) => ({ n, key: (await startSaml(`2001:db8:2:${n}::1`)).key })),
    );
    const before = await sizeOf();
    for (const { n, key } of states) await post(key, LARGE, `2001:db8:2:${n}::1`);
    expect((await sizeOf()) - before).toBeLessThan(8 * MIB);
  });

  it('are taken again after their minute, several of one network at once, without a deadlock', async () => {
    const keys: string[] = [];
    for (let n = 0; n < 8; n += 1) keys.push((await startSaml()).key);
    const statuses = new Set<number>();
    for (let round = 0; round < 12; round += 1) {
      await Promise.all(keys.map((key) => post(key, 'bm8=')));
      await app.sql("UPDATE external_forms SET expires_at = now() - interval '1 second'");
      for (const { status } of await Promise.all(keys.map((key) => post(key, 'bm8=')))) statuses.add(status);
    }
    expect([...statuses]).toEqual([303]);
    const deadlocks = 'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()';
    expect(await app.sql(deadlocks)).toEqual([{ deadlocks: 0 }]);
  });

  it('are not kept where the flow is bound otherwise', async () => {
    const browser = new ExternalVisitor(app, 'saml', { isBrowser: true, address: HOME });
    const { body } = await browser.start({ codeChallenge: pkce().codeChallenge });
    const landing = await browser.bring(lab.answer('saml', String(body['authorizationUrl'])));
    expect(landing.fragment).toHaveProperty('code');
    expect(await app.sql('SELECT 1 FROM external_forms')).toEqual([]);
  });

  it.each([
    ['apple_oauth', 64 * KIB],
    ['oidc', 64 * KIB],
    ['saml', 384 * KIB],
  ])('of %s are %d bytes at most', async (kind, limit) => {
    const send = (length: number) =>
      fetch(`${app.url}/api/iam/auth/external/${kind}/callback`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'x='.padEnd(length, 'x'),
      });
    expect([(await send(limit)).status, (await send(limit + 1)).status]).toEqual([400, 413]);
  });
});
