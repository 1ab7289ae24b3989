import { SimpleSamlPhp } from '../../lab/simple-saml-php.js';
import { LabConnection } from '../../support/connection.js';
import { CookieJar } from '../../support/cookie-jar.js';
import { Organization } from '../../support/organization.js';
import { eventually, TestApp } from '../../support/test-app.js';
import { describeWith } from '../../support/tools.js';

const PUBLIC_URL = 'http://gatehouse.test';
const field = (html: string, name: string): string => {
  const [tag = ''] = new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(html) ?? [];
  return (/value="([^"]*)"/.exec(tag)?.[1] ?? '').replaceAll('&amp;', '&');
};

/** A browser without scripts, which keeps the cookies of the provider. */
class Browser {
  private readonly jar = new CookieJar();

  constructor(private readonly app: TestApp) {}

  /** Opens an address, and follows redirects until a page, or the app's own page. */
  async open(address: string, form?: Record<string, string>): Promise<{ url: string; html: string }> {
    let body = form && new URLSearchParams(form);
    for (let url = new URL(address), hops = 0; hops < 20; hops += 1) {
      if (url.href.startsWith(`${PUBLIC_URL}/sign-in`)) return { url: url.href, html: '' };
      const response = await fetch(url.href.replace(PUBLIC_URL, this.app.url), {
        redirect: 'manual',
        headers: { cookie: this.jar.header },
        ...(body && { method: 'POST', body }),
      });
      this.jar.keep(response);
      const html = await response.text();
      const location = response.headers.get('location');
      if (location === null) return { url: url.href, html };
      url = new URL(location, url);
      body = undefined;
    }
    throw new Error('The redirects do not end.');
  }

  /** Signs in at the provider. @returns the form for the callback */
  async signIn(address: string): Promise<Record<string, string>> {
    let page = await this.open(address);
    if (page.html.includes('name="password"')) {
      const AuthState = field(page.html, 'AuthState');
      page = await this.open(page.url, { username: 'ada', password: 'quiet-harbour-42', AuthState });
    }
    return {
      SAMLResponse: field(page.html, 'SAMLResponse'),
      RelayState: field(page.html, 'RelayState'),
    };
  }
}

/** Debian's SimpleSAMLphp as the provider of an organization. */
describeWith(['php', '/usr/share/simplesamlphp/www/index.php'], 'A connection to SimpleSAMLphp', () => {
  let app: TestApp;
  const isAlive = async (token: string | undefined) =>
    (await app.get('/api/v1/iam/me', token)).status === 200;

  let provider: SimpleSamlPhp;
  let connection: LabConnection;
  const open = async (wantEncryptedAssertions: boolean) => {
    provider = await SimpleSamlPhp.start(wantEncryptedAssertions);
    let metadata: string | null = null;
    await eventually('the provider to answer', async () => {
      metadata = await provider.findMetadata();
      return metadata !== null;
    });
    app = await TestApp.start({ PORTAL: 'off', CONNECTION_TRUSTED_HOSTS: '127.0.0.1' });
    connection = await LabConnection.active(
      await Organization.found(app),
      { kind: 'saml', settings: { metadata, wantEncryptedAssertions } } as never,
      'example.com',
    );
    await connection.call('PATCH', '', { provisioning: { justInTime: true } });
    const ours = await fetch(`${app.url}/api/iam/auth/external/saml/metadata/${connection.id}`);
    await provider.register(await ours.text());
  };
  const close = async () => {
    await app.stop();
    await provider.stop();
  };
  const land = async (browser: Browser) =>
    (await connection.bring(await browser.signIn(await connection.start()))).fragment;
  const signIn = async (browser: Browser) => {
    const fragment = await land(browser);
    expect(fragment).toHaveProperty('access_token');
    return fragment['access_token'] ?? '';
  };

  describe('in both directions', () => {
    beforeAll(() => open(false));
    afterAll(close);
    it('signs out there after a logout here', async () => {
      const browser = new Browser(app);
      const token = await signIn(browser);
      const { status, body } = await app.call(
        'POST',
        '/api/v1/iam/auth/logout',
        { upstream: true },
        { token },
      );
      expect([status, await isAlive(token)]).toEqual([200, false]);
      expect((await browser.open(String(body['logoutUrl']))).url).toBe(`${PUBLIC_URL}/sign-in`);
      const again = await browser.open(await connection.start());
      expect(again.html).toContain('name="password"');
    });

    it('signs out here after a logout there', async () => {
      const [browser, other] = [new Browser(app), new Browser(app)];
      const [token, untouched] = [await signIn(browser), await signIn(other)];
      const back = `${provider.url}/module.php/core/frontpage_welcome.php`;
      await browser.open(
        `${provider.url}/saml2/idp/SingleLogoutService.php?ReturnTo=${encodeURIComponent(back)}`,
      );
      expect([await isAlive(token), await isAlive(untouched)]).toEqual([false, true]);
    });
  });

  describe('that encrypts its assertions', () => {
    beforeAll(() => open(true));
    afterAll(close);

    it('is refused, because this release encrypts by CBC alone', async () => {
      expect(await land(new Browser(app))).toMatchObject({ error: 'invalid_response' });
    });
  });
});
