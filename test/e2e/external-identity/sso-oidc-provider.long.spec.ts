import { ALGORITHMS, CertifiedProvider, type Registration } from '../../lab/certified-provider.js';
import { ExternalVisitor, type Landing } from '../../support/external.js';
import { wayOut } from '../../support/redirects.js';
import { pkce } from '../../support/satellite.js';
import { TestApp } from '../../support/test-app.js';

// Silences its warnings about use in production.
jest.mock('../../../node_modules/oidc-provider/lib/helpers/attention.js', () => ({ info() {}, warn() {} }));

const CALLBACK = 'http://gatehouse.test/api/iam/auth/external/oidc/callback';

/** A provider, a service that knows it, and a browser between them. */
class World {
  private constructor(
    readonly provider: CertifiedProvider,
    readonly app: TestApp,
  ) {}

  static async open(registration: Registration = {}, settings: Record<string, string> = {}): Promise<World> {
    const provider = await CertifiedProvider.start(CALLBACK, registration);
    const all = { ...provider.settings, EXTERNAL_OIDC_DOMAINS: 'example.com', ...settings };
    return new World(provider, await TestApp.start(all));
  }

  async close(): Promise<void> {
    await this.app.stop();
    await this.provider.close();
  }

  get visitor(): ExternalVisitor {
    return new ExternalVisitor(this.app, 'oidc');
  }

  /** Signs in at the provider. @returns address of the callback that it redirects to */
  async back(body: object = {}): Promise<URL> {
    const started = await this.visitor.start(body);
    return new URL(await wayOut(String(started.body['authorizationUrl'])));
  }

  async signIn(): Promise<Landing> {
    return this.visitor.open(await this.back());
  }

  async me({ fragment }: Landing): Promise<Record<string, unknown>> {
    return (await this.app.get('/api/v1/iam/me', fragment['access_token'])).body;
  }
}

/** A certified provider of a third party, configured strictly. */
describe('Sign-in by oidc-provider', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.open();
  });
  beforeEach(() => {
    world.provider.cancelsAt = null;
  });
  afterAll(() => world.close());

  it('signs a newcomer in, with tokens in the fragment, and the same person again', async () => {
    const landing = await world.signIn();
    expect(landing).toMatchObject({ status: 303, fragment: { token_type: 'Bearer' } });
    const me = await world.me(landing);
    expect(me).toMatchObject({ email: 'ada@example.com', emailVerified: true, firstName: 'Ada' });
    expect((await world.me(await world.signIn()))['id']).toBe(me['id']);
  });

  it('ends in a code where the page asked for one', async () => {
    const { codeChallenge, codeVerifier } = pkce();
    const { fragment } = await world.visitor.open(await world.back({ codeChallenge }));
    expect(Object.keys(fragment).toSorted()).toEqual(['code', 'state']);
    const redeem = () =>
      world.app.call('POST', '/api/v1/iam/auth/external/token', { code: fragment['code'], codeVerifier });
    const { status, body } = await redeem();
    expect({ status, type: body['tokenType'] }).toEqual({ status: 200, type: 'Bearer' });
    expect((await redeem()).status).toBe(400);
  });

  it('is asked for a code with PKCE and a nonce', async () => {
    const { body } = await world.visitor.start();
    const asked = Object.fromEntries(new URL(String(body['authorizationUrl'])).searchParams);
    expect(asked).toMatchObject({
      response_type: 'code',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      scope: 'openid email profile',
      redirect_uri: CALLBACK,
    });
  });

  it('links by address, since the connection is the authority for its domain', async () => {
    const known = await world.app.register('grace@example.com');
    const { accessToken } = await world.app.login(known);
    const mine = (await world.app.get('/api/v1/iam/me', accessToken)).body;
    world.provider.person = { ...world.provider.person, sub: 'grace', email: known.email };
    expect((await world.me(await world.signIn()))['id']).toBe(mine['id']);
  });

  describe('brings the browser back with a word of ours', () => {
    it.each(['login', 'consent'] as const)('when the person turns back at its %s page', async (page) => {
      world.provider.cancelsAt = page;
      const { body } = await world.visitor.start({ returnUri: 'http://localhost:8080/back' });
      const callback = await wayOut(String(body['authorizationUrl']));
      expect(new URL(callback).searchParams.get('error')).toBe('access_denied');
      expect(await world.visitor.open(callback)).toMatchObject({
        status: 303,
        returnUri: 'http://localhost:8080/back',
        fragment: { error: 'access_denied', state: body['state'] },
      });
    });

    it.each<[string, (callback: URL) => void]>([
      ['its issuer is missing', ({ searchParams }) => searchParams.delete('iss')],
      ['its issuer is another', ({ searchParams }) => searchParams.set('iss', 'https://evil.example')],
      ['its code is changed', ({ searchParams }) => searchParams.set('code', 'x'.repeat(43))],
    ])('when %s', async (_what, change) => {
      const callback = await world.back();
      expect(callback.searchParams.get('iss')).toBe(world.provider.issuer);
      change(callback);
      expect((await world.visitor.open(callback)).fragment).toMatchObject({ error: 'invalid_response' });
    });

    it('when the code was given for another flow: the verifier does not fit', async () => {
      const [mine, theirs] = [await world.back(), await world.back()];
      mine.searchParams.set('code', theirs.searchParams.get('code') ?? '');
      expect((await world.visitor.open(mine)).fragment).toMatchObject({ error: 'invalid_response' });
    });

    it('when it comes back twice: the code is spent', async () => {
      const callback = await world.back();
      expect((await world.visitor.open(callback)).fragment).toHaveProperty('access_token');
      expect((await world.visitor.open(callback)).fragment).toMatchObject({ error: 'invalid_response' });
    });
  });

  it('sends codes to the registered address only', async () => {
    const { body } = await world.visitor.start();
    const asked = new URL(String(body['authorizationUrl']));
    asked.searchParams.set('redirect_uri', 'https://evil.example/callback');
    await expect(wayOut(asked.href)).rejects.toThrow('answers 400 and no redirect');
  });
});

it.each<[string, Registration]>([
  ...ALGORITHMS.map((algorithm): [string, Registration] => [`signs with ${algorithm}`, { algorithm }]),
  ['takes our secret by header alone', { authentication: 'client_secret_basic' }],
])('Sign-in works when oidc-provider %s', async (_what, registration) => {
  const world = await World.open(registration);
  expect((await world.signIn()).fragment).toHaveProperty('access_token');
  await world.close();
});

it('Refuses a sign-in if oidc-provider has another secret of ours', async () => {
  const world = await World.open({}, { EXTERNAL_OIDC_CLIENT_SECRET: 'another' });
  expect((await world.signIn()).fragment).toMatchObject({ error: 'invalid_response' });
  await world.close();
});

describe('When oidc-provider signs by a new key', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.open();
    expect((await world.signIn()).fragment).toHaveProperty('access_token');
    await world.provider.rotateKeys();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await world.close();
  });
  it('is believed half a minute after its keys were last asked for, without a restart', async () => {
    const now = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => now() + 31_000);
    expect((await world.signIn()).fragment).toHaveProperty('access_token');
  });

  it('is not asked for its keys more often than that, whatever it signs by', async () => {
    expect((await world.signIn()).fragment).toMatchObject({ error: 'invalid_response' });
  });
});
