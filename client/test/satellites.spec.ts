import { Organization, Person } from '../../test/support/organization.js';
import { TestSatellite } from '../../test/support/satellite.js';
import { TestApp } from '../../test/support/test-app.js';
import {
  memoryStorage,
  ProblemError,
  SignedOutError,
  startSatelliteSignIn,
  StateMismatchError,
  type SatelliteDeparture,
} from '../src/index.js';
import { WatchedClient } from './support.js';

const HAND_OVER = 'https://shop.example/hand-over';

describe('A satellite and the app', () => {
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

  /** The visitor goes to the app and comes back; answers the address of the callback. */
  const handOver = async (): Promise<{ callback: string; departure: SatelliteDeparture }> => {
    const { url, departure } = await startSatelliteSignIn(HAND_OVER, satellite);
    expect(url.startsWith(`${HAND_OVER}?`)).toBe(true);
    return { callback: await shop.handOver(new URL(url).searchParams), departure };
  };

  it('share a session, which one logout ends', async () => {
    const { callback, departure } = await handOver();
    expect(callback.startsWith(`${satellite.redirectUri}?code=`)).toBe(true);
    await visit.completeSatelliteSignIn(callback, departure);
    const [there, here] = await Promise.all([visit, shop].map((client) => client.get('/api/v1/iam/me')));
    expect(there?.data.id).toBe(here?.data.id);
    await shop.logout();
    await expect(visit.get('/api/v1/iam/me')).rejects.toThrow(SignedOutError);
    expect(visit.events.at(-1)).toEqual(['signed-out', { reason: 'ended' }]);
  });

  it('share the tenant that the visitor is in', async () => {
    const organization = await Organization.found(app, await Person.signUp(app));
    await shop.login(organization.owner.person);
    await shop.selectTenant(organization.id);
    const { callback, departure } = await handOver();
    await visit.completeSatelliteSignIn(callback, departure);
    expect(visit.tenantId).toBe(organization.id);
  });

  it('do not sign in who was not sent, and do not present their code', async () => {
    const [mine, theirs] = [await handOver(), await handOver()];
    const attempt = visit.completeSatelliteSignIn(theirs.callback, mine.departure);
    await expect(attempt).rejects.toThrow(StateMismatchError);
    expect(visit.sent).toEqual([]);
    await visit.completeSatelliteSignIn(theirs.callback, theirs.departure);
    expect(await visit.isSignedIn()).toBe(true);
  });

  it('hand nobody over to an address that is not registered', async () => {
    const { url } = await startSatelliteSignIn(HAND_OVER, {
      clientId: satellite.clientId,
      redirectUri: 'https://thief.example/callback',
    });
    const error = await shop.handOver(new URL(url).searchParams).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({ code: 'validation-error' });
  });

  it('are told where the secret is wrong', async () => {
    const { callback, departure } = await handOver();
    const { clientId } = satellite;
    const wrong = new WatchedClient(app, { satellite: { clientId, clientSecret: 'ghs_wrong' } });
    const attempt = wrong.completeSatelliteSignIn(callback, departure);
    await expect(attempt).rejects.toMatchObject({ code: 'invalid-client' });
  });

  it('exchange nothing without the secret', async () => {
    const { callback, departure } = await handOver();
    const bare = new WatchedClient(app);
    await expect(bare.completeSatelliteSignIn(callback, departure)).rejects.toThrow(TypeError);
    expect(bare.sent).toEqual([]);
  });

  it('refresh with the secret, also from a storage of the visit', async () => {
    const { callback, departure } = await handOver();
    const storage = memoryStorage();
    await new WatchedClient(app, { satellite, storage }).completeSatelliteSignIn(callback, departure);
    const { clientId } = satellite;
    const wrong = new WatchedClient(app, { satellite: { clientId, clientSecret: 'ghs_wrong' }, storage });
    await expect(wrong.get('/api/v1/iam/me')).rejects.toMatchObject({ code: 'invalid-client' });
    const later = new WatchedClient(app, { satellite, storage });
    expect((await later.get('/api/v1/iam/me')).status).toBe(200);
    expect(later.refreshes).toBe(1);
  });
});
