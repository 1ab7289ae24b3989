import { randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { ceremonyOf, login, TestPasskey } from '../../support/factors.js';
import { Person } from '../../support/organization.js';
import { Replicas } from '../../support/replicas.js';
import { SoftAuthenticator } from '../../support/soft-authenticator.js';
import { type Answer, TestApp } from '../../support/test-app.js';

const PASSKEYS = '/api/v1/iam/me/authenticators/passkeys';
const ORIGIN = 'http://gatehouse.test';

describe('Passkeys under attack', () => {
  let replicas: Replicas;
  let app: TestApp;
  beforeAll(async () => {
    replicas = await Replicas.start();
    ({ app } = replicas);
  });
  afterAll(() => replicas.stop());

  const begin = async (person: Person) =>
    ceremonyOf(await app.call('POST', `${PASSKEYS}/options`, undefined, person));
  const add = (person: Person, answer: object, replica: TestApp = app) =>
    replica.call('POST', PASSKEYS, answer, person);
  const enrolled = async (flags = {}) => {
    const person = await Person.signUp(app);
    return { person, passkey: await TestPasskey.enrol(app, person.token, flags) };
  };
  const onceOf = (answers: readonly Answer[], first: number) =>
    expect(answers.map(({ status }) => status).toSorted()).toEqual([first, ...Array<number>(19).fill(400)]);

  it('are registered by one of twenty concurrent answers to one ceremony', async () => {
    const person = await Person.signUp(app);
    const answer = new SoftAuthenticator(ORIGIN).register(await begin(person));
    const answers = await replicas.parallel(20, (replica) => add(person, answer, replica));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(19);
    // Those that are late have to confirm themselves: the person has a second factor by then.
    for (const { status } of refused) expect([400, 401]).toContain(status);
    expect(await app.sql('SELECT 1 FROM passkeys WHERE account_id = $1', [person.id])).toHaveLength(1);
  });

  it('confirm a person by one of twenty concurrent answers to one ceremony', async () => {
    const { person, passkey } = await enrolled({ backupEligible: true });
    const options = ceremonyOf(await app.post('step-up/options', undefined, person));
    const answer = { method: 'passkey', ...passkey.authenticator.assert(options) };
    onceOf(await replicas.parallel(20, (replica) => replica.post('step-up', answer, person)), 200);
  });

  it('are a second factor by one of twenty concurrent answers to one ceremony', async () => {
    const { person, passkey } = await enrolled({ backupEligible: true });
    const { challenge } = (await login(app, person)).body;
    const answer = { challenge, method: 'passkey', ...(await passkey.answer(app, challenge)) };
    onceOf(await replicas.parallel(20, (replica) => replica.post('second-factor', answer)), 200);
  });

  it('have one user handle, also when they are begun at the same time', async () => {
    const person = await Person.signUp(app);
    const begun = await replicas.parallel(20, (replica) =>
      replica.call('POST', `${PASSKEYS}/options`, undefined, person),
    );
    expect(begun.map(({ status }) => status)).toEqual(Array<number>(20).fill(200));
    const handles = begun.map((answer) => (ceremonyOf(answer).publicKey as { user: { id: string } }).user.id);
    expect(new Set(handles).size).toBe(1);
    expect(handles[0]).toMatch(/^[\w-]{43}$/);
    expect(Buffer.from(handles[0] ?? '', 'base64url').toString('latin1')).not.toContain(person.id);
  });

  it.each([1_024, 3_000, 9_000])('have no id of %i bytes, whatever id the answer names', async (length) => {
    const person = await Person.signUp(app);
    const authenticator = new SoftAuthenticator(ORIGIN);
    authenticator.credentialId = randomBytes(length);
    const answer = authenticator.register(await begin(person));
    const id = randomBytes(16).toString('base64url');
    const named = { ...answer, credential: { ...answer.credential, id, rawId: id } };
    for (const given of [answer, named])
      expect(await add(person, given)).toMatchObject({
        status: 400,
        body: { violations: [{ propertyPath: 'credential' }] },
      });
  });

  it('have the longest id that is allowed', async () => {
    const person = await Person.signUp(app);
    const authenticator = new SoftAuthenticator(ORIGIN);
    authenticator.credentialId = randomBytes(1_023);
    expect((await add(person, authenticator.register(await begin(person)))).status).toBe(201);
  });

  it('are created by the options that the contract names', async () => {
    const { person, passkey } = await enrolled();
    const { body } = await app.post('refresh', { refreshToken: person.refreshToken });
    await app.sql('UPDATE sessions SET aal2_at = now() WHERE id = $1', [person.sessionId]);
    const again = await app.post('refresh', { refreshToken: body['refreshToken'] });
    const options = await app.call('POST', `${PASSKEYS}/options`, undefined, {
      token: String(again.body['accessToken']),
    });
    expect(options.body).toEqual({
      ceremony: expect.any(String),
      expiresInSeconds: 300,
      publicKey: {
        challenge: expect.stringMatching(/^[\w-]{43}$/),
        rp: { id: 'gatehouse.test', name: 'Gatehouse' },
        user: { id: passkey.authenticator.userHandle, name: person.email, displayName: 'Ada' },
        pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: 'public-key', alg })),
        timeout: 300_000,
        attestation: 'none',
        authenticatorSelection: {
          residentKey: 'required',
          requireResidentKey: true,
          userVerification: 'required',
        },
        excludeCredentials: [{ type: 'public-key', id: passkey.authenticator.id, transports: ['internal'] }],
        extensions: { credProps: true },
      },
    });
  });

  it('need not say by which transports they are reached', async () => {
    const person = await Person.signUp(app);
    const answer = new SoftAuthenticator(ORIGIN).register(await begin(person));
    const { transports: _, ...response } = answer.credential.response;
    const added = await add(person, { ...answer, credential: { ...answer.credential, response } });
    expect(added).toMatchObject({ status: 201, body: { authenticator: { transports: [] } } });
  });

  it('may say what this release does not know: transports, attachment, extensions', async () => {
    const person = await Person.signUp(app);
    const authenticator = new SoftAuthenticator(ORIGIN);
    const unknown = {
      authenticatorAttachment: 'NFC',
      clientExtensionResults: {
        credProps: { rk: true, authenticatorDisplayName: null },
        prf: { enabled: 1 },
      },
      manufacturer: { name: 'Vault' },
    };
    const register = authenticator.register(await begin(person));
    const transports = ['', 'NFC', 'usb', 'usb', 'x-satellite', 'cable v2', 'a'.repeat(31), 'hybrid'];
    const response = { ...register.credential.response, transports, publicKeyAlgorithm: -7, publicKey: null };
    const credential = { ...register.credential, ...unknown, response };
    expect(await add(person, { ...register, credential })).toMatchObject({
      status: 201,
      body: { authenticator: { transports: ['usb', 'x-satellite', 'hybrid'] } },
    });
    const options = await app.post('passkeys/options', {});
    const answer = authenticator.assert(options.body as never);
    const signedIn = await app.post('passkeys/login', {
      ...answer,
      credential: { ...answer.credential, ...unknown },
    });
    expect(signedIn.status).toBe(200);
  });

  it('need not name their user as a second factor, and name no other', async () => {
    const { person, passkey } = await enrolled();
    const other = await enrolled();
    const { challenge } = (await login(app, person)).body;
    const answers = async (userHandle: string | null) => {
      const options = ceremonyOf(await app.post('passkeys/options', { challenge }));
      const assertion = passkey.authenticator.assert(options, { userHandle });
      return (await app.post('second-factor', { challenge, method: 'passkey', ...assertion })).status;
    };
    expect(await answers(other.passkey.authenticator.userHandle)).toBe(401);
    expect(await answers(null)).toBe(200);
  });

  it('are not slowed down by wrong codes from the same network', async () => {
    const { person, passkey } = await enrolled();
    const guess = { method: 'recovery_code', code: 'AAAAA-AAAAA' };
    for (let n = 0; n < 6; n += 1) expect((await app.post('step-up', guess, person)).status).toBe(401);
    const { challenge } = (await login(app, person)).body;
    const answer = { challenge, method: 'passkey', ...(await passkey.answer(app, challenge)) };
    expect((await app.post('second-factor', answer)).status).toBe(200);
  });

  it('are removed with their user handle by the erasure of the account', async () => {
    const [{ person }, other] = [await enrolled(), await enrolled()];
    const { body } = await app.post('step-up/options', undefined, person);
    expect(body['methods']).toContain('passkey');
    await app.sql('UPDATE sessions SET aal2_at = now() WHERE id = $1', [person.sessionId]);
    const fresh = await app.post('refresh', { refreshToken: person.refreshToken });
    const token = String(fresh.body['accessToken']);
    expect((await app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token })).status).toBe(204);
    for (const table of ['passkeys', 'passkey_users', 'recovery_codes'])
      expect(await app.sql(`SELECT 1 FROM ${table} WHERE account_id = $1`, [person.id])).toEqual([]);
    expect((await other.passkey.signIn(app)).status).toBe(200);
  });

  it('are twenty at most, also when they are added at the same time', async () => {
    const person = await Person.signUp(app);
    await TestPasskey.enrol(app, person.token);
    const { body } = await app.post('refresh', { refreshToken: person.refreshToken });
    const token = String(body['accessToken']);
    await app.sql('UPDATE sessions SET aal2_at = now(), phr_at = now() WHERE id = $1', [person.sessionId]);
    const strong = String(
      (await app.post('refresh', { refreshToken: body['refreshToken'] })).body['accessToken'],
    );
    expect(token).not.toBe(strong);
    const begun = await Promise.all(
      Array.from({ length: 24 }, () => app.call('POST', `${PASSKEYS}/options`, undefined, { token: strong })),
    );
    const added = await replicas.parallel(24, async (replica, n) => {
      const credential = new SoftAuthenticator(ORIGIN).register(ceremonyOf(begun[n] as Answer));
      return replica.call('POST', PASSKEYS, credential, { token: strong });
    });
    expect(added.filter(({ status }) => status === 201)).toHaveLength(19);
    expect(added.filter(({ status }) => status === 409)).toHaveLength(5);
    expect((await app.call('POST', `${PASSKEYS}/options`, undefined, { token: strong })).status).toBe(409);
  });

  it('are noted in the log where the counter of a synced one goes back, without naming it', async () => {
    const { passkey } = await enrolled({ backupEligible: true, backedUp: true });
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const signIn = async (signCount: number) => {
      const options = ceremonyOf(await app.post('passkeys/options', {}));
      return app.post('passkeys/login', passkey.authenticator.assert(options, { signCount }));
    };
    expect((await signIn(5)).status).toBe(200);
    expect(warn).not.toHaveBeenCalled();
    expect((await signIn(3)).status).toBe(200);
    expect(warn.mock.calls).toEqual([['The counter of a synced passkey has gone back.']]);
    warn.mockRestore();
  });

  it('may never lose the property of being synced', async () => {
    const { passkey } = await enrolled({ backupEligible: true });
    const options = ceremonyOf(await app.post('passkeys/options', {}));
    const forged = passkey.authenticator.assert(options, { backupEligible: false });
    expect((await app.post('passkeys/login', forged)).status).toBe(401);
  });

  it('are answered within five minutes', async () => {
    const { passkey } = await enrolled();
    const answer = await passkey.answer(app);
    const later = Date.now() + 301_000;
    const clock = jest.spyOn(Date, 'now').mockReturnValue(later);
    const late = await app.post('passkeys/login', answer).finally(() => clock.mockRestore());
    expect(late).toMatchObject({ status: 400, body: { violations: [{ propertyPath: 'ceremony' }] } });
    expect((await app.post('passkeys/login', answer)).status).toBe(200);
  });

  it('of a ceremony of another service are refused', async () => {
    const { passkey } = await enrolled();
    const answer = await passkey.answer(app);
    const [flow = '', expiry = '', tag = ''] = answer.ceremony.split('.');
    const later = String(Number(expiry) + 1);
    for (const ceremony of [`${flow}.${later}.${tag}`, `${flow}.${expiry}.${'A'.repeat(43)}`, 'ceremony'])
      expect((await app.post('passkeys/login', { ...answer, ceremony })).status).toBe(400);
  });
});
