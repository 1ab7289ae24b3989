import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { Server } from 'node:http';
import { Client } from 'pg';
import { PasswordHasher } from '../../../src/iam/accounts/credentials/password-hasher.js';
import { JobWorker } from '../../../src/platform/jobs/job-worker.js';
import { login, TestPasskey, TestTotp } from '../../support/factors.js';
import { Person } from '../../support/organization.js';
import { leaveOutNewConnections } from '../../support/plans.js';
import { createDatabase, TestApp } from '../../support/test-app.js';

const WRONG = 'a-wrong-harbour-9';
/** Headers that differ between any two responses. */
const CHANGING = ['date', 'x-request-id', 'keep-alive', 'x-ratelimit-reset'];

/** Callers without the password do not learn whether an account exists or has a second factor. */
describe('A login with a wrong password', () => {
  /** Statements and hashes of the request that runs now, and of no sweep in the background. */
  let work: string[] = [];
  const requests = new AsyncLocalStorage<true>();
  const note = (done: string) => {
    if (requests.getStore()) work.push(done);
  };
  let app: TestApp;
  let emails: Record<'none' | 'plain' | 'totp' | 'passkey' | 'blocked', string>;
  beforeAll(async () => {
    const emit = Server.prototype.emit as (...event: unknown[]) => boolean;
    jest.spyOn(Server.prototype, 'emit').mockImplementation(function (this: Server, ...event: unknown[]) {
      const run = () => emit.apply(this, event);
      return event[0] === 'request' ? requests.run(true, run) : run();
    });
    leaveOutNewConnections(requests);
    const query = Client.prototype.query as (...question: unknown[]) => unknown;
    jest.spyOn(Client.prototype, 'query').mockImplementation(function (this: Client, ...question: unknown[]) {
      const [statement] = question as [string | { text: string }];
      const sql = typeof statement === 'string' ? statement : statement.text;
      note(sql.replace(/interval '\d+ ms'/, "interval '… ms'")); // the time that a commit has left
      return query.apply(this, question) as void;
    });
    const hash = PasswordHasher.prototype.hash;
    jest.spyOn(PasswordHasher.prototype, 'hash').mockImplementation(function (
      this: PasswordHasher,
      ...given
    ) {
      note('hash');
      return hash.apply(this, given);
    });
    const shared = {
      DATABASE_URL: await createDatabase(),
      ROOT_SECRET: randomBytes(32).toString('base64'),
    };
    const before = await TestApp.start(shared);
    const plain = await Person.signUp(before);
    const totp = await Person.signUp(before);
    await TestTotp.enrol(before, totp.token);
    const passkey = await Person.signUp(before);
    await TestPasskey.enrol(before, passkey.token);
    const blocked = await Person.signUp(before);
    await TestTotp.enrol(before, blocked.token);
    await before.sql('UPDATE totp_authenticators SET blocked_at = now() WHERE account_id = $1', [blocked.id]);
    await before.stop();
    // Statements of jobs are none of a login's.
    jest.spyOn(JobWorker.prototype, 'onApplicationBootstrap').mockImplementation(() => undefined);
    app = await TestApp.start(shared);
    emails = {
      none: 'none@example.com',
      plain: plain.email,
      totp: totp.email,
      passkey: passkey.email,
      blocked: blocked.email,
    };
    for (const email of Object.values(emails)) await attempt(email); // the first failure of each
  });
  afterAll(async () => {
    await app.stop();
    jest.restoreAllMocks();
  });

  async function attempt(email: string, deviceToken?: string) {
    work = [];
    const { status, headers, body } = await app.post('login', {
      email,
      password: WRONG,
      ...(deviceToken !== undefined && { deviceToken }),
    });
    const { instance, ...rest } = body;
    expect(instance).toEqual(expect.any(String));
    const shown = [...headers].filter(([name]) => !CHANGING.includes(name));
    return { status, headers: Object.fromEntries(shown), body: rest, work };
  }

  it('is answered the same, after the same work, whichever factors there are', async () => {
    const expected = await attempt(emails.none);
    expect(expected).toMatchObject({ status: 401, body: { type: '/errors/invalid-credentials' } });
    expect(expected.work.filter((one) => one === 'hash')).toHaveLength(1);
    expect(expected.work.length).toBeGreaterThan(3);
    for (const [who, email] of Object.entries(emails))
      expect({ who, ...(await attempt(email)) }).toEqual({ who, ...expected });
  });

  it('is answered the same with the token of a device', async () => {
    const device = `01ARZ3NDEKTSV4RRFFQ69G5FAV.${'A'.repeat(43)}`;
    const expected = await attempt(emails.none);
    for (const email of Object.values(emails)) expect(await attempt(email, device)).toEqual(expected);
  });

  it('reads nothing of second factors', async () => {
    const { work: statements } = await attempt(emails.totp);
    expect(statements.filter((one) => /totp|passkey|recovery|trusted_devices|challenge/.test(one))).toEqual(
      [],
    );
  });

  it('is the only question: the right password costs one hash, with a second factor or without', async () => {
    await app.sql("UPDATE login_throttles SET failures = 0, blocked_until = '-infinity'");
    for (const email of [emails.plain, emails.totp]) {
      work = [];
      const { status } = await login(app, { email, password: 'quiet-harbour-42' } as Person);
      expect([200, 403]).toContain(status);
      expect(work.filter((one) => one === 'hash')).toHaveLength(1);
      expect(work.filter((one) => /FROM totp_authenticators/.test(one))).toHaveLength(1);
    }
  });
});

describe('Options of a passkey', () => {
  it('without a challenge name no account, and write nothing', async () => {
    const app = await TestApp.start();
    const count = async () =>
      (
        await app.sql(
          'SELECT (SELECT count(*) FROM spent_ceremonies) + (SELECT count(*) FROM passkey_users) AS n',
        )
      )[0];
    const before = await count();
    const { body } = await app.post('passkeys/options', {});
    expect(Object.keys(body['publicKey'] as unknown as object).toSorted()).toEqual([
      'challenge',
      'rpId',
      'timeout',
      'userVerification',
    ]);
    expect(await count()).toEqual(before);
    await app.stop();
  });
});
