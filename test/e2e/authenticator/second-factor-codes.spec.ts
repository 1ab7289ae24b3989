import { codeOf, stepAt } from '../../../src/authenticator/totp/totp-code.js';
import { login, loginWith, TestPasskey, TestTotp } from '../../support/factors.js';
import { Person } from '../../support/organization.js';
import { Replicas } from '../../support/replicas.js';
import { eventually, itemsOf, TestApp } from '../../support/test-app.js';

const WRONG = { status: 401, body: { type: '/errors/invalid-second-factor' } };
const ATTACKER = { 'x-forwarded-for': '203.0.113.9' };
const NEW_NETWORK = { 'x-forwarded-for': '198.51.100.7' };

describe('Codes of a second factor', () => {
  let replicas: Replicas;
  let app: TestApp;
  beforeAll(async () => {
    replicas = await Replicas.start({ TRUSTED_PROXIES: '127.0.0.1' });
    ({ app } = replicas);
  });
  afterAll(() => replicas.stop());

  const enrolled = async () => {
    const person = await Person.signUp(app);
    return { person, totp: await TestTotp.enrol(app, person.token) };
  };
  const challengeOf = async (person: Person) => (await login(app, person)).body['challenge'];
  const challengesOf = (person: Person, count: number) =>
    Promise.all(Array.from({ length: count }, () => challengeOf(person)));
  const byTotp = (person: Person, code: string) => loginWith(app, person, { method: 'totp', code });
  const byRecovery = (person: Person, code = '') => loginWith(app, person, { method: 'recovery_code', code });
  const refreshed = async ({ refreshToken }: Person) => {
    const { status, body } = await app.post('refresh', { refreshToken });
    expect(status).toBe(200);
    return body as unknown as { accessToken: string; refreshToken: string };
  };

  describe('of an authenticator app', () => {
    it('sign in once of twenty concurrent sign-ins on two replicas', async () => {
      const { person, totp } = await enrolled();
      const challenges = await challengesOf(person, 20);
      const code = totp.next();
      const answers = await replicas.parallel(20, (replica, n) =>
        replica.post('second-factor', { challenge: challenges[n], method: 'totp', code }),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(19).fill(401)]);
    });

    it('confirm the app once of twenty concurrent requests, with one set of recovery codes', async () => {
      const person = await Person.signUp(app);
      const path = '/api/v1/iam/me/authenticators/totp';
      const begun = await app.call('POST', path, undefined, person);
      const { id, secret } = begun.body as unknown as { id: string; secret: string };
      const code = codeOf(secret, stepAt(Date.now()));
      const answers = await replicas.parallel(20, (replica) =>
        replica.call('POST', `${path}/${id}/confirm`, { code }, person),
      );
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      // Those that are late find no app that waits, or have to confirm who they are.
      for (const status of statuses) expect([200, 401, 404]).toContain(status);
      expect(await app.sql('SELECT 1 FROM recovery_codes WHERE account_id = $1', [person.id])).toHaveLength(
        10,
      );
    });

    it('confirm a person once of twenty concurrent step-ups on two replicas', async () => {
      const { person, totp } = await enrolled();
      const code = totp.next();
      const { token } = person;
      const answers = await replicas.parallel(20, (replica) =>
        replica.post('step-up', { method: 'totp', code }, { token }),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(19).fill(401)]);
    });

    it('sign in no more after they have confirmed the app, or stepped up, nor does an earlier one', async () => {
      const person = await Person.signUp(app);
      const begun = await app.call('POST', '/api/v1/iam/me/authenticators/totp', undefined, person);
      const { id, secret } = begun.body as unknown as { id: string; secret: string };
      const now = stepAt(Date.now());
      const path = `/api/v1/iam/me/authenticators/totp/${id}/confirm`;
      expect((await app.call('POST', path, { code: codeOf(secret, now) }, person)).status).toBe(200);
      for (const step of [now, now - 1])
        expect(await byTotp(person, codeOf(secret, step))).toMatchObject(WRONG);
      const code = codeOf(secret, now + 1);
      expect((await app.post('step-up', { method: 'totp', code }, person)).status).toBe(200);
      expect(await byTotp(person, code)).toMatchObject(WRONG);
    });

    it.each([
      [-2, 401],
      [-1, 200],
      [0, 200],
      [1, 200],
      [2, 401],
    ])('of the step %i are answered %i', async (offset, status) => {
      const { person, totp } = await enrolled();
      await app.sql('UPDATE totp_authenticators SET last_step = 0 WHERE account_id = $1', [person.id]);
      const challenge = await challengeOf(person);
      const step = stepAt(Date.now());
      const clock = jest.spyOn(Date, 'now').mockReturnValue((step + 0.5) * 30_000);
      const code = codeOf(totp.secret, step + offset);
      const answer = await app
        .post('second-factor', { challenge, method: 'totp', code })
        .finally(() => clock.mockRestore());
      expect(answer.status).toBe(status);
    });

    it('of another person are wrong', async () => {
      const [one, other] = [await enrolled(), await enrolled()];
      const code = other.totp.next();
      expect(await byTotp(one.person, code)).toMatchObject(WRONG);
      expect((await byTotp(other.person, code)).status).toBe(200);
    });

    it('of any app of the person are right, and forgive the wrong ones before', async () => {
      const { person, totp } = await enrolled();
      const second = await TestTotp.enrol(app, (await refreshed(person)).accessToken);
      expect(second.recoveryCodes).toEqual([]);
      await app.sql('UPDATE totp_authenticators SET failures = 60 WHERE account_id = $1', [person.id]);
      expect((await byTotp(person, second.next())).status).toBe(200);
      const failures = await app.sql('SELECT failures FROM totp_authenticators WHERE account_id = $1', [
        person.id,
      ]);
      expect(failures).toEqual([{ failures: 0 }, { failures: 0 }]);
      expect((await byTotp(person, totp.next())).status).toBe(200);
    });

    it('right and wrong at the same time wait for each other, without a deadlock', async () => {
      const { person, totp } = await enrolled();
      const second = await TestTotp.enrol(app, (await refreshed(person)).accessToken);
      const challenges = await challengesOf(person, 20);
      const [right, alsoRight] = [totp.next(), second.next()];
      const answers = await replicas.parallel(20, (replica, n) => {
        const code = n === 7 ? right : n === 13 ? alsoRight : '000000';
        // Each from another network: five wrong ones of one network would block the right ones.
        const headers = { 'x-forwarded-for': `198.51.100.${n}` };
        return replica.post('second-factor', { challenge: challenges[n], method: 'totp', code }, { headers });
      });
      const statuses = answers.map(({ status }) => status);
      expect(new Set(statuses)).toEqual(new Set([200, 401]));
    });

    it('are wrong where the root secret of the app is gone, and sealed again where it is known', async () => {
      const { person, totp } = await enrolled();
      const sealed = async () =>
        (
          await app.sql<{ sealed: string }>(
            'SELECT sealed_secret AS sealed FROM totp_authenticators WHERE account_id = $1',
            [person.id],
          )
        )[0]?.sealed;
      const before = await sealed();
      expect((await byTotp(person, totp.next())).status).toBe(200);
      expect(await sealed()).not.toBe(before);
      await app.sql("UPDATE totp_authenticators SET sealed_secret = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAA'");
      expect(await byTotp(person, totp.next())).toMatchObject(WRONG);
      expect((await byRecovery(person, totp.recoveryCodes[0])).status).toBe(200);
    });
  });

  describe('for recovery', () => {
    it('sign in once of twenty concurrent sign-ins on two replicas', async () => {
      const { person, totp } = await enrolled();
      const challenges = await challengesOf(person, 20);
      const [code] = totp.recoveryCodes;
      const answers = await replicas.parallel(20, (replica, n) =>
        replica.post('second-factor', { challenge: challenges[n], method: 'recovery_code', code }),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(19).fill(401)]);
      const { body } = await app.get('/api/v1/iam/me/authenticators', person.token);
      expect(body['recoveryCodesLeft']).toBe(9);
    });

    it('are ten, of fifty bits, and right however they are typed', async () => {
      const { person, totp } = await enrolled();
      expect(new Set(totp.recoveryCodes).size).toBe(10);
      for (const code of totp.recoveryCodes)
        expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
      const [first = '', second = ''] = totp.recoveryCodes;
      const typed = ` ${first.toLowerCase().replaceAll('0', 'o').replaceAll('1', 'l').replace('-', ' ')}`;
      expect((await byRecovery(person, typed.trim())).status).toBe(200);
      expect((await byRecovery(person, second.replace('-', ''))).status).toBe(200);
      expect(await byRecovery(person, first)).toMatchObject(WRONG);
    });

    it('are void after new ones, and with the last authenticator', async () => {
      const { person, totp } = await enrolled();
      const { accessToken: token } = await refreshed(person);
      const renewed = await app.call('POST', '/api/v1/iam/me/recovery-codes', undefined, { token });
      const [fresh] = renewed.body['recoveryCodes'] as unknown as string[];
      expect(await byRecovery(person, totp.recoveryCodes[0])).toMatchObject(WRONG);
      expect((await byRecovery(person, fresh)).status).toBe(200);
      const path = `/api/v1/iam/me/authenticators/${totp.id}`;
      expect((await app.call('DELETE', path, undefined, { token })).status).toBe(204);
      expect(await app.sql('SELECT 1 FROM recovery_codes WHERE account_id = $1', [person.id])).toEqual([]);
      expect((await login(app, person)).status).toBe(200);
    });

    it('of another person are wrong, and stay theirs', async () => {
      const [one, other] = [await enrolled(), await enrolled()];
      const [code = ''] = other.totp.recoveryCodes;
      expect(await byRecovery(one.person, code)).toMatchObject(WRONG);
      expect((await byRecovery(other.person, code)).status).toBe(200);
    });
  });

  describe('guessed a hundred times by an attacker with the password', () => {
    /** Guesses from another network, past the slowdown. */
    const guessed = async () => {
      const { person, totp } = await enrolled();
      await app.sql('UPDATE totp_authenticators SET failures = 99 WHERE account_id = $1', [person.id]);
      const challenge = await challengeOf(person);
      const guess = { challenge, method: 'totp', code: '000000' };
      expect(await app.post('second-factor', guess, { headers: ATTACKER })).toMatchObject(WRONG);
      await app.sql("UPDATE login_throttles SET failures = 100, blocked_until = '-infinity'");
      return { person, totp };
    };
    const answer = (challenge: unknown, method: string, code: string, headers = NEW_NETWORK) =>
      app.post('second-factor', { challenge, method, code }, { headers });

    it('are refused, and the owner is told', async () => {
      const { person, totp } = await guessed();
      const first = await login(app, person);
      expect(first.body['methods']).toEqual(['recovery_code']);
      expect(await answer(first.body['challenge'], 'totp', totp.next())).toMatchObject(WRONG);
      const trail = await app.get('/api/v1/iam/me/audit-events', person.token);
      expect(itemsOf(trail)).toContainEqual(expect.objectContaining({ action: 'account.totp-blocked' }));
      await eventually('the owner is told', async () =>
        (await app.mails(person.email)).some((mail) =>
          /authenticator app.*(blocked|refused|off)/is.test(mail),
        ),
      );
    });

    it('are refused of the app that reaches the limit, and accepted of a newer one', async () => {
      const { person, totp } = await enrolled();
      const newer = await TestTotp.enrol(app, (await refreshed(person)).accessToken);
      await app.sql('UPDATE totp_authenticators SET failures = 99 WHERE account_id = $1 AND id = $2', [
        person.id,
        totp.id,
      ]);
      expect(await answer(await challengeOf(person), 'totp', '000000')).toMatchObject(WRONG);
      const first = await login(app, person);
      expect(first.body['methods']).toEqual(['totp', 'recovery_code']);
      expect(await answer(first.body['challenge'], 'totp', totp.next())).toMatchObject(WRONG);
      expect((await answer(first.body['challenge'], 'totp', newer.next())).status).toBe(200);
      const trail = await app.get('/api/v1/iam/me/audit-events', person.token);
      expect(itemsOf(trail)).toContainEqual(expect.objectContaining({ action: 'account.totp-blocked' }));
    });

    it('are no reason to tell the owner before', async () => {
      const { person } = await enrolled();
      for (const code of ['000000', '000001'])
        expect(await answer(await challengeOf(person), 'totp', code)).toMatchObject(WRONG);
      const trail = await app.get('/api/v1/iam/me/audit-events', person.token);
      expect(JSON.stringify(trail.body)).not.toContain('totp-blocked');
    });

    it('are refused still after a wrong recovery code', async () => {
      const { person, totp } = await guessed();
      expect(await answer(await challengeOf(person), 'recovery_code', 'AAAAA-AAAAA')).toMatchObject(WRONG);
      const { challenge, methods } = (await login(app, person)).body;
      expect(methods).toEqual(['recovery_code']);
      expect(await answer(String(challenge), 'totp', totp.next())).toMatchObject(WRONG);
    });

    it('are accepted again after a recovery code, which works from a new network', async () => {
      const { person, totp } = await guessed();
      const [code = ''] = totp.recoveryCodes;
      expect((await answer(await challengeOf(person), 'recovery_code', code)).status).toBe(200);
      expect((await answer(await challengeOf(person), 'totp', totp.next())).status).toBe(200);
    });

    it('are accepted again after a sign-in by passkey, from a new network too', async () => {
      const { person, totp } = await enrolled();
      const passkey = await TestPasskey.enrol(app, (await refreshed(person)).accessToken);
      await app.sql('UPDATE totp_authenticators SET failures = 99 WHERE account_id = $1', [person.id]);
      await answer(await challengeOf(person), 'totp', '000000', ATTACKER);
      await app.sql("UPDATE login_throttles SET failures = 100, blocked_until = '-infinity'");
      const challenge = await challengeOf(person);
      expect(await answer(challenge, 'totp', totp.next())).toMatchObject(WRONG);
      const assertion = await passkey.answer(app);
      const signedIn = await app.post('passkeys/login', assertion, { headers: NEW_NETWORK });
      expect(signedIn.status).toBe(200);
      expect((await answer(challenge, 'totp', totp.next())).status).toBe(200);
    });

    it('slow down guesses of recovery codes on the same network', async () => {
      const { person, totp } = await enrolled();
      const [code = ''] = totp.recoveryCodes;
      const { token } = person;
      const guess = (given: string, headers: Record<string, string>) =>
        app.post('step-up', { method: 'recovery_code', code: given }, { token, headers });
      for (let n = 0; n < 5; n += 1) expect((await guess('AAAAA-AAAAA', ATTACKER)).status).toBe(401);
      expect((await guess(code, ATTACKER)).status).toBe(401);
      expect((await guess(code, NEW_NETWORK)).status).toBe(200);
    });
  });
});
