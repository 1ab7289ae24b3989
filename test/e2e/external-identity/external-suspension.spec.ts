import { setTimeout as sleep } from 'node:timers/promises';
import { IdentityLinks } from '../../../src/external-identity/linking/identity-links.js';
import { LinkingService } from '../../../src/external-identity/linking/linking.service.js';
import { signInTraces, withOidc } from '../../support/external.js';
import { inTurnBehind } from '../../support/locks.js';
import { roundsOf } from '../../support/long.js';
import { Person } from '../../support/organization.js';
import { pkce } from '../../support/satellite.js';
import { itemsOf } from '../../support/test-app.js';

const ME = '/api/v1/iam/me';
const ROUNDS = roundsOf({ short: 6, long: 60 });

/** The provider is the authority for authority.example and for nothing else. */
describe('External sign-in of a suspended person', () => {
  const { lab, app, visitor } = withOidc({ EXTERNAL_OIDC_DOMAINS: 'authority.example' });
  let counter = 0;
  beforeEach(() => {
    lab.person = { sub: `subject-${(counter += 1)}` };
  });
  afterEach(() => jest.restoreAllMocks());

  const suspend = (account: string) => app.command('account:suspend', '--account', account);
  const restore = (account: string) => app.command('account:restore', '--account', account);
  const begin = async (flow: object = {}) =>
    lab.visit(String((await visitor.start(flow)).body['authorizationUrl']));
  const signIn = async (flow: object = {}) => (await visitor.open(await begin(flow))).fragment;
  const me = async (token: string | undefined) => (await app.get(ME, token)).body;
  const refusal = {
    error: 'account_suspended',
    error_description: expect.stringContaining('Contact the operator of this service.'),
    state: expect.any(String),
  };
  /** Expects that tokens issued concurrently with the suspension are invalid. */
  async function expectDead(accessToken: unknown, refreshToken: unknown): Promise<void> {
    if (accessToken === undefined) return;
    expect((await app.get(ME, String(accessToken))).status).toBe(401);
    expect((await app.post('refresh', { refreshToken })).status).toBe(401);
  }

  it.each([
    ['tokens', {}],
    ['a code', { codeChallenge: pkce().codeChallenge }],
  ])('gets no %s, and a word that says why, at the first try', async (_, flow) => {
    const { id } = await me((await signIn())['access_token']);
    await suspend(String(id));
    const tries = jest.spyOn(LinkingService.prototype, 'resolve');
    const before = await signInTraces(app);
    expect(await signIn(flow)).toEqual(refusal);
    expect(await signInTraces(app)).toEqual(before);
    expect(tries).toHaveBeenCalledTimes(1);
    await restore(String(id));
    expect((await me((await signIn())['access_token']))['id']).toBe(id);
  });

  it('is not let in by a provider that is the authority for the address, which links nothing', async () => {
    const owner = await Person.signUp(app, 'suspended@authority.example');
    await suspend(owner.email);
    lab.person = { ...lab.person, email: owner.email, email_verified: true };
    const before = await signInTraces(app);
    expect(await signIn()).toEqual(refusal);
    expect(await signInTraces(app)).toEqual(before);
  });

  it('gets the same response as anyone from any other provider of the address', async () => {
    const owner = await Person.signUp(app, 'suspended@other.example');
    await suspend(owner.email);
    lab.person = { ...lab.person, email: owner.email, email_verified: true };
    expect(await signIn()).toMatchObject({ error: 'account_exists' });
  });

  it('does not complete a pending link, and gets the error at the first try', async () => {
    const owner = await Person.signUp(app);
    const { body } = await visitor.link(owner.token);
    await suspend(owner.email);
    const tries = jest.spyOn(app.app.get(IdentityLinks, { strict: false }), 'add');
    const { fragment } = await visitor.open(lab.visit(String(body['authorizationUrl'])));
    expect(fragment).toMatchObject({ error: 'link_refused' });
    expect(tries).not.toHaveBeenCalled();
    await restore(owner.email);
    const { token } = await Person.again(owner);
    expect(itemsOf(await app.get(`${ME}/identities`, token))).toEqual([]);
  });

  it('has got no code that outlives it, and none that comes alive again', async () => {
    const { id } = await me((await signIn())['access_token']);
    const { codeVerifier, codeChallenge } = pkce();
    const { code } = await signIn({ codeChallenge });
    const redeem = async () => (await app.post('external/token', { code, codeVerifier })).status;
    await suspend(String(id));
    expect(await redeem()).toBe(400);
    await restore(String(id));
    expect(await redeem()).toBe(400);
  });

  /** No session can be stored: a sign-in has checked and locked the account, and waits. */
  const noNewSession = 'LOCK TABLE sessions IN SHARE MODE';
  /** The sessions of an account cannot end: its suspension has locked the account, and waits. */
  const noEndedSession = 'SELECT 1 FROM sessions WHERE account_id = $1 FOR UPDATE';

  /** How long it takes, in milliseconds. */
  async function timed(work: () => Promise<unknown>): Promise<number> {
    const began = performance.now();
    await work();
    return performance.now() - began;
  }

  describe('at that very moment', () => {
    let id: string;
    beforeEach(async () => {
      id = String((await me((await signIn())['access_token']))['id']);
    });
    async function beginCode() {
      const { codeVerifier, codeChallenge } = pkce();
      const { code } = await signIn({ codeChallenge });
      return () => app.post('external/token', { code, codeVerifier });
    }

    it('has no session left of a sign-in before the suspension', async () => {
      const callback = await begin();
      const [{ fragment }] = await inTurnBehind(
        app,
        [noNewSession],
        () => visitor.open(callback),
        () => suspend(id),
      );
      expect(fragment).toHaveProperty('access_token');
      await expectDead(fragment['access_token'], fragment['refresh_token']);
    });

    it('gets no session by a sign-in after the suspension', async () => {
      const callback = await begin();
      const [, { fragment }] = await inTurnBehind(
        app,
        [noEndedSession, id],
        () => suspend(id),
        () => visitor.open(callback),
      );
      expect(fragment).toEqual(refusal);
    });

    it('gets no code by a sign-in after the suspension', async () => {
      const callback = await begin({ codeChallenge: pkce().codeChallenge });
      const [, { fragment }] = await inTurnBehind(
        app,
        [noEndedSession, id],
        () => suspend(id),
        () => visitor.open(callback),
      );
      expect(fragment).toEqual(refusal);
      expect(await app.sql('SELECT 1 FROM one_time_codes WHERE account_id = $1', [id])).toEqual([]);
    });

    it('has no session left of a code redeemed before the suspension', async () => {
      const redeem = await beginCode();
      const [{ status, body }] = await inTurnBehind(app, [noNewSession], redeem, () => suspend(id));
      expect(status).toBe(200);
      await expectDead(body['accessToken'], body['refreshToken']);
    });

    it('gets no session by a code redeemed after the suspension', async () => {
      const redeem = await beginCode();
      const [, { status }] = await inTurnBehind(app, [noEndedSession, id], () => suspend(id), redeem);
      expect(status).toBe(400);
    });

    it('has no session left of a sign-in at any moment', async () => {
      const callback = await begin();
      const longest = 1.5 * (await timed(() => visitor.open(callback)));
      for (let round = 0; round < ROUNDS; round += 1) {
        const next = await begin();
        const suspended = sleep((longest * round) / ROUNDS).then(() => suspend(id));
        const [{ fragment }] = await Promise.all([visitor.open(next), suspended]);
        await expectDead(fragment['access_token'], fragment['refresh_token']);
        if (!('access_token' in fragment)) expect(fragment).toEqual(refusal);
        await restore(id);
      }
    });

    it('has no session left of a code that is redeemed at any moment', async () => {
      const longest = 1.5 * (await timed(await beginCode()));
      for (let round = 0; round < ROUNDS; round += 1) {
        const redeem = await beginCode();
        const suspended = sleep((longest * round) / ROUNDS).then(() => suspend(id));
        const [{ status, body }] = await Promise.all([redeem(), suspended]);
        expect([200, 400]).toContain(status);
        await expectDead(body['accessToken'], body['refreshToken']);
        await restore(id);
      }
    });
  });
});
