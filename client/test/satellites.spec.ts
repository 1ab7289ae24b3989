import { loginWith, TestTotp } from '../../test/support/factors.js';
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
  type StepUpNeeded,
  WeakSignInError,
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

  describe('with a stronger sign-in', () => {
    const NEED = { acr: 'aal2', maxAge: 300 } as const;
    /** A login that a trusted device lets through without the second factor. */
    const trustedDevice = async (person: Person, totp: TestTotp) => {
      const { body } = await loginWith(app, person, {
        method: 'totp',
        code: totp.next(),
        rememberDevice: true,
      });
      const { email, password } = person;
      return { email, password, deviceToken: String(body['deviceToken']) };
    };
    const start = () => startSatelliteSignIn(AUTHORIZATION_PAGE, { ...satellite, ...NEED });

    it('let the app ask the visitor to confirm, and go on', async () => {
      const person = await Person.signUp(app);
      const totp = await TestTotp.enrol(app, person.token);
      const asked: StepUpNeeded[] = [];
      const strongShop = new WatchedClient(app, {
        onStepUp: (needed) => {
          asked.push(needed);
          return Promise.resolve({ method: 'totp', code: totp.next() });
        },
      });
      await strongShop.login(await trustedDevice(person, totp));
      const { url, pending } = await start();
      expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({ acr: 'aal2', maxAge: '300' });
      await visit.completeSatelliteSignIn(
        await strongShop.authorizeSatellite(new URL(url).searchParams),
        pending,
      );
      expect(asked).toEqual([{ ...NEED, methods: ['totp', 'recovery_code'], enrol: false, ownProof: false }]);
      expect(await visit.isSignedIn()).toBe(true);
    });

    it('refuse a visitor who has taken the request out of the address', async () => {
      const { url, pending } = await start();
      const { searchParams } = new URL(url);
      await expect(shop.authorizeSatellite(searchParams)).rejects.toMatchObject({
        code: 'insufficient-user-authentication',
      });
      searchParams.delete('acr');
      const attempt = visit.completeSatelliteSignIn(await shop.authorizeSatellite(searchParams), pending);
      await expect(attempt).rejects.toThrow(WeakSignInError);
      expect(await visit.isSignedIn()).toBe(false);
    });

    it('refuse a visitor whose sign-in is too old', async () => {
      const { callback, pending } = await visitApp();
      await app.sql("UPDATE sessions SET created_at = created_at - interval '1 hour'");
      const attempt = visit.completeSatelliteSignIn(callback, { ...pending, maxAge: 300 });
      await expect(attempt).rejects.toThrow(WeakSignInError);
    });

    it('never send a request that the service does not understand as one without', async () => {
      const { url } = await startSatelliteSignIn(AUTHORIZATION_PAGE, satellite);
      for (const [name, value] of [
        ['maxAge', 'soon'],
        ['maxAge', ''],
        ['acr', ''],
      ] as const) {
        const { searchParams } = new URL(url);
        searchParams.set(name, value);
        await expect(shop.authorizeSatellite(searchParams)).rejects.toMatchObject({
          code: 'validation-error',
        });
      }
    });
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
