import { DebianProvider } from '../../lab/debian-provider.js';
import { LabConnection } from '../../support/connection.js';
import { Organization } from '../../support/organization.js';
import { PlainBrowser } from '../../support/plain-browser.js';
import { TestApp } from '../../support/test-app.js';
import { describeWith } from '../../support/tools.js';

const PUBLIC_URL = 'http://gatehouse.test/';

/** Debian's Glewlwyd as the provider of an organization. It offers clients no logout. */
describeWith(['glewlwyd'], 'A connection to Glewlwyd', () => {
  let provider: DebianProvider;
  let app: TestApp;
  let organization: Organization;
  let connection: LabConnection;
  beforeAll(async () => {
    provider = await DebianProvider.start('glewlwyd');
    app = await TestApp.start({ PORTAL: 'off', CONNECTION_TRUSTED_HOSTS: '127.0.0.1' });
    organization = await Organization.found(app);
    connection = await LabConnection.active(organization, provider.oidc, 'example.com');
    await connection.call('PATCH', '', { provisioning: { justInTime: true } });
    await provider.register({
      redirectUri: `${PUBLIC_URL}api/iam/auth/external/oidc/callback/${connection.id}`,
    });
  });
  afterAll(async () => {
    await app.stop();
    await provider.stop();
  }, 60_000);

  /** Signs in at the provider, as its pages do by its API. @returns the address of the callback */
  const signIn = async (browser: PlainBrowser) => {
    const api = `${provider.settings['EXTERNAL_OIDC_ISSUER']?.replace(/\/oidc$/, '')}`;
    const words = { username: 'ada', password: 'quiet-harbour-42' };
    expect(await browser.call('POST', `${api}/auth/`, words)).toBe(200);
    const scope = 'openid email profile';
    expect(await browser.call('PUT', `${api}/auth/grant/gatehouse`, { scope })).toBe(200);
    const { url } = await browser.open(`${await connection.start()}&g_continue`);
    return new URL(url);
  };

  it('signs a person of its domain in, who becomes a member, and knows them again', async () => {
    const first = await connection.bring(await signIn(new PlainBrowser(PUBLIC_URL)));
    expect(first.fragment).toHaveProperty('access_token');
    const me = await app.get('/api/v1/iam/me', first.fragment['access_token']);
    expect(me.body).toMatchObject({ email: 'ada@example.com', firstName: 'Ada' });
    const again = await connection.bring(await signIn(new PlainBrowser(PUBLIC_URL)));
    expect((await app.get('/api/v1/iam/me', again.fragment['access_token'])).body['id']).toBe(me.body['id']);
  });

  it('takes its response at this connection alone', async () => {
    const other = await LabConnection.active(await Organization.found(app), provider.oidc);
    const address = await signIn(new PlainBrowser(PUBLIC_URL));
    expect((await other.bring(address)).fragment).not.toHaveProperty('access_token');
    expect((await connection.bring(address)).fragment).toHaveProperty('access_token');
  });
});
