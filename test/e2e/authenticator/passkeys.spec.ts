import { randomBytes } from 'node:crypto';
import { claimsOf } from '../../support/aged.js';
import { login, loginWith, TestTotp } from '../../support/factors.js';
import { Organization, Person } from '../../support/organization.js';
import { type Forgery, SoftAuthenticator } from '../../support/soft-authenticator.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { type Answer, createDatabase, eventually, TestApp } from '../../support/test-app.js';

const AUTHENTICATORS = '/api/v1/iam/me/authenticators';
const ORIGIN = 'http://gatehouse.test';

type Options = Parameters<SoftAuthenticator['assert']>[0];

describe('Passkeys', () => {
  let app: TestApp;
  let replica: TestApp;
  beforeAll(async () => {
    const shared = {
      DATABASE_URL: await createDatabase(),
      ROOT_SECRET: randomBytes(32).toString('base64'),
      DATA_DIR: temporaryFolder('passkeys'), // either replica may send the mails
    };
    app = await TestApp.start(shared);
    replica = await TestApp.start(shared);
  });
  afterAll(async () => {
    await replica.stop();
    await app.stop();
  });

  const optionsOf = ({ body }: Answer) => body as unknown as Options;
  const begin = async (token: string) =>
    optionsOf(await app.call('POST', `${AUTHENTICATORS}/passkeys/options`, undefined, { token }));
  const add = (token: string, answer: object) =>
    app.call('POST', `${AUTHENTICATORS}/passkeys`, answer, { token });
  const enrol = async (flags = {}) => {
    const person = await Person.signUp(app);
    const authenticator = new SoftAuthenticator(ORIGIN, flags);
    const { status, body } = await add(person.token, authenticator.register(await begin(person.token)));
    if (status !== 201) throw new Error(`The enrolment answered ${status}: ${JSON.stringify(body)}.`);
    return { person, authenticator, body };
  };
  const signInOptions = async (challenge?: unknown) =>
    optionsOf(await app.post('passkeys/options', challenge === undefined ? {} : { challenge }));
  const signIn = (answer: object) => app.post('passkeys/login', answer);

  it('sign in by themselves, with two factors, once for each ceremony', async () => {
    const { person, authenticator, body } = await enrol();
    expect(body['recoveryCodes']).toHaveLength(10);
    const options = await signInOptions();
    expect(options.publicKey).toMatchObject({ rpId: 'gatehouse.test', userVerification: 'required' });
    expect(options.publicKey).not.toHaveProperty('allowCredentials');
    const answer = authenticator.assert(options);
    const signedIn = await signIn(answer);
    expect(signedIn.status).toBe(200);
    expect(claimsOf(signedIn.body['accessToken'])).toMatchObject({
      sub: person.id,
      acr: 'phr',
      amr: ['pop', 'user', 'mfa'],
    });
    expect(await signIn(answer)).toMatchObject({
      status: 400,
      body: { violations: [{ propertyPath: 'ceremony' }] },
    });
  });

  it('are known to the permission check on both replicas within a second, and when they are gone', async () => {
    const { owner } = await Organization.found(app);
    const { token } = owner;
    const can = async (service: TestApp) => {
      const scopes = ['iam:tenant:transfer-ownership'];
      const { body } = await service.call('POST', '/api/auth/can', { scopes }, { token });
      return body['iam:tenant:transfer-ownership'] as unknown as { allowed: boolean; code?: string };
    };
    expect([await can(app), await can(replica)]).toEqual([{ allowed: true }, { allowed: true }]);
    const totp = await TestTotp.enrol(app, token);
    const asksForMore = async () => (await can(replica)).code === 'authentication_insufficient';
    await eventually('the other replica asks for the factor', asksForMore, 1_000);
    expect((await can(app)).code).toBe('authentication_insufficient');
    const { body } = await loginWith(app, owner.person, { method: 'totp', code: totp.next() });
    const strong = { token: String(body['accessToken']) };
    await app.call('DELETE', `${AUTHENTICATORS}/${totp.id}`, undefined, strong);
    await eventually('the other replica asks no more', async () => (await can(replica)).allowed, 1_000);
  });

  it('sign in once of twenty concurrent answers to one ceremony on two replicas', async () => {
    const { authenticator } = await enrol({ backupEligible: true });
    const answer = authenticator.assert(await signInOptions());
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? app : replica).post('passkeys/login', answer)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(19).fill(400)]);
  });

  it('are a second factor after a password, for their own account alone', async () => {
    const { person, authenticator } = await enrol();
    const other = await enrol();
    const first = await login(app, person);
    expect(first.body).toMatchObject({ methods: ['passkey', 'recovery_code'] });
    const { challenge } = first.body;
    const options = await signInOptions(challenge);
    expect(options.publicKey).toMatchObject({ allowCredentials: [{ id: authenticator.id }] });
    const answerOf = (by: SoftAuthenticator) => ({ challenge, method: 'passkey', ...by.assert(options) });
    expect((await app.post('second-factor', answerOf(other.authenticator))).status).toBe(401);
    const { status, body } = await app.post('second-factor', answerOf(authenticator));
    expect(status).toBe(200);
    expect(claimsOf(body['accessToken'])).toMatchObject({ acr: 'phr', amr: ['pwd', 'pop', 'user', 'mfa'] });
  });

  it.each<[string, Forgery]>([
    ['of another site', { rpId: 'evil.test' }],
    ['from another origin', { origin: 'https://evil.test' }],
    ['from an origin that only begins like ours', { origin: `${ORIGIN}.evil.test` }],
    ['from an origin that only ends like ours', { origin: 'http://evil-gatehouse.test' }],
    ['in a frame of another site', { crossOrigin: true }],
    ['in a frame of a named site', { crossOrigin: true, topOrigin: ORIGIN }],
    ['with the name of a frame, outside of one', { topOrigin: ORIGIN }],
    ['of another type', { type: 'webauthn.create' }],
    ['of another challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    ['without a person', { userPresent: false }],
    ['without user verification', { userVerified: false }],
    ['of a passkey that has become one that is synced', { backupEligible: true }],
    ['of another user', { userHandle: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    ['of no user', { userHandle: null }],
    ['whose counter has gone back', { signCount: 0 }],
    ['whose counter has not gone on', { signCount: 1 }],
  ])('refuse an assertion %s', async (_, forgery) => {
    const { authenticator } = await enrol();
    expect((await signIn(authenticator.assert(await signInOptions()))).status).toBe(200);
    expect(await signIn(authenticator.assert(await signInOptions(), forgery))).toMatchObject({
      status: 401,
      body: { type: '/errors/invalid-credentials', credentialKnown: true },
    });
  });

  it('let the counter of a synced passkey go back, as its devices do not share it', async () => {
    const { authenticator } = await enrol({ backupEligible: true, backedUp: true });
    for (const signCount of [5, 3])
      expect((await signIn(authenticator.assert(await signInOptions(), { signCount }))).status).toBe(200);
  });

  it.each<[string, Forgery]>([
    ['of another site', { rpId: 'evil.test' }],
    ['from another origin', { origin: 'https://evil.test' }],
    ['in a frame of another site', { crossOrigin: true }],
    ['with the name of a frame, outside of one', { topOrigin: ORIGIN }],
    ['of another type', { type: 'webauthn.get' }],
    ['of another challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    ['without a person', { userPresent: false }],
    ['without user verification', { userVerified: false }],
    ['with an algorithm that was not offered', { algorithm: -35 }],
    ['with the experimental algorithm that the library accepts', { algorithm: -48 }],
    ['that is backed up and cannot be', { backedUp: true }],
  ])('refuse a registration %s', async (_, forgery) => {
    const person = await Person.signUp(app);
    const authenticator = new SoftAuthenticator(ORIGIN);
    const answer = authenticator.register(await begin(person.token), forgery);
    expect(await add(person.token, answer)).toMatchObject({
      status: 400,
      body: { violations: [{ propertyPath: 'credential' }] },
    });
  });

  it('refuse a ceremony that was begun for something else or by another session', async () => {
    const one = await enrol();
    const ceremonyIs = ({ status, body }: Answer) =>
      expect({ status, body }).toMatchObject({
        status: 400,
        body: { violations: [{ propertyPath: 'ceremony' }] },
      });
    const third = await Person.signUp(app);
    const begun = await begin((await Person.signUp(app)).token);
    ceremonyIs(await add(third.token, new SoftAuthenticator(ORIGIN).register(begun)));
    const { body } = await app.post('step-up/options', undefined, { token: one.person.token });
    ceremonyIs(await signIn(one.authenticator.assert(body as unknown as Options)));
    const { challenge } = (await login(app, one.person)).body;
    ceremonyIs(
      await app.post('second-factor', {
        challenge,
        method: 'passkey',
        ...one.authenticator.assert(await signInOptions()),
      }),
    );
  });

  it('say for the browser which passkeys the service does not know', async () => {
    const unknown = new SoftAuthenticator(ORIGIN);
    unknown.userHandle = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
    expect(await signIn(unknown.assert(await signInOptions()))).toMatchObject({
      status: 401,
      body: { credentialKnown: false },
    });
  });

  it('cannot be registered twice, for whomever', async () => {
    const { authenticator } = await enrol();
    const other = await Person.signUp(app);
    expect((await add(other.token, authenticator.register(await begin(other.token)))).status).toBe(409);
  });

  it('do not sign in to a suspended account, nor after they are removed', async () => {
    const { person, authenticator, body } = await enrol();
    await app.command('account:suspend', '--account', person.email);
    expect((await signIn(authenticator.assert(await signInOptions()))).status).toBe(401);
    await app.command('account:restore', '--account', person.email);
    const again = await signIn(authenticator.assert(await signInOptions()));
    expect(again.status).toBe(200);
    const { id } = body['authenticator'] as unknown as { id: string };
    const token = String(again.body['accessToken']);
    expect((await app.call('DELETE', `${AUTHENTICATORS}/${id}`, undefined, { token })).status).toBe(204);
    expect(await signIn(authenticator.assert(await signInOptions()))).toMatchObject({
      status: 401,
      body: { credentialKnown: false },
    });
    expect((await login(app, person)).status).toBe(200);
  });

  it('confirm a person in their session, and lift the block of an authenticator app', async () => {
    const { person, authenticator } = await enrol();
    const signedIn = await signIn(authenticator.assert(await signInOptions()));
    const token = String(signedIn.body['accessToken']);
    const totp = await TestTotp.enrol(app, token);
    await app.sql('UPDATE totp_authenticators SET failures = 99 WHERE account_id = $1', [person.id]);
    const stepUp = (answer: object) => app.post('step-up', answer, { token });
    const wrong = (await app.post('step-up', { method: 'totp', code: '000000' }, { token })).status;
    expect(wrong).toBe(401);
    expect((await stepUp({ method: 'totp', code: totp.next() })).status).toBe(401);
    const { body } = await app.post('step-up/options', undefined, { token });
    expect(body['methods']).toEqual(['password', 'passkey', 'recovery_code']);
    const confirmed = await stepUp({
      method: 'passkey',
      ...authenticator.assert(body as unknown as Options),
    });
    expect(claimsOf(confirmed.body['accessToken'])).toMatchObject({ acr: 'phr' });
    expect((await stepUp({ method: 'totp', code: totp.next() })).status).toBe(200);
  });

  it('are announced to browsers and password managers', async () => {
    const origins = 'https://shop.example,android:apk-key-hash:sha256-abc,http://localhost:8080';
    const service = await TestApp.start({ PASSKEY_ORIGINS: origins, APP_URL: 'https://app.gatehouse.test' });
    try {
      const webauthn = await service.get('/.well-known/webauthn');
      expect(webauthn).toMatchObject({ status: 200, headers: expect.any(Headers) });
      expect(webauthn.headers.get('content-type')).toContain('application/json');
      expect(webauthn.headers.get('cache-control')).toBe('public, max-age=300');
      expect(new Set(webauthn.body['origins'] as unknown as string[])).toEqual(
        new Set(['https://app.gatehouse.test', 'https://shop.example']),
      );
      const page = 'https://app.gatehouse.test/account/security';
      expect((await service.get('/.well-known/passkey-endpoints')).body).toEqual({
        enroll: page,
        manage: page,
      });
    } finally {
      await service.stop();
    }
  });
});
