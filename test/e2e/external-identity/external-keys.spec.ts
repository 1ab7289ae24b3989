import { exportJWK, generateKeyPair, type CryptoKey } from 'jose';
import { AppleStandIn } from '../../lab/apple-stand-in.js';
import { OidcStandIn } from '../../lab/oidc-stand-in.js';
import { ExternalVisitor, type Landing } from '../../support/external.js';
import { TestApp } from '../../support/test-app.js';

/** A key of a provider, and what it publishes of it. */
interface Published {
  readonly privateKey: CryptoKey;
  readonly kid: string;
  readonly keys: readonly object[];
}

/** What the tests need of a provider that signs ID tokens. */
interface Signer {
  readonly kind: string;
  settings(): Record<string, string>;
  /** As if nothing had been changed, and nothing been asked. */
  reset(): void;
  /** Signs by this key and publishes it in place of the ones before. */
  use(key: Published): void;
  /** Answers 500 when asked for its keys. */
  break(): void;
  /** Signs by a key that it does not publish. */
  sign(by: Pick<Published, 'privateKey' | 'kid'>): void;
  back(url: string): URL | Record<string, string>;
  asked(): number;
  close(): Promise<void>;
}

async function oidc(): Promise<Signer> {
  const lab = await OidcStandIn.start();
  return {
    kind: 'oidc',
    settings: () => lab.settings,
    reset: () => void (lab.twist = {}),
    use: ({ privateKey: key, kid, keys }) =>
      void (lab.twist = { key, header: { kid }, keySet: { status: 200, body: { keys } } }),
    break: () => void (lab.twist = { ...lab.twist, keySet: { status: 500, body: {} } }),
    sign: ({ privateKey: key, kid }) => void (lab.twist = { ...lab.twist, key, header: { kid } }),
    back: (url) => lab.visit(url),
    asked: () => lab.requests.filter((path) => path === '/jwks').length,
    close: () => lab.close(),
  };
}

async function apple(): Promise<Signer> {
  const lab = await AppleStandIn.start();
  const answer = (reply: (typeof lab.replies)[string]) => void (lab.replies['/auth/keys'] = reply);
  lab.person = { sub: 'ada' };
  return {
    kind: 'apple_oauth',
    settings: () => lab.settings,
    reset: () => void ((lab.twist = {}), (lab.replies = {})),
    use: ({ privateKey: key, kid, keys }) => {
      lab.twist = { key, header: { kid } };
      answer({ body: { keys } });
    },
    break: () => answer({ status: 500 }),
    sign: ({ privateKey: key, kid }) => void (lab.twist = { key, header: { kid } }),
    back: (url) => lab.consent(url),
    asked: () => lab.requests.filter(({ path }) => path === '/auth/keys').length,
    close: () => lab.close(),
  };
}

const made = async (alg: string, kid: string): Promise<Published> => {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { privateKey, kid, keys: [{ ...(await exportJWK(publicKey)), kid, alg, use: 'sig' }] };
};

/** OIDC-8, for each provider with ID tokens. */
describe.each([
  ['OpenID Connect', oidc, 'ES256'],
  ['Apple', apple, 'RS256'],
])('The keys of a provider: %s', (_, open, alg) => {
  let provider: Signer;
  let app: TestApp;
  let visitor: ExternalVisitor;
  let next: Published;
  let ahead = 0;
  const now = performance.now.bind(performance);
  beforeAll(async () => {
    provider = await open();
    next = await made(alg, 'next');
  });
  beforeEach(async () => {
    provider.reset();
    app = await TestApp.start(provider.settings());
    visitor = new ExternalVisitor(app, provider.kind);
    expect((await signIn()).fragment).toHaveProperty('access_token');
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await app.stop();
  });
  afterAll(() => provider.close());

  const begin = async () => String((await visitor.start()).body['authorizationUrl']);
  const signIn = async (): Promise<Landing> => visitor.bring(provider.back(await begin()));
  /** @returns number of requests for the keys during the work */
  const asked = async (work: () => Promise<unknown>): Promise<number> => {
    const before = provider.asked();
    await work();
    return provider.asked() - before;
  };
  /** Moves the clock of the service. */
  const later = (seconds: number) => {
    ahead += seconds * 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
  };

  it('are asked for once, and not at every sign-in', async () => {
    const sign = async () => expect((await signIn()).fragment).toHaveProperty('access_token');
    expect(await asked(() => Promise.all([sign(), sign(), sign()]))).toBe(0);
  });

  it('are asked for once when twenty people come at the same time to a service that does not know them', async () => {
    const another = await TestApp.start(provider.settings());
    visitor = new ExternalVisitor(another, provider.kind);
    const urls = await Promise.all(Array.from({ length: 20 }, begin));
    const all = () => Promise.all(urls.map((url) => visitor.bring(provider.back(url))));
    expect(await asked(all)).toBe(1);
    await another.stop();
  });

  it('may change: a new one is met at its first use, half a minute after they were asked for last', async () => {
    later(31);
    provider.use(next);
    expect(await asked(async () => expect((await signIn()).fragment).toHaveProperty('access_token'))).toBe(1);
    expect(await asked(async () => expect((await signIn()).fragment).toHaveProperty('access_token'))).toBe(0);
  });

  it('may change while twenty people sign in: all of them do, by one question', async () => {
    later(31);
    provider.use(next);
    const urls = await Promise.all(Array.from({ length: 20 }, begin));
    const count = await asked(async () => {
      const landings = await Promise.all(urls.map((url) => visitor.bring(provider.back(url))));
      for (const { fragment } of landings) expect(fragment).not.toMatchObject({ error: 'invalid_response' });
    });
    expect(count).toBe(1);
  });

  it('are not asked for by a flood of unknown ones, more than once in half a minute', async () => {
    later(31);
    provider.sign({ privateKey: next.privateKey, kid: 'unknown' });
    const flood = async () => {
      for (let wave = 0; wave < 5; wave += 1)
        for (const { fragment } of await Promise.all(Array.from({ length: 10 }, signIn)))
          expect(fragment).toMatchObject({ error: 'invalid_response' });
    };
    expect(await asked(flood)).toBe(1);
  });

  it('go on being good while the provider cannot give them, and are not asked for by a flood then either', async () => {
    later(31);
    provider.break();
    expect(await asked(async () => expect((await signIn()).fragment).toHaveProperty('access_token'))).toBe(0);
    provider.sign({ privateKey: next.privateKey, kid: 'unknown' });
    const flood = async () => {
      for (let n = 0; n < 20; n += 1) expect((await signIn()).fragment).toHaveProperty('error');
    };
    expect(await asked(flood)).toBe(1);
  });

  it('are accepted for ten minutes after the provider removed them, and no longer', async () => {
    const old = await made(alg, 'old');
    later(31);
    provider.use(old);
    expect((await signIn()).fragment).toHaveProperty('access_token');
    provider.use(next);
    provider.sign(old);
    expect((await signIn()).fragment).toHaveProperty('access_token');
    later(601);
    expect((await signIn()).fragment).toMatchObject({ error: 'invalid_response' });
    provider.use(next);
    expect((await signIn()).fragment).toHaveProperty('access_token');
  });
});
