/** @service separate */
import { Module } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OldShopModule } from '../../../examples/old-shop/old-shop.module.js';
import { LegacyDirectory, type LegacyPerson, type LegacyVerifier } from '../../../src/iam/index.js';
import { Scrape } from '../../support/metrics.js';
import { OldShopStandIn } from '../../support/old-shop.js';
import { Organization, Person } from '../../support/organization.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { type Answer, eventually, TestApp } from '../../support/test-app.js';

/** Time of the tests: each login has an end of its own, and nothing waits for it. */
const mockTime = { end: 0, given: 0, pauses: [] as number[], limits: new Map<number, AbortController>() };
jest.mock('../../../src/iam/accounts/credentials/legacy/legacy-time.js', () => ({
  MIN_ANSWER_MS: 100,
  MAX_ANSWER_MS: 3_000,
  answerEnd: (maxAnswerMs: number) => {
    mockTime.given = maxAnswerMs;
    return (mockTime.end += 1);
  },
  pauseUntil: (end: number) => {
    mockTime.pauses.push(end);
    return Promise.resolve();
  },
  abortAt: (end: number) => {
    const limit = new AbortController();
    mockTime.limits.set(end, limit);
    return limit.signal;
  },
}));

const PASSWORD = 'old-harbour-41';
const NONE = { status: 401 };

/** All of a refusal that a caller can compare: `instance` differs per request. */
const shown = ({ status, headers, body }: Answer) => ({
  status,
  body: { ...body, instance: undefined },
  headers: [...headers.keys()],
});

describe('A legacy directory', () => {
  let shop: OldShopStandIn;
  let app: TestApp;
  beforeAll(async () => {
    shop = await new OldShopStandIn().listen();
    app = await TestApp.with(OldShopModule.for({ url: shop.url, key: shop.key }));
  });
  afterAll(async () => {
    await app.stop();
    await shop.close();
  });
  beforeEach(() => {
    shop.reply = undefined;
    shop.together = 1;
    shop.asked.length = 0;
    mockTime.pauses.length = 0;
  });

  const login = ({ email }: { email: string }, password = PASSWORD) => app.post('login', { email, password });
  const accountOf = async (email: string) => {
    const [account] = await app.sql<{ id: string; hash: string | null; version: number }>(
      'SELECT id, password_hash AS hash, password_version AS version FROM accounts WHERE email_key = $1',
      [email],
    );
    return account;
  };
  const importLine = async (line: Record<string, unknown>) => {
    const file = join(temporaryFolder('import'), 'people.ndjson');
    await writeFile(file, `${JSON.stringify({ emailVerified: true, ...line })}\n`);
    expect(await app.command('people:import', '--file', file)).toMatchObject({ imported: 1 });
  };
  /** A customer whose account was imported without a password. */
  const imported = async (fields: Record<string, unknown> = {}) => {
    const customer = shop.add(PASSWORD);
    await importLine({ externalId: `shop:${customer.id}`, email: customer.email, ...fields });
    return customer;
  };
  const eventsOf = async (email: string) =>
    (
      await app.sql<{ action: string }>(
        'SELECT e.action FROM audit_events e JOIN accounts a ON a.id = e.account_id WHERE a.email_key = $1',
        [email],
      )
    ).map(({ action }) => action);
  /** Expects a refusal as of a wrong password, in the same time. */
  const expectRefused = async (customer: { email: string }, password = PASSWORD) => {
    mockTime.pauses.length = 0;
    const { status, body } = await login(customer, password);
    expect([status, body['type']]).toEqual([401, '/errors/invalid-credentials']);
    expect(mockTime.pauses).toEqual([mockTime.end]);
    expect(mockTime.given).toBe(3_000);
  };

  it('lets a person in by the password there, and is not asked again', async () => {
    const customer = shop.add(PASSWORD);
    const { status, body } = await login(customer);
    expect(status).toBe(200);
    const me = await app.get('/api/v1/iam/me', String(body['accessToken']));
    expect(me.body).toMatchObject({ email: customer.email, firstName: 'Ada' });
    expect(await eventsOf(customer.email)).toContain('account.created');
    expect((await accountOf(customer.email))?.hash).toMatch(/^v1\$/);
    expect(shop.asked).toEqual([customer.email]);
    expect(mockTime.pauses).toEqual([]);
    expect((await login(customer)).status).toBe(200);
    await expectRefused(customer, 'a-wrong-guess-1');
    expect(shop.asked).toHaveLength(1);
  });

  it('answers alike, and as late, for every password that is not right', async () => {
    const known = shop.add(PASSWORD);
    const own = await app.register();
    const suspended = await app.register();
    await app.command('account:suspend', '--account', suspended.email);
    const refusals = [
      shown(await login(known, 'a-wrong-guess-1')),
      shown(await login({ email: 'unknown@example.com' })),
      shown(await login(own, 'a-wrong-guess-1')),
      shown(await login(suspended, suspended.password)),
    ];
    expect(shop.asked).toEqual([known.email, 'unknown@example.com']);
    shop.reply = { status: 500 };
    refusals.push(shown(await login(known)));
    shop.reply = { status: 200, body: { id: 'x' } };
    refusals.push(shown(await login(known)));
    for (const refusal of refusals) expect(refusal).toEqual(refusals[0]);
    expect(refusals[0]?.status).toBe(401);
    expect(mockTime.pauses).toHaveLength(refusals.length);
    expect(mockTime.pauses.at(-1)).toBe(mockTime.end);
    expect(await accountOf(known.email)).toBeUndefined();
    shop.reply = undefined;
    expect((await login(known)).status).toBe(200);
  });

  it('is left after its time, counts the guess at once, and changes nothing', async () => {
    const customer = shop.add(PASSWORD);
    await app.sql('DELETE FROM login_throttles');
    shop.reply = null;
    const waiting = login(customer);
    await eventually('the directory is asked', () => shop.asked.length === 1);
    const [counted] = await app.sql<{ failures: number }>(
      'SELECT max(failures)::int AS failures FROM login_throttles',
    );
    expect(counted?.failures).toBe(1);
    // The question and the pause of the refusal end together.
    mockTime.limits.get(mockTime.end)?.abort();
    expect((await waiting).status).toBe(401);
    expect(mockTime.pauses).toEqual([mockTime.end]);
    expect(await accountOf(customer.email)).toBeUndefined();
    const { samples } = await Scrape.of(app.url);
    const late = samples.find(
      ({ name, labels }) =>
        name === 'gatehouse_legacy_directory_questions_total' && labels['outcome'] === 'timed-out',
    );
    expect(late?.value).toBe(1);
  });

  it('is not asked about an address whose attempts have to wait', async () => {
    const customer = shop.add(PASSWORD);
    await login(customer, 'a-wrong-guess-1');
    await app.sql("UPDATE login_throttles SET blocked_until = now() + interval '1 hour'");
    shop.asked.length = 0;
    await expectRefused(customer);
    expect(shop.asked).toEqual([]);
    await app.sql('DELETE FROM login_throttles');
    expect((await login(customer)).status).toBe(200);
  });

  it('opens no account for an address that is not verified, or is another one', async () => {
    const unverified = shop.add(PASSWORD, { mailConfirmed: false });
    const other = shop.add(PASSWORD, { mail: 'customer@another.example.com' });
    for (const customer of [unverified, other]) {
      await expectRefused(customer);
      expect(shop.asked.pop()).toBe(customer.email);
      expect(await accountOf(customer.email)).toBeUndefined();
    }
    expect(await accountOf('customer@another.example.com')).toBeUndefined();
  });

  it('gives an imported account without a password its password, and second factors stay', async () => {
    const customer = await imported({ firstName: 'Grace' });
    const before = await accountOf(customer.email);
    expect(before).toMatchObject({ hash: null, version: 1 });
    await expectRefused(customer, 'a-wrong-guess-1');
    const { status, body } = await login(customer);
    expect(status).toBe(200);
    expect((await app.get('/api/v1/iam/me', String(body['accessToken']))).body['firstName']).toBe('Grace');
    expect(await accountOf(customer.email)).toMatchObject({
      id: before?.id,
      hash: expect.stringMatching(/^v1\$/),
    });
    shop.reply = NONE;
    expect((await login(customer)).status).toBe(200);
    shop.reply = undefined;
    const withApp = await imported({ totpSecret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' });
    const asked = await login(withApp);
    expect([asked.status, asked.body['type']]).toEqual([403, '/errors/second-factor-required']);
  });

  it('does not touch an account of another person, or one that had a password here', async () => {
    const other = shop.add(PASSWORD);
    await importLine({ externalId: 'shop:another-person', email: other.email });
    await expectRefused(other);
    expect(shop.asked).toEqual([other.email]);
    shop.asked.length = 0;
    const removed = await imported();
    await app.sql('UPDATE accounts SET password_version = 2 WHERE email_key = $1', [removed.email]);
    const registered = shop.add(PASSWORD);
    await app.register(registered.email);
    await app.sql('UPDATE accounts SET password_hash = NULL WHERE email_key = $1', [registered.email]);
    const suspended = await imported();
    await app.command('account:suspend', '--account', suspended.email);
    for (const customer of [removed, registered, suspended]) await expectRefused(customer);
    expect(shop.asked).toEqual([]);
    for (const { email } of [other, removed, registered, suspended])
      expect((await accountOf(email))?.hash).toBeNull();
  });

  it('does not let in a person who is suspended while it is asked', async () => {
    const customer = await imported();
    shop.together = 2;
    const waiting = login(customer);
    await eventually('the directory is asked', () => shop.asked.length === 1);
    await app.command('account:suspend', '--account', customer.email);
    const other = login({ email: 'unknown@example.com' });
    expect((await waiting).status).toBe(401);
    expect((await other).status).toBe(401);
    expect((await accountOf(customer.email))?.hash).toBeNull();
  });

  it('does not bring back a person who was erased', async () => {
    const customer = shop.add(PASSWORD);
    const { accessToken } = await app.login(customer);
    await app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token: accessToken });
    await expectRefused(customer);
    expect(shop.asked).toHaveLength(2);
    expect(await accountOf(customer.email)).toBeUndefined();
  });

  it("removes registrations of the address, which may be an attacker's", async () => {
    const customer = shop.add(PASSWORD);
    await app.post('register', { email: customer.email, password: 'not-the-owners-1', firstName: 'Eve' });
    const token = await app.mailedToken(customer.email);
    const pending = await login(customer, 'not-the-owners-1');
    expect([pending.status, pending.body['type']]).toEqual([403, '/errors/email-not-verified']);
    expect(mockTime.pauses).toEqual([mockTime.end]);
    expect((await login(customer)).status).toBe(200);
    expect((await app.post('verify-email', { token })).status).toBe(400);
    await expectRefused(customer, 'not-the-owners-1');
  });

  it('makes one account of logins at the same time', async () => {
    const customer = shop.add(PASSWORD);
    shop.together = 4;
    const logins = await Promise.all([1, 2, 3, 4].map(() => login(customer)));
    expect(logins.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const created = (await eventsOf(customer.email)).filter((action) => action === 'account.created');
    expect(created).toHaveLength(1);
    const again = await imported();
    shop.asked.length = 0;
    const adopted = await Promise.all([1, 2, 3, 4].map(() => login(again)));
    expect(adopted.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(shop.asked).toHaveLength(4);
  });

  it('says that a password is one of the most used', async () => {
    const customer = shop.add('password123');
    const { status, body } = await login(customer, 'password123');
    expect([status, body['passwordShouldChange']]).toEqual([200, true]);
  });

  it('is not asked by people who confirm their own password', async () => {
    const person = await Person.signUp(app);
    const { token } = person;
    const body = { method: 'password', password: 'a-wrong-guess-1' };
    expect((await app.post('step-up', body, { token })).status).toBe(401);
    expect([shop.asked, mockTime.pauses]).toEqual([[], []]);
  });
});

describe('A legacy directory that is down', () => {
  it('is not asked any more after five failures in a row', async () => {
    const shop = await new OldShopStandIn().listen();
    const app = await TestApp.with(OldShopModule.for({ url: shop.url, key: shop.key }));
    try {
      const customer = shop.add(PASSWORD);
      mockTime.pauses.length = 0;
      shop.reply = { status: 503 };
      for (let n = 1; n <= 5; n += 1)
        await app.post('login', { email: `unknown-${n}@example.com`, password: PASSWORD });
      expect(shop.asked).toHaveLength(5);
      shop.reply = undefined;
      const { status } = await app.post('login', { email: customer.email, password: PASSWORD });
      expect([status, shop.asked.length, mockTime.pauses.length]).toEqual([401, 5, 6]);
    } finally {
      await app.stop();
      await shop.close();
    }
  });
});

/** Person of a directory in this process; null for a wrong password. */
let mockPerson: LegacyPerson | null = null;

@LegacyDirectory({ maxAnswerMs: 800 })
class OwnDirectory implements LegacyVerifier {
  verify(): Promise<LegacyPerson | null> {
    return Promise.resolve(mockPerson);
  }
}

@Module({ providers: [OwnDirectory] })
class OwnDirectoryModule {}

describe('A legacy directory after a change of the root secret', () => {
  it('knows the people who were erased, and those who were imported', async () => {
    const [former, current] = [1, 2].map(() => randomBytes(32).toString('base64')) as [string, string];
    const shop = await new OldShopStandIn().listen();
    const modules = [OldShopModule.for({ url: shop.url, key: shop.key })];
    const before = await TestApp.start({ ROOT_SECRET: former }, false, modules);
    const [erased, moved] = [shop.add(PASSWORD), shop.add(PASSWORD)];
    const { accessToken } = await before.login(erased);
    await before.call('DELETE', '/api/v1/iam/auth/account', undefined, { token: accessToken });
    await before.login(moved);
    await before.sql('UPDATE accounts SET password_hash = NULL WHERE email_key = $1', [moved.email]);
    const { databaseUrl } = before;
    const settings = { DATABASE_URL: databaseUrl, ROOT_SECRET: current, ROOT_SECRET_PREVIOUS: former };
    const after = await TestApp.start(settings, false, modules);
    try {
      const login = async ({ email }: { email: string }) =>
        (await after.post('login', { email, password: PASSWORD })).status;
      expect(await login(erased)).toBe(401);
      expect(await login(moved)).toBe(200);
    } finally {
      await after.stop();
      await before.stop();
      await shop.close();
    }
  });
});

describe('A legacy directory that knows members', () => {
  it('makes people members with roles of the organization, all or nothing', async () => {
    const app = await TestApp.with(OwnDirectoryModule);
    try {
      const organization = await Organization.found(app);
      const signIn = (email: string, roles: string[]) => {
        const memberships = [{ tenantId: organization.id, roles }];
        mockPerson = { externalId: email, email, emailVerified: true, memberships };
        return app.post('login', { email, password: PASSWORD });
      };
      expect((await signIn('no-role@example.com', ['packer'])).status).toBe(401);
      expect(mockTime.given).toBe(800);
      expect((await signIn('owner@example.com', ['owner'])).status).toBe(401);
      const accounts =
        "SELECT 1 FROM accounts WHERE email_key IN ('no-role@example.com', 'owner@example.com')";
      expect(await app.sql(accounts)).toEqual([]);
      expect((await signIn('clerk@example.com', ['admin'])).status).toBe(200);
      const clerk = await Person.again({ service: app, email: 'clerk@example.com', password: PASSWORD });
      const path = `${organization.path}/members`;
      expect((await app.get(path, await clerk.select(organization.id))).status).toBe(200);
      const joined = await app.sql(
        "SELECT account_id FROM audit_events WHERE tenant_id = $1 AND action = 'member.joined'",
        [organization.id],
      );
      expect(joined).toContainEqual({ account_id: clerk.id });
    } finally {
      await app.stop();
    }
  });
});

describe('A service without a legacy directory', () => {
  it('refuses wrong passwords without a pause', async () => {
    const app = await TestApp.start();
    try {
      mockTime.pauses.length = 0;
      const { status } = await app.post('login', { email: 'unknown@example.com', password: PASSWORD });
      expect([status, mockTime.pauses]).toEqual([401, []]);
    } finally {
      await app.stop();
    }
  });
});
