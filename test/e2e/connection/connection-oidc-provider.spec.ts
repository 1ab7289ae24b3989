import { exportJWK, generateKeyPair } from 'jose';
import { CertifiedProvider, type Registration } from '../../lab/certified-provider.js';
import { LabConnection } from '../../support/connection.js';
import { CookieJar } from '../../support/cookie-jar.js';
import { Organization } from '../../support/organization.js';
import { wayOut } from '../../support/redirects.js';
import { eventually, withApp } from '../../support/test-app.js';

/** oidc-provider as the provider of an organization. */
describe('A connection to oidc-provider', () => {
  let organization: Organization;
  const providers: CertifiedProvider[] = [];
  const app = withApp({ PORTAL: 'off', CONNECTION_TRUSTED_HOSTS: '127.0.0.1' });
  beforeAll(async () => {
    organization = await Organization.found(app);
  });
  afterAll(() => Promise.all(providers.map((provider) => provider.close())));

  const connect = async (settings: object, registration: Registration = {}) => {
    const provider = await CertifiedProvider.start('http://gatehouse.test/', registration);
    providers.push(provider);
    const { issuer, clientId } = provider;
    const connection = await LabConnection.active(organization, {
      kind: 'oidc',
      settings: { issuer, clientId, ...settings },
    } as never);
    await connection.call('PATCH', '', { provisioning: { justInTime: true } });
    const { serviceProvider } = (await connection.call('GET')).body;
    const ours = serviceProvider as unknown as Record<string, string>;
    provider.person = { ...provider.person, email: `ada@${connection.domain}` };
    return { provider, connection, ours };
  };
  const signIn = async (connection: LabConnection, jar = new CookieJar()) => {
    const { fragment } = await connection.bring(new URL(await wayOut(await connection.start(), jar)));
    return fragment;
  };
  const isAlive = async (token: string | undefined) =>
    (await app.get('/api/v1/iam/me', token)).status === 200;

  it('authenticates by a key of its own, which the provider reads from our JWK Set', async () => {
    const { provider, connection, ours } = await connect(
      { clientAuthentication: 'private_key_jwt' },
      { authentication: 'private_key_jwt' },
    );
    expect(ours['jwksUri']).toBe('http://gatehouse.test/api/iam/auth/external/oidc/jwks');
    const { body: jwks } = await app.get('/api/iam/auth/external/oidc/jwks');
    expect(jwks).toEqual({ keys: [expect.objectContaining({ kty: 'RSA', alg: 'RS256', use: 'sig' })] });
    expect(JSON.stringify(jwks)).not.toMatch(/"(?:d|p|q)"/);
    provider.register(ours['redirectUri'] ?? '', { jwks });
    expect(await signIn(connection)).toHaveProperty('access_token');
    const { publicKey } = await generateKeyPair('RS256', { extractable: true });
    const other = { ...(await exportJWK(publicKey)), kid: 'other', alg: 'RS256', use: 'sig' };
    provider.register(ours['redirectUri'] ?? '', { jwks: { keys: [other] } });
    expect(await signIn(connection)).toMatchObject({ error: 'invalid_response' });
  });

  it('takes a secret or a key, and not both', async () => {
    const { connection } = await connect({ clientAuthentication: 'private_key_jwt' });
    const change = async (settings: object) => {
      const { status, body } = await connection.call('PATCH', '', { settings });
      const [violation] = (body['violations'] ?? []) as { propertyPath?: string }[];
      return [status, violation?.propertyPath];
    };
    expect(await change({ clientSecret: 'a-secret' })).toEqual([400, 'settings.clientSecret']);
    expect(await change({ clientAuthentication: 'client_secret' })).toEqual([400, 'settings.clientSecret']);
    const both = { clientAuthentication: 'client_secret', clientSecret: 'a-secret' };
    expect(await change(both)).toEqual([200, undefined]);
    expect((await connection.call('GET')).body['settings']).toMatchObject({
      clientAuthentication: 'client_secret',
    });
    expect(await change({ clientAuthentication: 'private_key_jwt' })).toEqual([200, undefined]);
    const [row] = await app.sql(
      'SELECT sealed_client_secret AS secret FROM oidc_connections WHERE connection_id = $1',
      [connection.id],
    );
    expect(row).toEqual({ secret: null });
  });

  it('signs out in both directions', async () => {
    const { provider, connection, ours } = await connect({ clientSecret: 'a-secret-of-the-lab' });
    const { port } = new URL(app.url);
    provider.register(ours['redirectUri'] ?? '', {
      backchannel_logout_uri: ours['sloUrl']?.replace('gatehouse.test', `127.0.0.1:${port}`),
      backchannel_logout_session_required: true,
      post_logout_redirect_uris: [ours['postLogoutRedirectUri']],
    });
    const browser = new CookieJar();
    const [first, second] = [await signIn(connection, browser), await signIn(connection, browser)];
    const other = await signIn(connection);
    const { status, body } = await app.call(
      'POST',
      '/api/v1/iam/auth/logout',
      { upstream: true },
      { token: first['access_token'] ?? '' },
    );
    expect([status, await isAlive(first['access_token'])]).toEqual([200, false]);
    expect(await isAlive(second['access_token'])).toBe(true);
    // The provider asks the person, ends its own session, and tells us.
    const asked = await fetch(String(body['logoutUrl']), { headers: { cookie: browser.header } });
    browser.keep(asked);
    const [, xsrf = ''] = /name="xsrf" value="([^"]*)"/.exec(await asked.text()) ?? [];
    const confirmed = await fetch(`${provider.issuer}/session/end/confirm`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: browser.header },
      body: new URLSearchParams({ xsrf, logout: 'yes' }),
    });
    await confirmed.body?.cancel();
    expect(confirmed.headers.get('location')).toBe(ours['postLogoutRedirectUri']);
    await eventually(
      'the other session of the browser to end',
      async () => !(await isAlive(second['access_token'])),
    );
    expect(await isAlive(other['access_token'])).toBe(true);
  });
});
