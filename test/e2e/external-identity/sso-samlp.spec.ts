import { SamlpProvider } from '../../lab/samlp-provider.js';
import { ExternalVisitor, type Landing } from '../../support/external.js';
import { pkce } from '../../support/satellite.js';
import { TestApp } from '../../support/test-app.js';

/** An identity provider of a third party. */
describe('Sign-in by samlp', () => {
  let provider: SamlpProvider;
  let app: TestApp;
  let visitor: ExternalVisitor;
  let metadata: string;
  beforeAll(async () => {
    provider = await SamlpProvider.start();
    app = await TestApp.start({ ...provider.settings, EXTERNAL_SAML_DOMAINS: 'example.com' });
    visitor = new ExternalVisitor(app, 'saml');
    metadata = await (await fetch(`${app.url}/api/iam/auth/external/saml/metadata`)).text();
  });
  beforeEach(() => {
    provider.register(metadata);
  });
  afterAll(async () => {
    await app.stop();
    await provider.close();
  });

  const begin = async (body: object = {}) =>
    new URL(String((await visitor.start(body)).body['authorizationUrl']));
  /** The form of its page: where it is posted to, and what is in it. */
  const answerOf = async (asked: URL) => {
    const page = await (await fetch(asked)).text();
    expect(page).not.toContain('Refused');
    const fields = [...page.matchAll(/name="(\w+)"\s+value="([^"]+)"/g)];
    return {
      action: / action="([^"]*)"/.exec(page)?.[1],
      fields: fields.map(([, name = '', value = '']): [string, string] => [name, value]),
    };
  };
  const signIn = async (body?: object): Promise<Landing> => {
    const { action, fields } = await answerOf(await begin(body));
    expect(action).toBe('http://gatehouse.test/api/iam/auth/external/saml/callback');
    return visitor.post(fields);
  };
  const me = async ({ fragment }: Landing) =>
    (await app.get('/api/v1/iam/me', fragment['access_token'])).body;

  it('signs a newcomer in, with tokens in the fragment, and the same person again', async () => {
    const landing = await signIn();
    expect(landing).toMatchObject({ status: 303, fragment: { token_type: 'Bearer' } });
    const account = await me(landing);
    expect(account).toMatchObject({ email: 'ada@example.com', emailVerified: true, firstName: 'Ada' });
    expect((await me(await signIn()))['id']).toBe(account['id']);
  });

  it('ends in a code where the page asked for one', async () => {
    const { codeChallenge, codeVerifier } = pkce();
    const { fragment } = await signIn({ codeChallenge });
    const redeemed = await app.call('POST', '/api/v1/iam/auth/external/token', {
      code: fragment['code'],
      codeVerifier,
    });
    expect(redeemed.status).toBe(200);
  });

  it.each<[string, (asked: URL) => void]>([
    [
      'is unsigned',
      ({ searchParams }) => ['Signature', 'SigAlg'].forEach((name) => searchParams.delete(name)),
    ],
    ['was signed with another RelayState', ({ searchParams }) => searchParams.set('RelayState', 'another')],
    ['carries a broken signature', ({ searchParams }) => searchParams.set('Signature', 'AAAA')],
  ])(
    'answers no request that %s: it checks ours by the certificate of our metadata',
    async (_what, change) => {
      const asked = await begin();
      change(asked);
      expect((await fetch(asked)).status).toBe(400);
    },
  );

  it.each([
    ['whose response is signed as well', { signResponse: true }],
    ['with prefixes of its own', { signatureNamespacePrefix: 'dsig' }],
  ])('may answer %s', async (_what, options) => {
    Object.assign(provider.options, options);
    expect((await signIn()).fragment).toHaveProperty('access_token');
  });

  it.each<[string, object]>([
    ['signed with SHA-1', { signatureAlgorithm: 'rsa-sha1' }],
    ['with a digest by SHA-1', { digestAlgorithm: 'sha1' }],
    ['with no signature on the assertion', { signAssertion: false, signResponse: true }],
    ['for another audience', { audience: 'urn:another' }],
    ['for another recipient', { recipient: 'https://evil.example/callback' }],
    ['for another destination', { destination: 'https://evil.example/callback' }],
    ['to another request', { inResponseTo: '_another' }],
    ['as another issuer', { issuer: 'urn:another' }],
  ])('is not believed when it answers %s', async (_what, options) => {
    Object.assign(provider.options, options);
    expect((await signIn()).fragment).toMatchObject({ error: 'invalid_response' });
  });

  it('is not believed twice', async () => {
    const { fields } = await answerOf(await begin());
    expect((await visitor.post(fields)).fragment).toHaveProperty('access_token');
    expect((await visitor.post(fields)).status).toBe(400);
  });
});
