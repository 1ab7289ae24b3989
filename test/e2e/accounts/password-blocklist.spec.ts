import { TestTotp } from '../../support/factors.js';
import { TestApp } from '../../support/test-app.js';

const COMMON = 'Football1'; // on the shipped list, in lower case
const MINE = { firstName: 'Augusta Ada', company: 'Lovelace Logistics' };
const GOOD = 'quiet-harbour-42';
const ROOT_SECRET = Buffer.alloc(32, 7).toString('base64');

const onField = (propertyPath: string, message: unknown) => ({
  type: '/errors/validation-error',
  violations: [{ propertyPath, message }],
});

describe('PASSWORD_BLOCKLIST', () => {
  const apps: TestApp[] = [];
  const start = async (settings: Record<string, string> = {}) => {
    const app = await TestApp.start(settings);
    apps.push(app);
    return app;
  };
  afterAll(() => Promise.all(apps.map((app) => app.stop())));

  const shouldChange = async (app: TestApp, email: string, password: string) => {
    const { status, body } = await app.post('login', { email, password });
    return [status, body['passwordShouldChange']];
  };
  /** Creates an account with the name and the organization of {@link MINE}. */
  const register = async (app: TestApp, email?: string) => {
    const person = await app.register(email);
    const { accessToken: token } = await app.login(person);
    expect((await app.call('PATCH', '/api/v1/iam/me', MINE, { token })).status).toBe(200);
    return { ...person, token };
  };

  it('warn: accepts a common password, and says at each login that it should change', async () => {
    const app = await start();
    const { email } = await register(app, 'augusta.ada@example.com');
    const words = [COMMON, MINE.company.toUpperCase(), email.toUpperCase(), 'Augusta.Ada', MINE.firstName];
    expect(await shouldChange(app, email, GOOD)).toEqual([200, undefined]);
    let current = GOOD;
    for (const password of words) {
      const { accessToken: token } = await app.login({ email, password: current });
      const change = { currentPassword: current, newPassword: password };
      expect((await app.call('PUT', '/api/v1/iam/me/password', change, { token })).status).toBe(204);
      expect([password, await shouldChange(app, email, password)]).toEqual([password, [200, true]]);
      current = password;
    }
  });

  it('warn: says it after the second factor too, and not before', async () => {
    const app = await start();
    for (const [password, expected] of [
      [COMMON, true],
      [GOOD, undefined],
    ] as const) {
      const { email } = await app.register(undefined, password);
      const totp = await TestTotp.enrol(app, (await app.login({ email, password })).accessToken);
      const first = await app.post('login', { email, password });
      expect([first.status, first.body['passwordShouldChange']]).toEqual([403, undefined]);
      const answer = { challenge: first.body['challenge'], method: 'totp' };
      const wrong = await app.post('second-factor', { ...answer, code: '000000' });
      expect([wrong.status, wrong.body['passwordShouldChange']]).toEqual([401, undefined]);
      const { status, body } = await app.post('second-factor', { ...answer, code: totp.next() });
      expect([status, body['passwordShouldChange']]).toEqual([200, expected]);
    }
  });

  it('warn: says nothing at a refused login', async () => {
    const app = await start();
    const { email } = await app.register();
    const { status, body } = await app.post('login', { email, password: COMMON });
    expect([status, Object.keys(body)]).toEqual([401, ['type', 'title', 'status', 'detail', 'instance']]);
  });

  it('off: says nothing', async () => {
    const app = await start({ PASSWORD_BLOCKLIST: 'off' });
    const { email } = await app.register('off@example.com', COMMON);
    expect(await shouldChange(app, email, COMMON)).toEqual([200, undefined]);
  });

  describe('refuse', () => {
    let app: TestApp;
    beforeAll(async () => {
      app = await start({ PASSWORD_BLOCKLIST: 'refuse' });
    });

    it('refuses it at a registration, the same for an address with an account', async () => {
      const { email } = await app.register();
      for (const address of [email, 'of-no-account@example.com']) {
        const common = await app.post('register', { ...MINE, email: address, password: COMMON });
        expect(common.status).toBe(400);
        expect(common.body).toMatchObject(onField('password', expect.stringContaining('is on a list')));
        for (const own of [address, address.split('@')[0], MINE.company]) {
          const refused = await app.post('register', { ...MINE, email: address, password: own });
          expect(refused.body).toMatchObject(onField('password', expect.stringContaining('is your address')));
        }
      }
    });

    it('refuses it at a reset, whose link can be used again', async () => {
      const { email } = await register(app);
      await app.post('request-password-reset', { email });
      const token = await app.mailedToken(email, 2);
      const reset = (newPassword: string) => app.post('reset-password', { token, newPassword });
      for (const password of [COMMON, MINE.company])
        expect((await reset(password)).body).toMatchObject(onField('newPassword', expect.any(String)));
      expect((await reset(GOOD)).status).toBe(204);
    });

    it('says nothing of the account to a wrong reset link', async () => {
      const refused = await app.post('reset-password', { token: 'no-such-token', newPassword: COMMON });
      expect(refused.body).toMatchObject(onField('token', expect.any(String)));
    });

    it('refuses it at a change, in the language of the caller', async () => {
      const { email, password } = await app.register();
      const { accessToken: token } = await app.login({ email, password });
      const change = { currentPassword: password, newPassword: COMMON };
      const headers = { 'accept-language': 'de' };
      const refused = await app.call('PUT', '/api/v1/iam/me/password', change, { token, headers });
      expect(refused.body).toMatchObject(onField('newPassword', expect.stringContaining('Angreifer')));
      expect((await app.post('login', { email, password })).status).toBe(200);
    });

    it('proves the current password before it judges the new one', async () => {
      const { email, password } = await app.register();
      const { accessToken: token } = await app.login({ email, password });
      const change = { currentPassword: 'a-wrong-harbour', newPassword: COMMON };
      const refused = await app.call('PUT', '/api/v1/iam/me/password', change, { token });
      expect(refused.body).toMatchObject(onField('currentPassword', expect.any(String)));
    });

    it('lets people sign in who have such a password already, and says that it should change', async () => {
      const before = await start({ ROOT_SECRET });
      const { email } = await before.register('before@example.com', COMMON);
      const { databaseUrl: DATABASE_URL } = before;
      const after = await start({ DATABASE_URL, ROOT_SECRET, PASSWORD_BLOCKLIST: 'refuse' });
      expect(await shouldChange(after, email, COMMON)).toEqual([200, true]);
    });
  });
});
