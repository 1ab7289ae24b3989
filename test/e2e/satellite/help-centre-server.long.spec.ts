import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { runBuilt } from '../../support/built-service.js';
import { HelpCentre, Visitor } from '../../support/help-centre.js';
import { Organization, Person } from '../../support/organization.js';
import { Scrape } from '../../support/metrics.js';
import { TcpProxy } from '../../support/tcp-proxy.js';
import { createDatabase, eventually, TestApp } from '../../support/test-app.js';

/** The server of examples/help-centre, with the real service behind a network that can break. */
describe('The server of the help centre', () => {
  let app: TestApp;
  let network: TcpProxy;
  let database: TcpProxy;
  let helpCentre: HelpCentre;
  let ada: Person;
  let visitor: Visitor;
  beforeAll(async () => {
    database = await TcpProxy.to(await createDatabase());
    app = await TestApp.start({
      ACCESS_TOKEN_TTL: '3',
      DATABASE_URL: database.url,
      ROOT_SECRET: randomBytes(32).toString('base64'),
    });
    network = await TcpProxy.to(app.url);
    helpCentre = await HelpCentre.start(app, new URL(network.url).origin);
  });
  beforeEach(async () => {
    ada = await Person.signUp(app);
    visitor = new Visitor(helpCentre);
  });
  afterAll(async () => {
    await helpCentre.stop();
    await network.close();
    await app.stop();
    await database.close();
  });

  const greeted = async () => (await visitor.get('/')).text.includes('Hello Ada');
  /** How many refreshes the service has been asked for. */
  const refreshes = async () => (await Scrape.of(app.url)).sum('gatehouse_refreshes_total');

  it('asks the app with a question that is new each time', async () => {
    const { headers } = await visitor.get('/sign-in');
    const asked = new URL(headers.get('location') ?? '');
    expect(asked.origin + asked.pathname).toBe('http://shop.test/authorize');
    expect(Object.fromEntries(asked.searchParams)).toEqual({
      clientId: 'help-centre',
      redirectUri: `${helpCentre.url}/callback`,
      codeChallenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
    });
    const again = await visitor.depart();
    expect(again.state).not.toBe(asked.searchParams.get('state'));
    expect(again.codeChallenge).not.toBe(asked.searchParams.get('codeChallenge'));
  });

  it.each([
    ['help-centre', 'SITE_NAME, GATEHOUSE_URL, CLIENT_ID, CLIENT_SECRET, APP_URL, APP_NAME'],
    ['shop', 'SITE_NAME, GATEHOUSE_URL, HELP_CENTRE_URL, HELP_CENTRE_CLIENT_ID'],
  ])('names all missing settings of the %s at its start', async (program, names) => {
    const own = { OWN_URL: 'http://127.0.0.1:1' };
    const { code, stderr } = await runBuilt(`examples/help-centre/${program}.ts`, [], own);
    const [heading, ...lines] = stderr.trimEnd().split('\n');
    expect([code, heading]).toEqual([1, 'Set these environment variables:']);
    expect(lines.map((line) => line.trim().split(' ')[0]).join(', ')).toBe(names);
    for (const line of lines) expect(line).toMatch(/^ {2}[A-Z_]+ +[a-z]/);
  });

  it('gives the browser a random name in a cookie, and neither token, secret nor verifier', async () => {
    const back = await visitor.signIn(ada.token);
    expect([back.status, back.headers.get('location')]).toEqual([303, '/']);
    expect(back.headers.getSetCookie().at(-1)).toMatch(
      /^session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(await greeted()).toBe(true);
    const all = visitor.received.join();
    expect(all).not.toMatch(/eyJ|ghs_|refreshToken|codeVerifier/);
  });

  it('shows a name as text, whatever is in it', async () => {
    await app.call('PATCH', '/api/v1/iam/me', { firstName: `<b title="x">&'` }, { token: ada.token });
    await visitor.signIn(ada.token);
    const { text, headers } = await visitor.get('/');
    expect(text).toContain('Hello &lt;b title=&quot;x&quot;&gt;&amp;&#39;,');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('does not present a code for another state, nor a second time', async () => {
    const { codeChallenge, state } = await visitor.depart();
    const { body } = await helpCentre.satellite.issue(ada.token, codeChallenge);
    const code = String(body['code']);
    expect((await visitor.get(`/callback?code=${code}&state=another`)).status).toBe(400);
    expect((await new Visitor(helpCentre).get(`/callback?code=${code}&state=${state}`)).status).toBe(400);
    expect((await visitor.get(`/callback?code=${code}&state=${state}`)).status).toBe(303);
    expect((await visitor.get(`/callback?code=${code}&state=${state}`)).status).toBe(400);
    expect(await greeted()).toBe(true);
  });

  it('asks to try again if the code is refused, and keeps the visit', async () => {
    await visitor.signIn(ada.token);
    const { state } = await visitor.depart();
    const refused = await visitor.get(`/callback?code=nonsense&state=${state}`);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('Please try again')]);
    expect(await greeted()).toBe(true);
  });

  it('refreshes an expired token, once for all concurrent requests', async () => {
    await visitor.signIn(ada.token);
    const before = await refreshes();
    await sleep(9_000); // three seconds of life, five of tolerance
    const pages = await Promise.all(Array.from({ length: 20 }, () => greeted()));
    expect(pages).not.toContain(false);
    expect(await refreshes()).toBe(before + 1);
  });

  it('goes on without the organization that the visitor has left', async () => {
    const organization = await Organization.found(app);
    const member = await organization.join('member');
    await visitor.signIn(member.token);
    await organization.call('DELETE', `/members/${member.person.id}`);
    expect(await greeted()).toBe(true);
  });

  it('shows a logout at the app with the next page', async () => {
    await visitor.signIn(ada.token);
    await app.post('logout', undefined, { token: (await Person.again(ada)).token });
    expect(await greeted()).toBe(true);
    await app.post('logout', undefined, { token: ada.token });
    const { status, text, headers } = await visitor.get('/');
    expect([status, text]).toEqual([200, expect.stringContaining('You are not signed in')]);
    expect(headers.getSetCookie()).toEqual([expect.stringContaining('session=; Max-Age=0')]);
  });

  it('signs out everywhere, from its own button alone', async () => {
    await visitor.signIn(ada.token);
    expect((await visitor.post('/sign-out', 'http://127.0.0.1:1')).status).toBe(403);
    expect(await greeted()).toBe(true);
    expect((await visitor.post('/sign-out')).status).toBe(303);
    expect(await greeted()).toBe(false);
    expect((await app.get('/api/v1/iam/me', ada.token)).status).toBe(401);
  });

  it.each([
    ['cannot be reached', () => network],
    ['answers 503, for want of its database', () => database],
  ])('keeps the visit while the service %s', async (_how, broken) => {
    await visitor.signIn(ada.token);
    const { state } = await visitor.depart();
    await broken().cut();
    const away = await visitor.get('/');
    expect([away.status, away.text]).toEqual([503, expect.stringContaining('You stay signed in')]);
    expect(Number(away.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await visitor.post('/sign-out')).status).toBe(503);
    expect((await visitor.get(`/callback?code=unasked&state=${state}`)).status).toBe(503);
    await broken().mend();
    await eventually('the visitor is known again', greeted);
  });
});
