import { randomBytes } from 'node:crypto';
import { OidcStandIn, type Twist } from '../../lab/oidc-stand-in.js';
import { ExternalVisitor, signInTraces } from '../../support/external.js';
import { TestApp } from '../../support/test-app.js';

/** Five seconds, and what a busy machine takes. */
const IN_TIME_MS = 6_000;

/**
 * EXT-11, AT-19: a person waits at most five seconds, whatever number of requests a provider gets.
 */
describe('A provider that takes its time over every answer', () => {
  const ROOT_SECRET = randomBytes(32).toString('base64');
  let lab: OidcStandIn;
  let app: TestApp;
  /** Knows nothing of the provider yet: it has to ask for discovery, tokens, keys and userinfo. */
  let fresh: TestApp;
  beforeAll(async () => {
    lab = await OidcStandIn.start();
    lab.person = { sub: 'ada' };
    app = await TestApp.start({ ...lab.settings, ROOT_SECRET });
  });
  beforeEach(async () => {
    lab.twist = {};
    fresh = await TestApp.start({ ...lab.settings, ROOT_SECRET, DATABASE_URL: app.databaseUrl });
  });
  afterEach(() => fresh.stop());
  afterAll(async () => {
    await app.stop();
    await lab.close();
  });

  /** Begins as usual, and comes back to the other replica when the provider has become slow. */
  const comeBack = async (twist: Twist) => {
    const { body } = await new ExternalVisitor(app, 'oidc').start();
    const callback = lab.visit(String(body['authorizationUrl']));
    lab.twist = twist;
    lab.requests.length = 0;
    const began = Date.now();
    const landing = await new ExternalVisitor(fresh, 'oidc').open(callback);
    return { ...landing, ms: Date.now() - began };
  };

  it.each<[string, Twist]>([
    ['waits two seconds before each', { delayMs: 2_000 }],
    ['needs two seconds for each, drop by drop', { dripMs: 2_000 }],
  ])('returns the person within five seconds in total when it %s, and leaves no rows', async (_, twist) => {
    const before = await signInTraces(app);
    const { status, returnUri, fragment, ms } = await comeBack(twist);
    expect({ status, returnUri, error: fragment['error'] }).toEqual({
      status: 303,
      returnUri: 'http://gatehouse.test',
      error: 'provider_unavailable',
    });
    expect(ms).toBeLessThan(IN_TIME_MS);
    expect(await signInTraces(app)).toEqual(before);
    expect((await comeBack({})).fragment).toHaveProperty('access_token');
  });

  it('signs in when all of them together come in time', async () => {
    expect((await comeBack({ delayMs: 500 })).fragment).toHaveProperty('access_token');
    expect(lab.requests).toEqual(['/.well-known/openid-configuration', '/token', '/jwks', '/userinfo']);
  });

  it('asks nothing more of the provider once the person has been sent back', async () => {
    await comeBack({ delayMs: 2_000 });
    const asked = lab.requests.length;
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(lab.requests).toHaveLength(asked);
  });

  it('completes the flows of later callers: a shared request is not aborted with that of the first', async () => {
    const visits = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const { body } = await new ExternalVisitor(app, 'oidc').start();
        return lab.visit(String(body['authorizationUrl']));
      }),
    );
    lab.twist = { delayMs: 1_500 };
    const landings = await Promise.all(
      visits.map(async (callback, n) => {
        await new Promise((resolve) => setTimeout(resolve, n * 1_200));
        return new ExternalVisitor(fresh, 'oidc').open(callback);
      }),
    );
    // Four answers are too much for the first; the third finds discovery under way and the keys.
    expect(landings[0]?.fragment).toMatchObject({ error: 'provider_unavailable' });
    expect(landings[2]?.fragment).toHaveProperty('access_token');
  });
});
