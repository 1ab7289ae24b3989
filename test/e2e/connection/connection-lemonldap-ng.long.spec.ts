import { DebianProvider } from '../../lab/debian-provider.js';
import { LabConnection } from '../../support/connection.js';
import { Organization } from '../../support/organization.js';
import { fieldsOf, PlainBrowser, type PlainPage } from '../../support/plain-browser.js';
import { TestApp } from '../../support/test-app.js';
import { describeWith } from '../../support/tools.js';

const PUBLIC_URL = 'http://gatehouse.test/';
const NEEDED = ['starman', '/usr/share/lemonldap-ng/portal/htdocs/index.psgi'];

/** Debian's LemonLDAP::NG as the provider of an organization. */
describeWith(NEEDED, 'A connection to LemonLDAP::NG', () => {
  let provider: DebianProvider;
  let app: TestApp;
  let connection: LabConnection;
  const open = async (kind: 'oidc' | 'saml') => {
    provider = await DebianProvider.start('lemonldap-ng');
    app = await TestApp.start({ PORTAL: 'off', CONNECTION_TRUSTED_HOSTS: '127.0.0.1' });
    const metadataUrl = `${provider.oidc.settings.issuer}/saml/metadata`;
    const given = kind === 'oidc' ? provider.oidc : ({ kind, settings: { metadataUrl } } as never);
    connection = await LabConnection.active(await Organization.found(app), given, 'badwolf.org');
    await connection.call('PATCH', '', { provisioning: { justInTime: true } });
    const ours = `/api/iam/auth/external/saml/metadata/${connection.id}`;
    await provider.register({
      redirectUri: `${PUBLIC_URL}api/iam/auth/external/oidc/callback/${connection.id}`,
      afterLogout: `${PUBLIC_URL}sign-in`,
      ...(kind === 'saml' && { metadata: await (await fetch(app.url + ours)).text() }),
    });
  };
  const close = async () => {
    await app.stop();
    await provider.stop();
  };

  const asksForPassword = ({ html }: PlainPage) => html.includes('name="password"');
  const logIn = async (browser: PlainBrowser, page: PlainPage) =>
    asksForPassword(page) ? browser.submit(page, { user: 'dwho', password: 'dwho' }) : page;
  /** Signs in at the provider, and agrees that it names the person. */
  const answerOf = async (browser: PlainBrowser) => {
    const page = await logIn(browser, await browser.open(await connection.start()));
    if (connection.kind === 'oidc') {
      const { url } = page.html.includes('name="confirm"') ? await browser.submit(page) : page;
      return new URL(url);
    }
    const { SAMLResponse = '', RelayState = '' } = fieldsOf(page.html);
    return { SAMLResponse, RelayState };
  };
  const signIn = async (browser: PlainBrowser) => {
    const { fragment } = await connection.bring(await answerOf(browser));
    expect(fragment).toHaveProperty('access_token');
    return fragment['access_token'] ?? '';
  };
  const me = (token: string) => app.get('/api/v1/iam/me', token);

  describe.each(['oidc', 'saml'] as const)('by %s', (kind) => {
    beforeAll(() => open(kind), 120_000);
    afterAll(close, 60_000);

    it('signs a person of its domain in, who becomes a member, and knows them again', async () => {
      const browser = new PlainBrowser(PUBLIC_URL);
      const first = await me(await signIn(browser));
      expect(first.body).toMatchObject({ email: 'dwho@badwolf.org', firstName: 'Doctor Who' });
      expect((await me(await signIn(browser))).body['id']).toBe(first.body['id']);
    });

    it('signs out there after a logout here', async () => {
      const browser = new PlainBrowser(PUBLIC_URL);
      const token = await signIn(browser);
      const { status, body } = await app.call(
        'POST',
        '/api/v1/iam/auth/logout',
        { upstream: true },
        { token },
      );
      expect([status, (await me(token)).status]).toEqual([200, 401]);
      const page = await browser.open(String(body['logoutUrl']));
      if (page.html.includes('name="confirm"')) await browser.submit(page);
      expect(asksForPassword(await browser.open(await connection.start()))).toBe(true);
    });
  });
});
