import { Organization, Person } from '../../test/support/organization.js';
import { TestSatellite } from '../../test/support/satellite.js';
import { TestApp } from '../../test/support/test-app.js';
import {
  memoryStorage,
  ProblemError,
  SignedOutError,
  SignInDeclinedError,
  startSatelliteSignIn,
  StateMismatchError,
  type PendingSatelliteSignIn,
} from '../src/index.js';
import { WatchedClient } from './support.js';

const AUTHORIZATION_PAGE = 'https://shop.example/authorize';

describe('A satellite and the app by the client', () => {
  let app: TestApp;
  let satellite: TestSatellite;
  let shop: WatchedClient;
  let visit: WatchedClient;
  beforeAll(async () => {
    app = await TestApp.start();
    satellite = await TestSatellite.register(app);
  });
  beforeEach(async () => {
    shop = new WatchedClient(app);
    visit = new WatchedClient(app, { satellite });
    await shop.login(await Person.signUp(app));
  });
  afterAll(() => app.stop());

  /**
   * Sends the visitor to the app and back.
   * @returns the address of the callback
   */
  const visitApp = async (): Promise<{ callback: string; pending: PendingSatelliteSignIn }> => {
    const { url, pending } = await startSatelliteSignIn(AUTHORIZATION_PAGE, satellite);
    expect(url.startsWith(`${AUTHORIZATION_PAGE}?`)).toBe(true);
    return { callback: await shop.authorizeSatellite(new URL(url).searchParams), pending };
  };

  it('share a session, which one logout ends', async () => {
    const { callback, pending } = await visitApp();
    expect(callback.startsWith(`${satellite.redirectUri}?code=`)).toBe(true);
    await visit.completeSatelliteSignIn(callback, pending);
    const [there, here] = await Promise.all([visit, shop].map((client) => client.get('/api/v1/iam/me')));
    expect(there?.data.id).toBe(here?.data.id);
    await shop.logout();
    await expect(visit.get('/api/v1/iam/me')).rejects.toThrow(SignedOutError);
    expect(visit.events.at(-1)).toEqual(['signed-out', { reason: 'ended' }]);
  });

  it('share the tenant that the visitor has selected', async () => {
    const organization = await Organization.found(app, await Person.signUp(app));
    await shop.login(organization.owner.person);
    await shop.selectTenant(organization.id);
    const { callback, pending } = await visitApp();
    await visit.completeSatelliteSignIn(callback, pending);
    expect(visit.tenantId).toBe(organization.id);
  });

  it('refuse a visit that did not start the sign-in, without presenting the code', async () => {
    const [mine, theirs] = [await visitApp(), await visitApp()];
    const attempt = visit.completeSatelliteSignIn(theirs.callback, mine.pending);
    await expect(attempt).rejects.toThrow(StateMismatchError);
    expect(visit.sent).toEqual([]);
    await visit.completeSatelliteSignIn(theirs.callback, theirs.pending);
    expect(await visit.isSignedIn()).toBe(true);
  });

  it('say that the visitor has declined, to the visit that started', async () => {
    const { pending } = await visitApp();
    const declined = (state: string) =>
      `${satellite.redirectUri}?${new URLSearchParams({ error: 'access_denied', state })}`;
    const attempt = visit.completeSatelliteSignIn(declined(pending.state), pending);
    await expect(attempt).rejects.toThrow(SignInDeclinedError);
    const forged = visit.completeSatelliteSignIn(declined('forged'), pending);
    await expect(forged).rejects.toThrow(StateMismatchError);
    expect(visit.sent).toEqual([]);
  });

  it('refuse a redirect URI that is not registered', async () => {
    const { url } = await startSatelliteSignIn(AUTHORIZATION_PAGE, {
      clientId: satellite.clientId,
      redirectUri: 'https://thief.example/callback',
    });
    const error = await shop.authorizeSatellite(new URL(url).searchParams).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({ code: 'validation-error' });
  });

  it('throw invalid-client for a wrong secret', async () => {
    const { callback, pending } = await visitApp();
    const { clientId } = satellite;
    const wrong = new WatchedClient(app, { satellite: { clientId, clientSecret: 'ghs_wrong' } });
    const attempt = wrong.completeSatelliteSignIn(callback, pending);
    await expect(attempt).rejects.toMatchObject({ code: 'invalid-client' });
  });

  it('do not exchange a code without the secret', async () => {
    const { callback, pending } = await visitApp();
    const bare = new WatchedClient(app);
    await expect(bare.completeSatelliteSignIn(callback, pending)).rejects.toThrow(TypeError);
    expect(bare.sent).toEqual([]);
  });

  it('refresh with the secret, also from a storage of the visit', async () => {
    const { callback, pending } = await visitApp();
    const storage = memoryStorage();
    await new WatchedClient(app, { satellite, storage }).completeSatelliteSignIn(callback, pending);
    const { clientId } = satellite;
    const wrong = new WatchedClient(app, { satellite: { clientId, clientSecret: 'ghs_wrong' }, storage });
    await expect(wrong.get('/api/v1/iam/me')).rejects.toMatchObject({ code: 'invalid-client' });
    const later = new WatchedClient(app, { satellite, storage });
    expect((await later.get('/api/v1/iam/me')).status).toBe(200);
    expect(later.refreshes).toBe(1);
  });
});
