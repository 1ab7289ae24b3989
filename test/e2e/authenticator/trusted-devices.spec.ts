import { newId } from '../../../src/kernel/index.js';
import { claimsOf } from '../../support/aged.js';
import { loginWith, TestPasskey, TestTotp } from '../../support/factors.js';
import { Person } from '../../support/organization.js';
import { type Answer, eventually, itemsOf, tokenIn, withApp } from '../../support/test-app.js';

const AUTHENTICATORS = '/api/v1/iam/me/authenticators';
const DEVICES = '/api/v1/iam/me/trusted-devices';

/** A person with an app, and the token of a device that they trust. */
interface Trusting {
  readonly person: Person;
  readonly totp: TestTotp;
  readonly deviceToken: string;
  /** Access token of a session by two factors. */
  readonly token: string;
}

describe('A trusted device', () => {
  const app = withApp();

  const trusting = async (): Promise<Trusting> => {
    const person = await Person.signUp(app);
    const totp = await TestTotp.enrol(app, person.token);
    const answer = { method: 'totp', code: totp.next(), rememberDevice: true };
    const { status, body } = await loginWith(app, person, answer);
    expect(status).toBe(200);
    return { person, totp, deviceToken: String(body['deviceToken']), token: String(body['accessToken']) };
  };
  const loginAt = ({ person: { email, password } }: Trusting, deviceToken: string, pass = password) =>
    app.post('login', { email, password: pass, deviceToken });
  const expectAsked = ({ status, body }: Answer) =>
    expect({ status, body }).toMatchObject({
      status: 403,
      body: { type: '/errors/second-factor-required' },
    });
  const devicesOf = ({ person }: Trusting) =>
    app.sql('SELECT * FROM trusted_devices WHERE account_id = $1', [person.id]);

  it('stands in for the second factor at a login, as often as needed, and proves none', async () => {
    const own = await trusting();
    for (let n = 0; n < 2; n += 1) {
      const { status, body } = await loginAt(own, own.deviceToken);
      expect(status).toBe(200);
      expect(claimsOf(body['accessToken'])).toMatchObject({ acr: 'aal1', amr: ['pwd'] });
      expect(claimsOf(body['accessToken'])).toHaveProperty('trusted_device', true);
      expect(claimsOf(body['accessToken'])).not.toHaveProperty('aal2_time');
      expect(body).not.toHaveProperty('deviceToken');
      const { body: later } = await app.post('refresh', { refreshToken: body['refreshToken'] });
      expect(claimsOf(later['accessToken'])).toMatchObject({ acr: 'aal1', trusted_device: true });
    }
    const { body } = await loginWith(app, own.person, { method: 'totp', code: own.totp.next() });
    expect(claimsOf(body['accessToken'])).not.toHaveProperty('trusted_device');
  });

  it('is trusted by the second factor alone, and only if it was asked for', async () => {
    const own = await trusting();
    const { body } = await loginWith(app, own.person, { method: 'totp', code: own.totp.next() });
    expect(body).not.toHaveProperty('deviceToken');
    const wrong = { method: 'totp', code: '000000', rememberDevice: true };
    expect((await loginWith(app, own.person, wrong)).body).not.toHaveProperty('deviceToken');
    expect(await devicesOf(own)).toHaveLength(1);
  });

  it('is no password', async () => {
    const own = await trusting();
    expect((await loginAt(own, own.deviceToken, 'a-wrong-harbour-9')).status).toBe(401);
  });

  it('keeps its secret to itself: the database has a hash', async () => {
    const own = await trusting();
    const [id = '', secret = ''] = own.deviceToken.split('.');
    const [row] = await devicesOf(own);
    expect(row).toMatchObject({ id });
    const text = JSON.stringify(row);
    for (const form of [
      secret,
      Buffer.from(secret).toString('hex'),
      Buffer.from(secret, 'base64url').toString('hex'),
    ])
      expect(text).not.toContain(form);
    const days = await app.sql(
      'SELECT round(extract(epoch FROM expires_at - now()) / 86400)::int AS days FROM trusted_devices WHERE id = $1',
      [id],
    );
    expect(days).toEqual([{ days: 30 }]);
  });

  it('of another person, or with a changed token, changes nothing', async () => {
    const [own, other] = [await trusting(), await trusting()];
    const [id = '', secret = ''] = own.deviceToken.split('.');
    const [otherId = '', otherSecret = ''] = other.deviceToken.split('.');
    const forged = [
      other.deviceToken,
      `${otherId}.${secret}`,
      `${id}.${otherSecret}`,
      `${newId()}.${secret}`,
      `${id}.${'A'.repeat(43)}`,
    ];
    for (const token of forged) expectAsked(await loginAt(own, token));
    expect((await loginAt(own, own.deviceToken)).status).toBe(200);
  });

  it('never satisfies a step-up', async () => {
    const own = await trusting();
    const { body } = await loginAt(own, own.deviceToken);
    const token = String(body['accessToken']);
    const begin = (bearer: string) =>
      app.call('POST', `${AUTHENTICATORS}/totp`, undefined, { token: bearer });
    expect(await begin(token)).toMatchObject({
      status: 401,
      body: { acr: 'aal2', methods: ['totp', 'recovery_code'] },
    });
    const { password } = own.person;
    const { deviceToken } = own;
    expect((await app.post('step-up', { method: 'trusted_device', deviceToken }, { token })).status).toBe(
      400,
    );
    const byPassword = await app.post('step-up', { method: 'password', password }, { token });
    expect(claimsOf(byPassword.body['accessToken'])).toMatchObject({ acr: 'aal1' });
    expect((await begin(String(byPassword.body['accessToken']))).status).toBe(401);
    const byCode = await app.post('step-up', { method: 'totp', code: own.totp.next() }, { token });
    expect((await begin(String(byCode.body['accessToken']))).status).toBe(201);
  });

  it.each<[string, (own: Trusting) => Promise<string | void>]>([
    ['expires', async () => void (await app.sql('UPDATE trusted_devices SET expires_at = now()'))],
    [
      'is removed',
      async ({ token }) => {
        const [device] = itemsOf<{ id: string }>(await app.get(DEVICES, token));
        const removed = await app.call('DELETE', `${DEVICES}/${device?.id}`, undefined, { token });
        expect(removed.status).toBe(204);
      },
    ],
    [
      'sees a new password',
      async ({ person, token }) => {
        const newPassword = 'another-harbour-43';
        const body = { currentPassword: person.password, newPassword };
        expect((await app.call('PUT', '/api/v1/iam/me/password', body, { token })).status).toBe(204);
        return newPassword;
      },
    ],
    [
      'sees a password reset',
      async ({ person }) => {
        await app.post('request-password-reset', { email: person.email });
        const links = async () =>
          (await app.mails(person.email)).filter((mail) => mail.includes('/reset-password'));
        await eventually('the link is mailed', async () => (await links()).length > 0);
        const newPassword = 'another-harbour-43';
        const reset = { token: tokenIn((await links())[0] ?? ''), newPassword };
        expect((await app.post('reset-password', reset)).status).toBe(204);
        return newPassword;
      },
    ],
    ['sees a new passkey', async ({ token }) => void (await TestPasskey.enrol(app, token))],
    ['sees a new authenticator app', async ({ token }) => void (await TestTotp.enrol(app, token))],
    [
      'sees one of two authenticators removed',
      async ({ person, totp, token }) => {
        const passkey = await TestPasskey.enrol(app, token);
        const code = totp.next();
        const { body } = await loginWith(app, person, { method: 'totp', code, rememberDevice: true });
        const before = await app.post('login', {
          email: person.email,
          password: person.password,
          deviceToken: body['deviceToken'],
        });
        expect(before.status).toBe(200);
        const path = `${AUTHENTICATORS}/${passkey.id}`;
        expect((await app.call('DELETE', path, undefined, { token })).status).toBe(204);
        expectAsked(
          await app.post('login', {
            email: person.email,
            password: person.password,
            deviceToken: body['deviceToken'],
          }),
        );
      },
    ],
    [
      'sees a logout from all devices',
      async ({ token }) => {
        expect((await app.post('logout-all', undefined, { token })).status).toBe(204);
      },
    ],
    [
      'sees a suspension, and its end',
      async ({ person }) => {
        await app.command('account:suspend', '--account', person.email);
        await app.command('account:restore', '--account', person.email);
      },
    ],
  ])('ends once it %s', async (_, happen) => {
    const own = await trusting();
    expect((await loginAt(own, own.deviceToken)).status).toBe(200);
    const password = (await happen(own)) ?? own.person.password;
    expectAsked(await loginAt(own, own.deviceToken, password));
  });

  it('is listed to its owner, newest first, page by page, until it expires', async () => {
    const own = await trusting();
    await trusting(); // of another person
    for (let n = 0; n < 2; n += 1)
      await app.sql(
        `INSERT INTO trusted_devices (account_id, id, secret_hash, user_agent, expires_at)
         VALUES ($1, $2, '\\x00', 'Browser', now() + interval '1 day')`,
        [own.person.id, newId()],
      );
    const list = (query: string) => app.get(`${DEVICES}${query}`, own.token);
    const idsOf = (answer: Answer) => itemsOf<{ id: string }>(answer).map(({ id }) => id);
    const all = await list('');
    expect(idsOf(all)).toHaveLength(3);
    expect(idsOf(all)).toEqual(idsOf(all).toSorted().toReversed());
    expect(all.body['nextCursor']).toBeNull();
    const first = await list('?limit=2');
    expect(idsOf(first)).toEqual(idsOf(all).slice(0, 2));
    const second = await list(`?limit=2&cursor=${String(first.body['nextCursor'])}`);
    expect(idsOf(second)).toEqual(idsOf(all).slice(2));
    expect(second.body['nextCursor']).toBeNull();
    await app.sql('UPDATE trusted_devices SET expires_at = now() WHERE id = $1', [idsOf(all)[0]]);
    expect(idsOf(await list(''))).toEqual(idsOf(all).slice(1));
    const { body } = await app.get(AUTHENTICATORS, own.token);
    expect(body['trustedDevices']).toBe(2);
  });

  it('is removed with the erased account, and by its owner alone', async () => {
    const [own, other] = [await trusting(), await trusting()];
    const [device] = itemsOf<{ id: string }>(await app.get(DEVICES, own.token));
    const path = `${DEVICES}/${device?.id}`;
    expect((await app.call('DELETE', path, undefined, { token: other.token })).status).toBe(404);
    expect((await loginAt(own, own.deviceToken)).status).toBe(200);
    const { token } = own;
    expect((await app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token })).status).toBe(204);
    expect(await devicesOf(own)).toEqual([]);
  });

  it('is one of fifty at most: the oldest is no longer trusted', async () => {
    const own = await trusting();
    await app.sql(
      `INSERT INTO trusted_devices (account_id, id, secret_hash, expires_at)
       SELECT $1, '7' || lpad(n::text, 25, '0'), '\\x00', now() + interval '1 day' FROM generate_series(1, 49) n`,
      [own.person.id],
    );
    expect((await loginAt(own, own.deviceToken)).status).toBe(200);
    await app.sql(
      "UPDATE trusted_devices SET id = '0' || substr(id, 2) WHERE account_id = $1 AND id LIKE '7%'",
      [own.person.id],
    );
    const answer = { method: 'totp', code: own.totp.next(), rememberDevice: true };
    const { body } = await loginWith(app, own.person, answer);
    expect(await devicesOf(own)).toHaveLength(50);
    expect((await loginAt(own, String(body['deviceToken']))).status).toBe(200);
    expect((await loginAt(own, own.deviceToken)).status).toBe(200);
    expect(await app.sql("SELECT 1 FROM trusted_devices WHERE id = '0' || lpad('1', 25, '0')")).toEqual([]);
  });
});
