import { randomBytes } from 'node:crypto';
import { ExternalLab, FORM_KINDS, KINDS, type Kind } from '../../support/external-lab.js';
import { ExternalVisitor, signInTraces, type Landing } from '../../support/external.js';
import { pkce } from '../../support/satellite.js';
import { TestApp } from '../../support/test-app.js';

const COOKIE = 'gatehouse-browser';

/** ADR 15, by the default settings: the portal is on. */
describe('A sign-in that is bound to its browser', () => {
  let lab: ExternalLab;
  let app: TestApp;
  const ROOT_SECRET = randomBytes(32).toString('base64');
  beforeAll(async () => {
    lab = await ExternalLab.start();
    app = await TestApp.start({ ...lab.settings, ROOT_SECRET });
  });
  beforeEach(() => app.sql('DELETE FROM external_forms'));
  afterAll(async () => {
    await app.stop();
    await lab.close();
  });

  const begin = async (kind: Kind, browser = ExternalVisitor.browser(app, kind)) => {
    const { body } = await browser.start();
    return { browser, url: String(body['authorizationUrl']) };
  };
  /** The address at which the browser's cookie is looked at. */
  const lastStep = async (kind: Kind, url: string, who?: string): Promise<URL> => {
    const answer = lab.answer(kind, url, who);
    if (answer instanceof URL) return answer;
    const posted = await ExternalVisitor.browser(app, kind).post(answer);
    expect(posted).toMatchObject({
      status: 303,
      returnUri: expect.stringMatching(
        new RegExp(`^http://gatehouse\\.test/api/iam/auth/external/${kind}/callback\\?form=[\\w-]{43}$`),
      ),
      fragment: {},
    });
    expect(posted.headers.get('cache-control')).toBe('no-store');
    expect(posted.headers.get('referrer-policy')).toBe('no-referrer');
    return new URL(posted.returnUri);
  };
  const expectSignedIn = ({ fragment }: Landing) => expect(fragment).toHaveProperty('access_token');
  const expectRefused = async (attempt: () => Promise<Landing>) => {
    const before = await signInTraces(app);
    expect(await attempt()).toMatchObject({ status: 400, returnUri: '' });
    expect(await signInTraces(app)).toEqual(before);
  };

  describe.each(KINDS)('by %s', (kind) => {
    it('ends in the browser that began it', async () => {
      const { browser, url } = await begin(kind);
      expectSignedIn(await browser.open(await lastStep(kind, url)));
    });

    it('does not end in another one, with a cookie of its own or without, and then still in the right one', async () => {
      const { browser, url } = await begin(kind);
      const step = await lastStep(kind, url);
      await expectRefused(() => ExternalVisitor.browser(app, kind).open(step));
      const { browser: other } = await begin(kind);
      await expectRefused(() => other.open(step));
      expectSignedIn(await browser.open(step));
    });

    it('ends once, of twenty good callbacks at a time', async () => {
      const { browser, url } = await begin(kind);
      const steps = await Promise.all(Array.from({ length: 20 }, () => lastStep(kind, url)));
      const landings = await Promise.all(steps.map((step) => browser.open(step)));
      expect(landings.filter(({ fragment }) => 'access_token' in fragment)).toHaveLength(1);
      const late = await lastStep(kind, url);
      await expectRefused(() => browser.open(late));
    });

    it('goes on after a bad callback', async () => {
      const { browser, url } = await begin(kind);
      const state = new URL(url).searchParams.get(kind === 'saml' ? 'RelayState' : 'state') ?? '';
      const bad = { [kind === 'saml' ? 'RelayState' : 'state']: state, code: 'bad', SAMLResponse: 'bad' };
      const path = `/api/iam/auth/external/${kind}/callback`;
      const landing = FORM_KINDS.includes(kind)
        ? await browser.open((await browser.post(bad)).returnUri)
        : await browser.open(`${path}?${new URLSearchParams(bad)}`);
      expect(landing.fragment).toMatchObject({ error: 'invalid_response' });
      expectSignedIn(await browser.open(await lastStep(kind, url)));
    });

    it('lets two tabs of one browser sign in', async () => {
      const browser = ExternalVisitor.browser(app, kind);
      const [one, two] = [await begin(kind, browser), await begin(kind, browser)];
      const steps = [await lastStep(kind, one.url), await lastStep(kind, two.url)];
      for (const step of steps) expectSignedIn(await browser.open(step));
    });
  });

  describe.each(FORM_KINDS)('with a pending form of %s', (kind) => {
    it('keeps nothing of it in the clear, and nothing at all once it has been read', async () => {
      const { browser, url } = await begin(kind);
      const step = await lastStep(kind, url);
      const kept = () => app.sql<{ sealed: string }>("SELECT sealed FROM external_forms WHERE sealed <> ''");
      const [{ sealed = '' } = {}, ...others] = await kept();
      expect(others).toEqual([]);
      expect(Buffer.from(sealed, 'base64').toString()).not.toMatch(/code|SAMLResponse/);
      expectSignedIn(await browser.open(step));
      expect(await kept()).toEqual([]);
    });

    it('does not wait longer than a minute for the browser', async () => {
      const { browser, url } = await begin(kind);
      const step = await lastStep(kind, url);
      await app.sql("UPDATE external_forms SET expires_at = expires_at - interval '1 minute'");
      await expectRefused(() => browser.open(step));
      await lastStep(kind, (await begin(kind)).url);
      expect(await app.sql('SELECT 1 FROM external_forms WHERE expires_at < now()')).toEqual([]);
    });

    it('takes no other key, and no other callback for it', async () => {
      const { browser, url } = await begin(kind);
      const step = await lastStep(kind, url);
      await expectRefused(() => browser.open(step.href.replace(/form=.{8}/, 'form=AAAAAAAA')));
      await expectRefused(() => browser.open(step.href.replace(kind, 'oidc')));
      expectSignedIn(await browser.open(step));
    });

    it('keeps none of whose state is not ours', async () => {
      const posted = await ExternalVisitor.browser(app, kind).post({
        state: 'x',
        RelayState: 'x',
        code: 'x',
      });
      expect(posted).toMatchObject({ status: 400, returnUri: '' });
      expect(await app.sql('SELECT 1 FROM external_forms')).toEqual([]);
    });
  });

  it('is not one that began without a cookie, or says by itself whose it is', async () => {
    const unbound = await TestApp.start({
      ...lab.oidc.settings,
      DATABASE_URL: app.databaseUrl,
      ROOT_SECRET,
      EXTERNAL_BROWSER_BINDING: 'off',
    });
    const { url } = await begin('oidc', ExternalVisitor.browser(unbound, 'oidc'));
    const { browser } = await begin('oidc');
    const step = await lastStep('oidc', url);
    await expectRefused(() => browser.open(step));
    const { body } = await ExternalVisitor.browser(unbound, 'oidc').start({ browser: 'x'.repeat(43) });
    const other = await lastStep('oidc', String(body['authorizationUrl']));
    await expectRefused(() => browser.open(other));
    expect((await ExternalVisitor.browser(unbound, 'oidc').start()).headers.getSetCookie()).toEqual([]);
    await unbound.stop();
  });

  describe('and comes back without the cookie', () => {
    const arrive = async (
      from: ExternalVisitor,
      to: ExternalVisitor,
      body: object = {},
    ): Promise<Landing> => {
      const begun = await from.start(body);
      return to.open(lab.oidc.visit(String(begun.body['authorizationUrl'])));
    };
    const program = () => new ExternalVisitor(app, 'oidc');
    const browser = () => ExternalVisitor.browser(app, 'oidc');

    it('is good where a program began it and a program brings it back', async () => {
      expectSignedIn(await arrive(program(), program()));
    });

    it('is refused in a browser, though a program began it, as an attacker would (login CSRF)', async () => {
      await expectRefused(() => arrive(program(), browser()));
    });

    it('is refused to a program, where a browser began it (a callback that leaked)', async () => {
      await expectRefused(() => arrive(browser(), program()));
    });

    it('is refused in a browser that sends no Fetch Metadata, and says what to do', async () => {
      const begun = await program().start();
      const { pathname, search } = lab.oidc.visit(String(begun.body['authorizationUrl']));
      const answer = await app.call('GET', pathname + search, undefined, {
        headers: { 'user-agent': 'Mozilla/5.0 (Macintosh) Version/15.0 Safari/605.1.15' },
      });
      expect(answer.status).toBe(400);
      expect(JSON.stringify(answer.body['violations'])).toContain('codeChallenge');
    });

    it('completes in any browser with a code challenge, because the code is useless without its verifier', async () => {
      const { codeVerifier, codeChallenge } = pkce();
      const { fragment } = await arrive(program(), browser(), { codeChallenge });
      const { code } = fragment;
      expect((await app.post('external/token', { code, codeVerifier })).status).toBe(200);
    });
  });

  it('is refused at start without a code challenge for a page of another site, which gets no cookie', async () => {
    const path = '/api/iam/auth/external/oidc/start';
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect(await app.call('POST', path, {}, { headers })).toMatchObject({
      status: 400,
      body: { violations: [{ propertyPath: 'codeChallenge' }] },
    });
    const { codeChallenge } = pkce();
    const begun = await app.call('POST', path, { codeChallenge }, { headers });
    expect({ status: begun.status, cookies: begun.headers.getSetCookie() }).toEqual({
      status: 200,
      cookies: [],
    });
  });

  it('is bound by default only where the portal is on', async () => {
    const api = await TestApp.start({ ...lab.oidc.settings, PORTAL: 'off' });
    expect((await ExternalVisitor.browser(api, 'oidc').start()).headers.getSetCookie()).toEqual([]);
    expect((await ExternalVisitor.browser(app, 'oidc').start()).headers.getSetCookie()).toHaveLength(1);
    await api.stop();
  });

  it('ends well beside one at another port of the host, which shares its cookies', async () => {
    const neighbour = await TestApp.start({ ...lab.oidc.settings, EXTERNAL_BROWSER_BINDING: 'cookie' });
    const { browser, url } = await begin('oidc');
    const step = await lastStep('oidc', url);
    const cookie = browser.cookieHeader;
    const path = '/api/iam/auth/external/oidc/start';
    const { headers } = await neighbour.call('POST', path, {}, { headers: { cookie } });
    expect(headers.getSetCookie()[0]).toContain(`${cookie};`);
    expectSignedIn(await browser.open(step));
    await neighbour.stop();
  });

  it('knows the browser by a cookie of ten minutes that no script reads', async () => {
    const visitor = ExternalVisitor.browser(app, 'oidc');
    const [first, second] = [await visitor.start(), await visitor.start()];
    const [cookie = '', ...others] = first.headers.getSetCookie();
    expect(others).toEqual([]);
    const [pair = '', ...attributes] = cookie.split('; ').filter((part) => !part.startsWith('Expires'));
    expect(pair).toMatch(/^gatehouse-browser=[\w-]{43}$/);
    expect(attributes.toSorted()).toEqual(['HttpOnly', 'Max-Age=600', 'Path=/', 'SameSite=Lax']);
    expect(second.headers.getSetCookie()[0]).toContain(pair);
  });

  it.each(['', 'x', 'x'.repeat(44), '"quoted"'])('gives a new cookie for one of %j', async (value) => {
    const headers = { cookie: `other=1; ${COOKIE}=${value}` };
    const { headers: given } = await app.call('POST', '/api/iam/auth/external/oidc/start', {}, { headers });
    expect(given.getSetCookie()[0]).not.toContain(`=${value};`);
  });

  it('over https has a cookie that no other host can plant', async () => {
    const secure = await TestApp.start({
      ...lab.oidc.settings,
      EXTERNAL_BROWSER_BINDING: 'cookie',
      PUBLIC_URL: 'https://id.example.com',
    });
    const { headers } = await ExternalVisitor.browser(secure, 'oidc').start();
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-gatehouse-browser=[\w-]{43}; Max-Age=600; Path=\/; Expires=[^;]*; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
    await secure.stop();
  });
});
