import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inTurnBehind } from '../../support/locks.js';
import { roundsOf } from '../../support/long.js';
import { Organization, Person } from '../../support/organization.js';
import { pkce, TestSatellite } from '../../support/satellite.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { eventually, itemsOf, TestApp, type Answer } from '../../support/test-app.js';

const ME = '/api/v1/iam/me';
const ROUNDS = roundsOf({ short: 9, long: 120 });
/** The delay of the suspension varies up to this, to fall between any two statements of a login. */
const MAX_LOGIN_MS = 12;
const newPassword = 'louder-harbour-43';

describe('A suspended person', () => {
  const ROOT_SECRET = randomBytes(32).toString('base64');
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start({ ROOT_SECRET });
  });
  afterAll(() => app.stop());

  const suspend = ({ email }: { email: string }) => app.command('account:suspend', '--account', email);
  const restore = ({ email }: { email: string }) => app.command('account:restore', '--account', email);
  const statusOf = async (answer: Promise<Answer>) => (await answer).status;
  const me = (token: string) => statusOf(app.get(ME, token));
  const refresh = (refreshToken: string) => statusOf(app.post('refresh', { refreshToken }));
  const login = ({ email, password }: { email: string; password: string }) =>
    app.post('login', { email, password });
  const reset = (token: string) => app.post('reset-password', { token, newPassword });
  /** Returns all of a response that a caller can compare: `instance` differs per request. */
  const shown = ({ status, headers, body }: Answer) => ({
    status,
    body: { ...body, instance: undefined },
    headers: [...headers.keys()],
  });
  const noJobIsLeft = () =>
    eventually(
      'no job is left',
      async () => (await app.sql('SELECT 1 FROM graphile_worker.jobs')).length === 0,
    );

  it('loses all sessions at once, with every client', async () => {
    const { owner, id: tenantId } = await Organization.found(app);
    const otherDevice = await Person.again(owner.person);
    const satellite = await TestSatellite.register(app);
    const visitor = await satellite.signIn(owner.person.token);
    const { codeVerifier, codeChallenge } = pkce();
    const { body: issued } = await satellite.issue(owner.person.token, codeChallenge);
    expect(await suspend(owner.person)).toEqual({ accountId: owner.person.id, status: 'suspended' });
    for (const token of [owner.token, owner.person.token, otherDevice.token, visitor.accessToken])
      expect(await me(token)).toBe(401);
    for (const token of [owner.person.refreshToken, otherDevice.refreshToken, visitor.refreshToken])
      expect(await refresh(token)).toBe(401);
    expect(await statusOf(app.post('select-tenant', { tenantId }, { token: otherDevice.token }))).toBe(401);
    expect(await statusOf(satellite.exchange(issued['code'], codeVerifier))).toBe(400);
  });

  it('gets the same response to the right password as to a wrong one', async () => {
    const person = await Person.signUp(app);
    await suspend(person);
    const answers = [
      await login({ ...person, password: 'a-wrong-harbour-9' }),
      await login({ email: 'unknown@example.com', password: person.password }),
      await login(person),
    ].map(shown);
    expect(answers[0]).toMatchObject({ status: 401, body: { type: '/errors/invalid-credentials' } });
    expect(answers).toEqual([answers[0], answers[0], answers[0]]);
  });

  it('is throttled for the right password as for a wrong one', async () => {
    const person = await Person.signUp(app);
    await suspend(person);
    for (let n = 0; n < 5; n += 1) await login(person);
    await restore(person);
    expect(await statusOf(login(person))).toBe(401);
    await app.sql("UPDATE login_throttles SET blocked_until = '-infinity'");
    expect(await statusOf(login(person))).toBe(200);
  });

  it('does not learn of the account by a registration with the same password', async () => {
    const person = await Person.signUp(app);
    await suspend(person);
    const stranger = { email: 'a-stranger-to-all@example.com', password: person.password };
    const answers: unknown[] = [];
    for (const account of [person, stranger]) {
      const { email, password } = account;
      await app.post('register', { email, password, firstName: 'Ada' });
      answers.push(shown(await login(account)));
    }
    expect(answers[0]).toMatchObject({ body: { type: '/errors/email-not-verified' } });
    expect(answers[0]).toEqual(answers[1]);
  });

  it('causes no rehash of an outdated stored form', async () => {
    const [person, other] = [await Person.signUp(app), await Person.signUp(app)];
    await suspend(person);
    const stronger = await TestApp.start({ ROOT_SECRET, DATABASE_URL: app.databaseUrl, BCRYPT_COST: '5' });
    for (const { email, password } of [person, other]) await stronger.post('login', { email, password });
    await stronger.stop();
    const costs = await app.sql(
      String.raw`SELECT id, substring(password_hash from '\$2b\$(\d+)\$') AS cost FROM accounts WHERE id = ANY($1) ORDER BY id`,
      [[person.id, other.id]],
    );
    expect(costs).toEqual([
      { id: person.id, cost: '04' },
      { id: other.id, cost: '05' },
    ]);
  });

  it('cannot sign in by mail: mailed links are invalid, and none are sent', async () => {
    const person = await Person.signUp(app);
    await app.post('request-password-reset', { email: person.email });
    const mailed = await app.mailedToken(person.email, 2);
    await suspend(person);
    expect(shown(await reset(mailed))).toEqual(shown(await reset(mailed.replace(/^./, '-'))));
    const asked = await app.post('request-password-reset', { email: person.email });
    const unknownAsked = await app.post('request-password-reset', { email: 'unknown-there@example.com' });
    expect(shown(asked)).toEqual(shown(unknownAsked));
    expect(await statusOf(app.post('resend-verification', { email: person.email }))).toBe(202);
    await noJobIsLeft();
    expect(await app.mails(person.email)).toHaveLength(2);
    await restore(person);
    expect(await statusOf(reset(mailed))).toBe(400);
  });

  it('cannot create a second account with the same address', async () => {
    const email = 'comes-again@example.com';
    await app.post('register', { email, password: 'quiet-harbour-42', firstName: 'Ada' });
    const older = await app.mailedToken(email);
    const person = await Person.signUp(app, email);
    await suspend(person);
    await app.post('register', { email, password: newPassword, firstName: 'Ada' });
    expect((await app.mails(email, 3)).at(-1)).toContain('You already have an account');
    expect(await statusOf(app.post('verify-email', { token: older }))).toBe(400);
    expect(await statusOf(login({ email, password: newPassword }))).not.toBe(200);
  });

  it('can sign in again once restored; ended sessions stay ended', async () => {
    const { owner, id: tenantId } = await Organization.found(app);
    const { person } = owner;
    await suspend(person);
    expect(await restore(person)).toEqual({ accountId: person.id, status: 'active' });
    expect(await me(person.token)).toBe(401);
    expect(await refresh(person.refreshToken)).toBe(401);
    const again = await Person.again(person);
    const token = await again.select(tenantId);
    const members = await app.get(`/api/v1/iam/tenants/${tenantId}/members`, token);
    expect(itemsOf(members)).toMatchObject([{ userId: person.id, roles: ['owner'] }]);
  });

  it('is suspended and restored once, with one audit event each, when it is repeated', async () => {
    const person = await Person.signUp(app);
    for (const act of [suspend, suspend, restore, restore]) await act(person);
    const { token } = await Person.again(person);
    const events = itemsOf<{ action: string }>(await app.get(`${ME}/audit-events`, token));
    expect(events.slice(1).map(({ action }) => action)).toEqual([
      'account.restored',
      'account.suspended',
      'session.ended',
      'session.started',
      'account.created',
    ]);
    expect(events[1]).toMatchObject({ actorId: person.id, subject: `iam/accounts/${person.id}` });
  });

  it('loses a session that a replica of an older release has started, on another suspension', async () => {
    const person = await Person.signUp(app);
    await suspend(person);
    await app.sql('UPDATE accounts SET suspended_at = NULL WHERE id = $1', [person.id]);
    const { token } = await Person.again(person);
    await app.sql('UPDATE accounts SET suspended_at = now() WHERE id = $1', [person.id]);
    await suspend(person);
    expect(await me(token)).toBe(401);
  });

  it('stays a member, and an owner, so that another owner can leave', async () => {
    const organization = await Organization.found(app);
    const other = await organization.join('owner');
    await suspend(other.person);
    const members = await organization.call('GET', '/members');
    expect(itemsOf(members)).toEqual(
      expect.arrayContaining([expect.objectContaining({ userId: other.person.id, roles: ['owner'] })]),
    );
    const left = await organization.call('DELETE', `/members/${organization.owner.person.id}`);
    expect(left.status).toBe(204);
  });

  it('has no session left of a login before the suspension', async () => {
    const person = await Person.signUp(app);
    const [{ status, body }] = await inTurnBehind(
      app,
      ['LOCK TABLE sessions IN SHARE MODE'], // the login has locked the account, and waits
      () => login(person),
      () => suspend(person),
    );
    expect(status).toBe(200);
    expect(await me(String(body['accessToken']))).toBe(401);
    expect(await refresh(String(body['refreshToken']))).toBe(401);
  });

  it('gets no session by a login after the suspension', async () => {
    const person = await Person.signUp(app);
    const [, { status }] = await inTurnBehind(
      app,
      ['SELECT 1 FROM sessions WHERE account_id = $1 FOR UPDATE', person.id], // so does the suspension
      () => suspend(person),
      () => login(person),
    );
    expect(status).toBe(401);
  });

  it('has no session left of a login at any moment', async () => {
    const person = await Person.signUp(app);
    for (let round = 0; round < ROUNDS; round += 1) {
      const afterLogin = sleep((round * MAX_LOGIN_MS) / ROUNDS).then(() => suspend(person));
      const [{ status, body }] = await Promise.all([login(person), afterLogin]);
      expect([200, 401]).toContain(status);
      if (status === 200) {
        expect(await me(String(body['accessToken']))).toBe(401);
        expect(await refresh(String(body['refreshToken']))).toBe(401);
      }
      await restore(person);
      await app.sql('DELETE FROM login_throttles');
    }
  });

  it('can be erased', async () => {
    const person = await Person.signUp(app);
    await suspend(person);
    const folder = temporaryFolder('erased');
    const file = join(folder, 'erased.json');
    await writeFile(file, JSON.stringify({ erased: [person.id] }));
    expect(await app.command('erasures:replay', '--file', file)).toEqual({ listed: 1, erased: 1 });
    await rm(folder, { recursive: true });
    await expect(restore(person)).rejects.toThrow();
    const kept = await app.sql('SELECT suspended_at AS since FROM accounts WHERE id = $1', [person.id]);
    expect(kept).toEqual([{ since: null }]);
    await eventually('the mails are removed', async () => (await app.mails(person.email, 0)).length === 0);
    await Person.signUp(app, person.email);
  });
});

describe('A person whose sessions the operator ends', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());

  it('loses all sessions, can sign in again, and finds it in the audit trail', async () => {
    const person = await Person.signUp(app);
    const other = await Person.again(person);
    const end = () => app.command('sessions:end', '--account', person.id);
    expect(await end()).toEqual({ accountId: person.id, ended: 2 });
    for (const { token, refreshToken } of [person, other]) {
      expect((await app.get(ME, token)).status).toBe(401);
      expect((await app.post('refresh', { refreshToken })).status).toBe(401);
    }
    expect(await end()).toEqual({ accountId: person.id, ended: 0 });
    const { token } = await Person.again(person);
    const events = itemsOf<{ action: string }>(await app.get(`${ME}/audit-events`, token));
    expect(events.filter(({ action }) => action === 'session.ended')).toHaveLength(2);
  });
});
