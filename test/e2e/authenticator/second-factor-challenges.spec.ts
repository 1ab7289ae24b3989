import { AccountService } from '../../../src/iam/index.js';
import { AppError } from '../../../src/platform/errors/index.js';
import { login, TestPasskey, TestTotp } from '../../support/factors.js';
import { Person } from '../../support/organization.js';
import { Replicas } from '../../support/replicas.js';
import { eventually, TestApp, tokenIn } from '../../support/test-app.js';

const VOID = {
  status: 400,
  body: { type: '/errors/validation-error', violations: [{ propertyPath: 'challenge' }] },
};
const WRONG = { status: 401, body: { type: '/errors/invalid-second-factor' } };

/** A person with an app, and a sign-in that waits for its code. */
interface Waiting {
  readonly person: Person;
  readonly totp: TestTotp;
  readonly challenge: unknown;
}

describe('The challenge of a sign-in', () => {
  let replicas: Replicas;
  let app: TestApp;
  beforeAll(async () => {
    replicas = await Replicas.start();
    ({ app } = replicas);
  });
  afterAll(() => replicas.stop());

  const challengeOf = async (person: Person) => (await login(app, person)).body['challenge'];
  const waiting = async (): Promise<Waiting> => {
    const person = await Person.signUp(app);
    const totp = await TestTotp.enrol(app, person.token);
    return { person, totp, challenge: await challengeOf(person) };
  };
  const answer = (challenge: unknown, code: string, method = 'totp') =>
    app.post('second-factor', { challenge, method, code });
  const unslow = () => app.sql("UPDATE login_throttles SET blocked_until = '-infinity', failures = 0");

  it('is random, and stored by its hash alone', async () => {
    const { person, challenge } = await waiting();
    expect(challenge).toMatch(/^[\w-]{43}$/);
    const [row] = await app.sql('SELECT * FROM sign_in_challenges WHERE account_id = $1', [person.id]);
    const text = JSON.stringify(row);
    expect(text).not.toContain(challenge);
    expect(text).not.toContain(Buffer.from(String(challenge), 'base64url').toString('hex'));
  });

  it('is used up by its sign-in, for one of twenty concurrent answers on two replicas', async () => {
    const { totp, challenge } = await waiting();
    const code = totp.next();
    const answers = await replicas.parallel(20, (replica) =>
      replica.post('second-factor', { challenge, method: 'totp', code }),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(19).fill(400)]);
    expect(await answer(challenge, totp.next())).toMatchObject(VOID);
  });

  it('is void after five wrong answers, of whatever method', async () => {
    const { person, totp, challenge } = await waiting();
    for (const method of ['totp', 'recovery_code', 'totp', 'recovery_code'])
      expect(await answer(challenge, method === 'totp' ? '000000' : 'AAAAA-AAAAA', method)).toMatchObject(
        WRONG,
      );
    const other = await challengeOf(person);
    expect(await answer(challenge, '000000')).toMatchObject(WRONG);
    await unslow();
    const code = totp.next();
    expect(await answer(challenge, code)).toMatchObject(VOID);
    expect(await app.post('passkeys/options', { challenge })).toMatchObject(VOID);
    expect((await answer(other, code)).status).toBe(200); // each counts its own
  });

  it('is void after five of twenty concurrent wrong answers, and no more are compared', async () => {
    const { person, challenge } = await waiting();
    const answers = await replicas.parallel(20, (replica) =>
      replica.post('second-factor', { challenge, method: 'totp', code: '000000' }),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400, 401]));
    const [counted] = await app.sql('SELECT failures FROM totp_authenticators WHERE account_id = $1', [
      person.id,
    ]);
    expect(Number(counted?.['failures'])).toBeLessThanOrEqual(5);
  });

  it('slows further answers down after five wrong ones, without counting those', async () => {
    const { person, totp, challenge } = await waiting();
    const second = await challengeOf(person);
    for (let n = 0; n < 5; n += 1) await answer(second, '000000');
    const code = totp.next();
    expect(await answer(challenge, code)).toMatchObject(WRONG);
    for (let n = 0; n < 5; n += 1) expect(await answer(challenge, '000000')).toMatchObject(WRONG);
    await unslow();
    expect((await answer(challenge, code)).status).toBe(200);
  });

  it('has its wrong answers counted apart from wrong passwords', async () => {
    const { person, challenge } = await waiting();
    for (let n = 0; n < 5; n += 1) await answer(challenge, '000000');
    const right = await login(app, person); // the slowdown of passwords has counted none
    expect(right).toMatchObject({ status: 403, body: { type: '/errors/second-factor-required' } });
    const { body } = right;
    expect(await answer(body['challenge'], '000000')).toMatchObject(WRONG);
    const [row] = await app.sql(
      'SELECT max(failures) AS failures FROM login_throttles WHERE blocked_until > now()',
    );
    expect(Number(row?.['failures'])).toBeGreaterThanOrEqual(5); // and the right password has reset none
  });

  it.each<[string, (waiting: Waiting) => Promise<unknown>]>([
    ['expires', () => app.sql('UPDATE sign_in_challenges SET expires_at = now()')],
    [
      'finds another version of the password',
      ({ person }) =>
        app.sql('UPDATE accounts SET password_version = password_version + 1 WHERE id = $1', [person.id]),
    ],
    [
      'finds a suspended account',
      ({ person }) => app.sql('UPDATE accounts SET suspended_at = now() WHERE id = $1', [person.id]),
    ],
    [
      'is followed by a new password',
      async ({ person }) => {
        const body = { currentPassword: person.password, newPassword: 'another-harbour-43' };
        expect((await app.call('PUT', '/api/v1/iam/me/password', body, person)).status).toBe(204);
      },
    ],
    [
      'is followed by a password reset',
      async ({ person }) => {
        await app.post('request-password-reset', { email: person.email });
        const links = async () =>
          (await app.mails(person.email)).filter((mail) => mail.includes('/reset-password'));
        await eventually('the link is mailed', async () => (await links()).length > 0);
        const reset = { token: tokenIn((await links())[0] ?? ''), newPassword: 'another-harbour-43' };
        expect((await app.post('reset-password', reset)).status).toBe(204);
      },
    ],
    [
      'is followed by a suspension, and by its end',
      async ({ person }) => {
        await app.command('account:suspend', '--account', person.email);
        await app.command('account:restore', '--account', person.email);
      },
    ],
    [
      'is followed by a logout from all devices',
      async ({ person }) => expect((await app.post('logout-all', undefined, person)).status).toBe(204),
    ],
    [
      'is followed by an erasure',
      async ({ person }) => {
        const { body } = await app.post('refresh', { refreshToken: person.refreshToken });
        const token = String(body['accessToken']);
        const erased = await app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token });
        expect(erased.status).toBe(204);
      },
    ],
    [
      'is the oldest of more than twenty',
      async ({ person }) => {
        const newer = await replicas.parallel(19, (replica) => login(replica, person));
        expect(new Set(newer.map(({ status }) => status))).toEqual(new Set([403]));
        const waits = 'SELECT count(*)::int AS n FROM sign_in_challenges WHERE account_id = $1';
        expect(await app.sql(waits, [person.id])).toEqual([{ n: 20 }]);
        await login(app, person);
        expect(await app.sql(waits, [person.id])).toEqual([{ n: 20 }]);
      },
    ],
  ])('is void once it %s', async (_, happen) => {
    const own = await waiting();
    await happen(own);
    expect(await answer(own.challenge, own.totp.next())).toMatchObject(VOID);
  });

  it('is void for the sign-ins of its own person alone', async () => {
    const [older, own] = [await waiting(), await waiting()];
    for (let n = 0; n < 21; n += 1) await login(app, own.person);
    expect((await answer(older.challenge, older.totp.next())).status).toBe(200);
  });

  it('waits where the service cannot tell whether it is valid', async () => {
    const own = await waiting();
    const accounts = app.app.get(AccountService, { strict: false });
    const failing = jest.spyOn(accounts, 'requireUnchangedForShare');
    failing.mockRejectedValueOnce(new AppError('unavailable', { retryAfterSeconds: 1 }));
    const code = own.totp.next();
    expect((await answer(own.challenge, code)).status).toBe(503);
    expect((await answer(own.challenge, code)).status).toBe(200);
    failing.mockRestore();
  });

  it('takes no factor of another person', async () => {
    const [one, other] = [await waiting(), await waiting()];
    const passkey = await TestPasskey.enrol(app, await strong(other));
    expect(await answer(one.challenge, other.totp.next())).toMatchObject(WRONG);
    const [code = ''] = other.totp.recoveryCodes;
    expect(await answer(one.challenge, code, 'recovery_code')).toMatchObject(WRONG);
    for (const begun of [one.challenge, other.challenge]) {
      const assertion = await passkey.answer(app, begun);
      const body = { challenge: one.challenge, method: 'passkey', ...assertion };
      const { status } = await app.post('second-factor', body);
      expect(status).toBe(begun === one.challenge ? 401 : 400); // a ceremony belongs to its challenge
    }
    expect((await answer(one.challenge, one.totp.next())).status).toBe(200);
  });

  it('takes no passkey that has been removed since', async () => {
    const person = await Person.signUp(app);
    const passkey = await TestPasskey.enrol(app, person.token);
    const challenge = await challengeOf(person);
    const assertion = await passkey.answer(app, challenge);
    await app.sql('DELETE FROM passkeys WHERE account_id = $1', [person.id]);
    expect(await app.post('second-factor', { challenge, method: 'passkey', ...assertion })).toMatchObject(
      WRONG,
    );
  });

  const strong = async ({ person }: Waiting) => {
    const { body } = await app.post('refresh', { refreshToken: person.refreshToken });
    return String(body['accessToken']);
  };
});
