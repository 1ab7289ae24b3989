import { HostedApp } from '../../test/support/hosted.js';
import { Person } from '../../test/support/organization.js';
import { TestApp } from '../../test/support/test-app.js';
import { SignedOutError, StateMismatchError } from '../src/index.js';
import { WatchedClient } from './support.js';

const RETURN_URI = 'https://shop.example/signed-in';
const DAY_MS = 86_400_000;

describe('Hosted sign-in', () => {
  let app: TestApp;
  let ada: Person;
  let shop: WatchedClient;
  beforeAll(async () => {
    app = await TestApp.start({ RETURN_URIS: RETURN_URI });
    ada = await Person.signUp(app);
  });
  beforeEach(() => {
    shop = new WatchedClient(app);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => app.stop());

  /**
   * Does what the sign-in page does for a signed-in user.
   * @returns the fragment of the return page
   */
  const visit = async (address: string, token = ada.token): Promise<string> => {
    const query = new URL(address).searchParams;
    const { body } = await new HostedApp(app, query.get('return_to') ?? '').issue(token, {
      codeChallenge: query.get('code_challenge'),
      state: query.get('state'),
    });
    return new URL(String(body['location'])).hash;
  };
  const start = () => shop.startHostedSignIn({ returnTo: RETURN_URI });

  it('leads to the sign-in page of the service, and signs in by a code', async () => {
    const address = await start();
    expect(address.startsWith(`${app.url}/sign-in?return_to=${encodeURIComponent(RETURN_URI)}&`)).toBe(true);
    await shop.completeHostedSignIn(await visit(address));
    expect((await shop.get('/api/v1/iam/me')).data.id).toBe(ada.id);
    expect(shop.events).toEqual([['signed-in', { sessionId: ada.sessionId }]]);
  });

  it('shares the session, which one logout ends', async () => {
    const person = await Person.signUp(app);
    await shop.completeHostedSignIn(await visit(await start(), person.token));
    await app.post('logout', undefined, { token: person.token });
    await expect(shop.get('/api/v1/iam/me')).rejects.toThrow(SignedOutError);
  });

  it('completes in the order of return, if several were started', async () => {
    const [first, second] = [await start(), await start()];
    await shop.completeHostedSignIn(await visit(second));
    await shop.completeHostedSignIn(await visit(first));
    expect(await shop.isSignedIn()).toBe(true);
  });

  it('does not present a code of another browser, of no flow, or of a completed one', async () => {
    const other = new WatchedClient(app);
    const fragment = await visit(await start());
    await expect(other.completeHostedSignIn(fragment)).rejects.toThrow(StateMismatchError);
    await other.startHostedSignIn({ returnTo: RETURN_URI });
    await expect(other.completeHostedSignIn(fragment)).rejects.toThrow(StateMismatchError);
    await expect(shop.completeHostedSignIn(fragment.replace('code=', 'other='))).rejects.toThrow(
      StateMismatchError,
    );
    expect([other.sent, shop.sent]).toEqual([[], []]);
    await shop.completeHostedSignIn(fragment);
    await expect(shop.completeHostedSignIn(fragment)).rejects.toThrow(StateMismatchError);
    expect(shop.sent).toEqual(['POST /api/v1/iam/auth/external/token']);
  });

  it('forgets what was started a day ago, and all but the ten newest', async () => {
    const [old, later] = [await visit(await start()), Date.now() + DAY_MS];
    const now = jest.spyOn(Date, 'now').mockReturnValue(later);
    await expect(shop.completeHostedSignIn(old)).rejects.toThrow(StateMismatchError);
    now.mockRestore();
    const oldest = await start();
    for (let count = 0; count < 10; count += 1) await start();
    await expect(shop.completeHostedSignIn(await visit(oldest))).rejects.toThrow(StateMismatchError);
  });
});
