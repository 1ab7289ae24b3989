import { Client } from 'pg';
import { ulid } from 'ulid';
import { claimsOf, signedInAgo } from '../../support/aged.js';
import { age } from '../../support/ageing.js';
import { TestTotp } from '../../support/factors.js';
import { Person } from '../../support/organization.js';
import { type Answer, eventually, TestApp } from '../../support/test-app.js';

const ME = '/api/v1/iam/me';
const WRONG = { status: 401, body: { type: '/errors/invalid-credentials' } };

describe('Sign-in by a mailed code', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start({ EMAIL_SIGN_IN: 'on', TRUSTED_PROXIES: '127.0.0.1' });
  });
  afterAll(() => app.stop());

  let networks = 0;
  const newNetwork = () => ({ 'x-forwarded-for': `198.${18 + (networks >> 8)}.${(networks += 1) & 255}.7` });
  const ask = (email: string, headers: Record<string, string> = newNetwork()) =>
    app.post('email-code', { email }, { headers });
  const redeem = (email: string, code: string, headers = {}, more = {}) =>
    app.post('email-code/login', { email, code, ...more }, { headers });
  const codesTo = async (email: string) =>
    (await app.mails(email, 0)).flatMap((mail) => /Your code to sign in: (\d{6})/.exec(mail)?.[1] ?? []);
  const jobsAreDone = () =>
    eventually('no job is due', async () => {
      // Also one that is tried again in some seconds.
      const due = await app.sql(
        "SELECT 1 FROM graphile_worker.jobs WHERE run_at <= now() + interval '10 seconds'",
      );
      return due.length === 0;
    });
  async function askForCode(email: string): Promise<string> {
    const { length: before } = await codesTo(email);
    expect(await ask(email)).toMatchObject({ status: 202, body: { status: 'accepted' } });
    await eventually('a code arrives', async () => (await codesTo(email)).length > before);
    return (await codesTo(email)).at(-1) ?? '';
  }
  const otherThan = (code: string, n = 1) => String((Number(code) + n) % 1_000_000).padStart(6, '0');
  const shown = ({ status, headers, body }: Answer) => ({
    status,
    headers: [...headers.keys()],
    body: { ...body, instance: undefined },
  });

  it('starts a session of one factor, once', async () => {
    const { email, id } = await Person.signUp(app);
    const code = await askForCode(email.toUpperCase());
    const { status, body } = await redeem(email, code);
    expect(status).toBe(200);
    expect(claimsOf(body['accessToken'])).toMatchObject({ sub: id, acr: 'aal1', amr: ['otp'] });
    expect(await redeem(email, code)).toMatchObject(WRONG);
  });

  it('starts one session when the code is sent ten times at once', async () => {
    const { email } = await Person.signUp(app);
    const code = await askForCode(email);
    const answers = await Promise.all(Array.from({ length: 10 }, () => redeem(email, code, newNetwork())));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('asks for the second factor, unless a trusted device is shown', async () => {
    const person = await Person.signUp(app);
    const totp = await TestTotp.enrol(app, person.token);
    const required = await redeem(person.email, await askForCode(person.email));
    expect(required).toMatchObject({ status: 403, body: { methods: ['totp', 'recovery_code'] } });
    const { body } = await app.post('second-factor', {
      challenge: required.body['challenge'],
      method: 'totp',
      code: totp.next(),
      rememberDevice: true,
    });
    expect(claimsOf(body['accessToken'])).toMatchObject({ acr: 'aal2', amr: ['otp', 'mfa'] });
    const { deviceToken } = body;
    const again = await redeem(person.email, await askForCode(person.email), {}, { deviceToken });
    expect(again.status).toBe(200);
  });

  it('expires after ten minutes', async () => {
    const { email } = await Person.signUp(app);
    const inTime = await askForCode(email);
    await age(app, 'email_codes', 540);
    expect((await redeem(email, inTime)).status).toBe(200);
    const late = await askForCode(email);
    await age(app, 'email_codes', 601);
    expect(await redeem(email, late)).toMatchObject(WRONG);
  });

  it('accepts the newest code alone, and no code of another account', async () => {
    const [one, other] = [await Person.signUp(app), await Person.signUp(app)];
    const [first, second] = [await askForCode(one.email), await askForCode(one.email)];
    const others = await askForCode(other.email);
    expect(await redeem(one.email, others)).toMatchObject(WRONG);
    if (first !== second) expect(await redeem(one.email, first)).toMatchObject(WRONG);
    expect((await redeem(one.email, second)).status).toBe(200);
  });

  it('voids a code after five wrong tries from any networks', async () => {
    const { email } = await Person.signUp(app);
    const code = await askForCode(email);
    for (let n = 1; n <= 4; n += 1)
      expect(await redeem(email, otherThan(code, n), newNetwork())).toMatchObject(WRONG);
    expect((await redeem(email, code, newNetwork())).status).toBe(200);
    const next = await askForCode(email);
    const tries = await Promise.all(
      Array.from({ length: 5 }, (_, n) => redeem(email, otherThan(next, n + 1), newNetwork())),
    );
    expect(tries.map(({ status }) => status)).toEqual(Array<number>(5).fill(401));
    expect(await redeem(email, next, newNetwork())).toMatchObject(WRONG);
  });

  it('slows a network down as wrong passwords do', async () => {
    const { email } = await Person.signUp(app);
    const network = newNetwork();
    for (let n = 0; n < 5; n += 1) await redeem(email, '000000', network);
    // The block of a second would end while a busy machine sends the mail.
    const blocked = await app.sql(
      "UPDATE login_throttles SET blocked_until = now() + interval '1 hour' WHERE failures = 5 AND blocked_until > '-infinity' RETURNING 1",
    );
    expect(blocked).toHaveLength(1);
    const code = await askForCode(email);
    expect(await redeem(email, code, network)).toMatchObject(WRONG);
    const failures = await app.sql<{ details: object }>(
      `SELECT details FROM audit_details WHERE account_id = (SELECT id FROM accounts WHERE email_key = $1)`,
      [email],
    );
    expect(failures).toMatchObject([{ details: { count: 5 } }]);
    expect((await redeem(email, code, newNetwork())).status).toBe(200);
  });

  it('counts guesses from all networks together', async () => {
    const { email } = await Person.signUp(app);
    for (let n = 0; n < 100; n += 1) await redeem(email, '000000', newNetwork());
    const code = await askForCode(email);
    expect(await redeem(email, code, newNetwork())).toMatchObject(WRONG);
    expect((await redeem(email, code)).status).toBe(200); // this network has signed in before
  });

  it('says the same of an address without an account, of a suspended one and of a wrong code', async () => {
    const [person, suspended] = [await Person.signUp(app), await Person.signUp(app)];
    await app.command('account:suspend', '--account', suspended.email);
    const unknown = `${ulid().toLowerCase()}@example.com`;
    const asked: object[] = [];
    const refused: object[] = [];
    for (const email of [person.email, suspended.email, unknown]) {
      asked.push(shown(await ask(email)));
      await jobsAreDone();
      refused.push(shown(await redeem(email, '000000', newNetwork())));
    }
    expect(new Set(asked.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(new Set(refused.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect([await codesTo(suspended.email), await codesTo(unknown)]).toEqual([[], []]);
    // Each has a code whose tries are counted, so that a try takes the same work.
    const tried = await app.sql('SELECT 1 FROM email_codes WHERE failures = 1 AND expires_at > now()');
    expect(tried.length).toBeGreaterThanOrEqual(3);
  });

  it('locks no account for a wrong code, as a lock takes time', async () => {
    const { email } = await Person.signUp(app);
    const code = await askForCode(email);
    const lock = new Client({ connectionString: app.databaseUrl });
    await lock.connect();
    await lock.query('BEGIN');
    await lock.query('SELECT 1 FROM accounts WHERE email_key = $1 FOR NO KEY UPDATE', [email]);
    const answer = await redeem(email, otherThan(code));
    await lock.query('COMMIT');
    await lock.end();
    expect(answer).toMatchObject(WRONG);
  });

  it('mails a network five codes in a quarter of an hour, and keeps the last one valid', async () => {
    const { email } = await Person.signUp(app);
    const flood = newNetwork();
    for (let n = 0; n < 8; n += 1) await ask(email, flood);
    await jobsAreDone();
    const codes = await codesTo(email);
    expect(codes).toHaveLength(5);
    expect((await redeem(email, codes.at(-1) ?? '')).status).toBe(200);
    expect(await askForCode(email)).toMatch(/^\d{6}$/);
  });

  it('is limited by network: requests like resets, tries like logins', async () => {
    const limited = await TestApp.start({ EMAIL_SIGN_IN: 'on', RATE_RESET: '2', RATE_LOGIN: '2' }, true);
    try {
      const body = { email: 'unknown@example.com', code: '000000' };
      const statuses = async (path: string) => {
        const all: number[] = [];
        for (let n = 0; n < 3; n += 1) all.push((await limited.post(path, body)).status);
        return all;
      };
      expect(await statuses('email-code')).toEqual([202, 202, 429]);
      expect(await statuses('email-code/login')).toEqual([401, 401, 429]);
    } finally {
      await limited.stop();
    }
  });

  it.each<[string, (person: Person) => Promise<unknown>]>([
    ['a logout from all devices', ({ token }) => app.post('logout-all', undefined, { token })],
    [
      'a changed password',
      ({ token, password: currentPassword }) =>
        app.call('PUT', `${ME}/password`, { currentPassword, newPassword: 'louder-harbour-43' }, { token }),
    ],
    ['a suspension', ({ email }) => app.command('account:suspend', '--account', email)],
    ['an erasure', ({ token }) => app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token })],
    [
      'a change of address',
      async ({ token }) => {
        const email = `${ulid().toLowerCase()}@example.com`;
        await app.call('PUT', `${ME}/email`, { email }, { token });
        return app.post('confirm-email', { token: await app.mailedToken(email) });
      },
    ],
  ])('is void after %s', async (_what, act) => {
    const person = await Person.signUp(app);
    const code = await askForCode(person.email);
    await app.sql('DELETE FROM email_codes WHERE expires_at < now()');
    const count = async () => (await app.sql('SELECT 1 FROM email_codes')).length;
    const before = await count();
    await act(person);
    expect(await count()).toBe(before - 1);
    expect(await redeem(person.email, code)).toMatchObject(WRONG);
  });

  it('stores neither the code nor the address of a person without an account', async () => {
    const { email } = await Person.signUp(app);
    const code = await askForCode(email);
    const unknown = `${ulid().toLowerCase()}@example.com`;
    await ask(unknown);
    await jobsAreDone();
    const rows = JSON.stringify(await app.sql('SELECT row_to_json(email_codes)::text FROM email_codes'));
    expect(rows).not.toContain(code);
    expect(rows).not.toContain(unknown);
  });

  it('does not exist without its setting', async () => {
    const off = await TestApp.start();
    try {
      const body = { email: 'ada@example.com', code: '000000' };
      expect((await off.post('email-code', body)).status).toBe(404);
      expect((await off.post('email-code/login', body)).status).toBe(404);
    } finally {
      await off.stop();
    }
  });
});

describe('A mailed code that confirms a person', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());

  const options = (token: string, body?: object) => app.post('step-up/options', body, { token });
  const confirm = (token: string, code: string) =>
    app.post('step-up', { method: 'email_code', code }, { token });
  const codesTo = async (email: string) =>
    (await app.mails(email, 0)).flatMap(
      (mail) => /confirm who you are:\s+(\d{6})/.exec(joined(mail))?.[1] ?? [],
    );
  const joined = (mail: string) => mail.replace(/=\n/g, '');

  async function askForCode({ email }: Person, token: string): Promise<string> {
    const { length: before } = await codesTo(email);
    expect(await options(token, { method: 'email_code' })).toMatchObject({
      status: 200,
      body: { methods: ['email_code'] },
    });
    await eventually('a code arrives', async () => (await codesTo(email)).length > before);
    return (await codesTo(email)).at(-1) ?? '';
  }

  /** A person who has neither password nor authenticator, and has signed in long ago, and again. */
  async function withoutPassword() {
    const person = await Person.signUp(app);
    const again = await Person.again(person);
    const { accessToken } = await signedInAgo(app, person);
    await app.sql('UPDATE accounts SET password_hash = NULL WHERE id = $1', [person.id]);
    return { person, again, token: accessToken };
  }

  it('is what they are asked for, and counts as one factor', async () => {
    const { person, token } = await withoutPassword();
    const change = (bearer: string) =>
      app.call('PUT', `${ME}/email`, { email: 'another@example.com' }, { token: bearer });
    expect(await change(token)).toMatchObject({
      status: 401,
      body: { acr: 'aal1', methods: ['email_code'] },
    });
    const code = await askForCode(person, token);
    const { status, body } = await confirm(token, code);
    expect(status).toBe(200);
    expect(claimsOf(body['accessToken'])).toMatchObject({ acr: 'aal1', amr: ['pwd', 'otp'] });
    expect((await change(String(body['accessToken']))).status).toBe(202);
    expect((await confirm(token, code)).status).toBe(401);
  });

  it('is mailed only when it is asked for', async () => {
    const { person, token } = await withoutPassword();
    expect((await options(token)).body['methods']).toEqual(['email_code']);
    await askForCode(person, token);
    expect(await codesTo(person.email)).toHaveLength(1);
  });

  it('does not confirm a person who has a password or a second factor', async () => {
    const person = await Person.signUp(app);
    expect((await options(person.token, { method: 'email_code' })).body['methods']).toEqual(['password']);
    const refused = { status: 400, body: { violations: [{ propertyPath: 'method' }] } };
    expect(await confirm(person.token, '000000')).toMatchObject(refused);
    await TestTotp.enrol(app, person.token);
    await app.sql('UPDATE accounts SET password_hash = NULL WHERE id = $1', [person.id]);
    expect(await confirm(person.token, '000000')).toMatchObject(refused);
    expect(await codesTo(person.email)).toEqual([]);
  });

  it('confirms in the session that asked for it alone', async () => {
    const { person, again, token } = await withoutPassword();
    const other = await withoutPassword();
    const code = await askForCode(person, token);
    expect((await confirm(again.token, code)).status).toBe(401);
    expect((await confirm(other.token, code)).status).toBe(401);
    expect((await confirm(token, code)).status).toBe(200);
  });

  it('slows guessing down as a second factor does, whatever code is asked for next', async () => {
    const { person, token } = await withoutPassword();
    await app.sql('DELETE FROM login_throttles');
    const code = Number(await askForCode(person, token));
    for (let n = 1; n <= 5; n += 1)
      expect((await confirm(token, String((code + n) % 1_000_000).padStart(6, '0'))).status).toBe(401);
    // Of this network, and of all together.
    const counted = await app.sql(
      "UPDATE login_throttles SET blocked_until = now() + interval '1 hour' WHERE failures = 5 RETURNING 1",
    );
    expect(counted).toHaveLength(2);
    const next = await askForCode(person, token);
    expect((await confirm(token, next)).status).toBe(401);
    await app.sql("UPDATE login_throttles SET blocked_until = '-infinity'");
    expect((await confirm(token, next)).status).toBe(200);
  });

  it('expires after ten minutes, and is void after five wrong tries', async () => {
    const { person, token } = await withoutPassword();
    const late = await askForCode(person, token);
    await age(app, 'email_codes', 601);
    expect((await confirm(token, late)).status).toBe(401);
    const code = await askForCode(person, token);
    await app.sql("UPDATE login_throttles SET blocked_until = '-infinity', failures = 0");
    for (let n = 1; n <= 5; n += 1) {
      const wrong = String((Number(code) + n) % 1_000_000).padStart(6, '0');
      expect((await confirm(token, wrong)).status).toBe(401);
    }
    await app.sql("UPDATE login_throttles SET blocked_until = '-infinity', failures = 0");
    expect((await confirm(token, code)).status).toBe(401);
  });
});
