import { randomBytes } from 'node:crypto';
import { FactorResetService } from '../../../src/authenticator/index.js';
import { FactorResetJob } from '../../../src/authenticator/reset/factor-reset-job.js';
import type { UserId } from '../../../src/kernel/index.js';
import { CleanupService } from '../../../src/platform/cleanup/cleanup.js';
import { Outbox } from '../../../src/platform/mail/index.js';
import { signedInAgo } from '../../support/aged.js';
import { age } from '../../support/ageing.js';
import { announcedBy } from '../../support/announced.js';
import { byTwoFactors, login, loginWith, signedAs, TestPasskey, TestTotp } from '../../support/factors.js';
import { inTurnBehind } from '../../support/locks.js';
import { roundsOf } from '../../support/long.js';
import { Organization, Person } from '../../support/organization.js';
import { signUpOperator } from '../../support/satellite.js';
import { eventually, itemsOf, TestApp, withApp } from '../../support/test-app.js';

const AUTHENTICATORS = '/api/v1/iam/me/authenticators';
const PENDING = '/api/v1/iam/me/authenticator-reset';
const CANCEL = 'cancel-authenticator-reset';
const SCOPE = 'platform:person:reset-authenticators';
const REASON = 'Lost phone, ticket 4711';
const RACES = roundsOf({ short: 6, long: 20 });
const DAY = 86_400;

describe('A reset of second factors', () => {
  let operator: string;
  const app = withApp();
  beforeAll(async () => {
    operator = byTwoFactors(app, (await signUpOperator(app)).token);
  });

  const reset = (id: string, token = operator, body: object = { reason: REASON }) =>
    app.call('POST', `/api/v1/operator/people/${id}/reset-authenticators`, body, { token });
  const enrolled = async () => {
    const person = await Person.signUp(app);
    return { person, totp: await TestTotp.enrol(app, person.token) };
  };
  /** A person whose reset waits. */
  const scheduled = async () => {
    const made = await enrolled();
    const { status } = await reset(made.person.id);
    expect(status).toBe(202);
    return made;
  };
  const changeEmail = (token: string, email: string) =>
    app.call('PUT', '/api/v1/iam/me/email', { email }, { token });
  const pending = async ({ token }: Person) => (await app.get(AUTHENTICATORS, token)).body['reset'];
  const cancel = ({ token }: Person) => app.call('DELETE', PENDING, undefined, { token });
  const asksForFactor = async (person: Person) => (await login(app, person)).status === 403;
  const actions = async ({ token }: Person) =>
    itemsOf<{ action: string }>(await app.get('/api/v1/iam/me/audit-events', token)).map(
      ({ action }) => action,
    );
  const mailAbout = async ({ email }: Person, subject: string, times = 1): Promise<string> => {
    let found: string[] = [];
    await eventually(`a mail "${subject}"`, async () => {
      found = (await app.mails(email)).filter((mail) => mail.includes(`Subject: ${subject}`));
      return found.length === times;
    });
    return found.at(-1)?.replace(/=\n/g, '').replaceAll('=3D', '=') ?? '';
  };
  const tokenIn = async (person: Person, times = 1) => {
    const mail = await mailAbout(person, 'Your second factors will be removed', times);
    return /cancel-authenticator-reset\?token=([\w-]{43})/.exec(mail)?.[1] ?? '';
  };
  /** Makes the reset due, as if its delay were over. */
  const makeDue = ({ id }: Person) =>
    app.sql("UPDATE factor_resets SET effective_at = now() - interval '1 second' WHERE account_id = $1", [
      id,
    ]);
  const carryOut = async ({ id }: Person) => {
    const userId = id as UserId;
    const [row] = await app.sql('SELECT id FROM factor_resets WHERE account_id = $1', [userId]);
    await app.app.get(FactorResetJob, { strict: false }).carryOut({ userId, id: String(row?.['id']) });
  };

  it('takes effect after its delay, and the person is mailed before and after', async () => {
    const { person, totp } = await enrolled();
    const before = Date.now();
    const { status, body } = await reset(person.id);
    expect(status).toBe(202);
    const delay = Date.parse(String(body['effectiveAt'])) - before;
    expect(Math.abs(delay - 86_400_000)).toBeLessThan(60_000);
    expect(await pending(person)).toEqual(body);
    expect(await mailAbout(person, 'Your second factors will be removed')).toContain('Lost phone');
    await carryOut(person); // too early
    expect(await asksForFactor(person)).toBe(true);
    await makeDue(person);
    await carryOut(person);
    expect(await asksForFactor(person)).toBe(false);
    const { items, recoveryCodesLeft, reset: left } = (await app.get(AUTHENTICATORS, person.token)).body;
    expect({ items, recoveryCodesLeft, left }).toEqual({ items: [], recoveryCodesLeft: 0, left: null });
    await mailAbout(person, 'Second factors removed');
    expect(await actions(person)).toEqual(
      expect.arrayContaining(['account.authenticators-reset-scheduled', 'account.authenticators-reset']),
    );
    expect(totp.recoveryCodes).toHaveLength(10);
    expect(itemsOf(await app.get('/api/v1/iam/me/audit-events', operator))).toContainEqual(
      expect.objectContaining({
        action: 'account.authenticators-reset-scheduled',
        subject: `iam/accounts/${person.id}`,
      }),
    );
  });

  it('is announced to every replica, so that no factor is asked for any more', async () => {
    const { person } = await scheduled();
    await makeDue(person);
    const announced = await announcedBy(app, 'gatehouse_second_factors_changed', () => carryOut(person));
    expect(announced).toContain(person.id);
  });

  it('is not scheduled for an account that is erased at the same time', async () => {
    const { person } = await enrolled();
    const token = byTwoFactors(app, person.token);
    const resets = app.app.get(FactorResetService, { strict: false });
    const [erased, refused] = await inTurnBehind<[number, unknown]>(
      app,
      ['SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE', person.id],
      async () => (await app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token })).status,
      () => resets.schedule(null, person.id as UserId, REASON).catch(({ code }) => code as unknown),
    );
    expect([erased, refused]).toEqual([204, 'not-found']);
    expect(await app.sql('SELECT 1 FROM factor_resets WHERE account_id = $1', [person.id])).toEqual([]);
  });

  it('voids sign-ins that wait for a factor, and trusted devices', async () => {
    const { person, totp } = await scheduled();
    const { challenge } = (await login(app, person)).body;
    await makeDue(person);
    await carryOut(person);
    const late = await app.post('second-factor', { challenge, method: 'totp', code: totp.next() });
    expect(late).toMatchObject({ status: 400, body: { violations: [{ propertyPath: 'challenge' }] } });
  });

  it('removes passkeys, trusted devices and recovery codes too, and none is asked for any more', async () => {
    const { person, totp } = await enrolled();
    const strong = byTwoFactors(app, person.token);
    const passkey = await TestPasskey.enrol(app, strong);
    await loginWith(app, person, { method: 'totp', code: totp.next(), rememberDevice: true });
    const own = async () => (await app.get(AUTHENTICATORS, person.token)).body;
    expect(await own()).toMatchObject({ recoveryCodesLeft: 10, trustedDevices: 1 });
    const address = `new-${person.id.toLowerCase()}@example.com`;
    expect(await changeEmail(person.token, address)).toMatchObject({ status: 401, body: { acr: 'aal2' } });
    expect((await reset(person.id)).status).toBe(202);
    await makeDue(person);
    await carryOut(person);
    expect(await own()).toMatchObject({ items: [], recoveryCodesLeft: 0, trustedDevices: 0 });
    expect((await passkey.signIn(app)).status).toBe(401);
    expect((await changeEmail(person.token, address)).status).toBe(202);
  });

  it('is not mailed to a former address, or one that waits, after the time of its link', async () => {
    const { person } = await enrolled();
    const token = byTwoFactors(app, person.token);
    const [current, waiting] = ['current', 'waiting'].map(
      (name) => `${name}-${person.id.toLowerCase()}@example.com`,
    ) as [string, string];
    await changeEmail(token, current);
    expect((await app.post('confirm-email', { token: await app.mailedToken(current) })).status).toBe(204);
    expect((await changeEmail(token, waiting)).status).toBe(202);
    await age(app, 'email_undos', 7 * DAY + 1, 'account_id = $1', [person.id]);
    await age(app, 'email_changes', DAY + 1, 'account_id = $1', [person.id]);
    expect((await reset(person.id)).status).toBe(202);
    const mails = (email: string) =>
      app.sql(
        "SELECT 1 FROM outgoing_mails WHERE kind = 'authenticators-reset-scheduled' AND recipient_key = ANY($1)",
        [app.app.get(Outbox).recipientKeys(email)],
      );
    const found = await Promise.all([current, person.email, waiting].map(mails));
    expect(found.map(({ length }) => length)).toEqual([1, 0, 0]);
  });

  it('is mailed to each address by which the owner may be reached, of which each cancels it', async () => {
    const { person } = await enrolled();
    const token = byTwoFactors(app, person.token);
    const [current, waiting, taken] = ['current', 'waiting', 'taken'].map(
      (name) => `${name}-${person.id.toLowerCase()}@example.com`,
    ) as [string, string, string];
    const ask = async (email: string) => expect((await changeEmail(token, email)).status).toBe(202);
    await ask(current);
    expect((await app.post('confirm-email', { token: await app.mailedToken(current) })).status).toBe(204);
    await ask(waiting);
    await reset(person.id);
    const warning = 'Your second factors will be removed';
    const at = (email: string) => ({ ...person, email }) as Person;
    const mails = await Promise.all(
      [person.email, current, waiting].map((email) => mailAbout(at(email), warning)),
    );
    expect(mails.map((mail) => mail.includes('Lost phone'))).toEqual([true, true, false]);
    const tokens = mails.map((mail) => /token=([\w-]{43})/.exec(mail)?.[1]);
    expect(new Set(tokens).size).toBe(1);
    expect((await app.post(CANCEL, { token: tokens[0] })).status).toBe(204);

    await app.register(taken); // by another person, who is told nothing of this account
    await ask(taken);
    await reset(person.id);
    await mailAbout(at(current), warning, 2);
    await mailAbout(at(person.email), warning, 2);
    await mailAbout(at(waiting), warning); // no longer waits
    expect((await app.mails(taken)).filter((mail) => mail.includes(warning))).toEqual([]);
  });

  it('is scheduled once of five concurrent times', async () => {
    const { person } = await enrolled();
    const answers = await Promise.all(Array.from({ length: 5 }, () => reset(person.id)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 403, 403, 403, 403]);
    await mailAbout(person, 'Your second factors will be removed');
  });

  it('is carried out by its job, also after a restart of the service', async () => {
    const ROOT_SECRET = randomBytes(32).toString('base64url');
    const first = await TestApp.start({ ROOT_SECRET, FACTOR_RESET_DELAY: '3600', DEVICE_TTL: '7200' });
    const person = await Person.signUp(first);
    const totp = await TestTotp.enrol(first, person.token);
    await loginWith(first, person, { method: 'totp', code: totp.next(), rememberDevice: true });
    const lifetime = 'round(extract(epoch FROM expires_at - created_at))::int AS lifetime';
    expect(await first.sql(`SELECT ${lifetime} FROM trusted_devices`)).toEqual([{ lifetime: 7_200 }]);
    await first.command('authenticators:reset', '--account', person.email, '--reason', REASON);
    const delay = 'round(extract(epoch FROM effective_at - created_at))::int AS delay';
    expect(await first.sql(`SELECT ${delay} FROM factor_resets`)).toEqual([{ delay: 3_600 }]);
    await first.stop();
    const second = await TestApp.start({ ROOT_SECRET, DATABASE_URL: first.databaseUrl });
    expect((await login(second, person)).status).toBe(403);
    await second.sql("UPDATE factor_resets SET effective_at = now() - interval '1 second'");
    await second.sql(
      `SELECT graphile_worker.reschedule_jobs(array_agg(id), run_at := now()) FROM graphile_worker.jobs
       WHERE task_identifier = 'authenticator.reset-factors'`,
    );
    await eventually('the job has run', async () => (await login(second, person)).status === 200);
    await second.stop();
  });

  it('is cancelled when it is due, and the person told, if its operator could not schedule it any more', async () => {
    const { person } = await enrolled();
    const other = await signUpOperator(app);
    const token = byTwoFactors(app, other.token);
    expect((await reset(person.id, token)).status).toBe(202);
    await app.command('operator:revoke', '--account', other.email);
    await eventually(
      'the operator is none any more',
      async () => (await app.get(`/api/v1/operator/people/${person.id}`, token)).status === 403,
    );
    await makeDue(person);
    await carryOut(person);
    expect([await asksForFactor(person), await pending(person)]).toEqual([true, null]);
    expect(await actions(person)).not.toContain('account.authenticators-reset');
    await mailAbout(person, 'Second factors stay');
    await app.command('authenticators:reset', '--account', person.email, '--reason', REASON);
    await makeDue(person);
    await app.sql('DELETE FROM factor_resets WHERE account_id = $1 AND ended_at IS NOT NULL', [person.id]);
    await carryOut(person);
    expect(await asksForFactor(person)).toBe(false);
  });

  it('is cancelled from any session, however old and weak', async () => {
    const { person } = await scheduled();
    const { accessToken } = await signedInAgo(app, person, 6_000);
    expect((await cancel({ ...person, token: accessToken } as Person)).status).toBe(204);
    expect(await pending(person)).toBeNull();
    expect((await cancel(person)).status).toBe(404);
    await makeDue(person);
    await carryOut(person);
    expect(await asksForFactor(person)).toBe(true);
    expect(await actions(person)).toContain('account.authenticators-reset-cancelled');
    await mailAbout(person, 'Second factors stay');
  });

  it('is cancelled by its mail once, and not by opening the link', async () => {
    const { person } = await scheduled();
    const token = await tokenIn(person);
    expect((await fetch(`${app.url}/cancel-authenticator-reset?token=${token}`)).status).toBe(200);
    expect(await pending(person)).not.toBeNull();
    expect((await app.post(CANCEL, { token })).status).toBe(204);
    expect(await pending(person)).toBeNull();
    const again = await app.post(CANCEL, { token });
    expect(again).toMatchObject({ status: 400, body: { violations: [{ propertyPath: 'token' }] } });
  });

  it('is not cancelled by the token of another, or of an earlier reset', async () => {
    const [one, other] = [await scheduled(), await scheduled()];
    const earlier = await tokenIn(one.person);
    expect((await cancel(other.person)).status).toBe(204);
    expect(await pending(one.person)).not.toBeNull();
    await cancel(one.person);
    expect((await reset(one.person.id)).status).toBe(202);
    expect((await app.post(CANCEL, { token: earlier })).status).toBe(400);
    expect((await app.post(CANCEL, { token: 'x'.repeat(43) })).status).toBe(400);
    expect(await pending(one.person)).not.toBeNull();
  });

  it(`is either cancelled or carried out, ${RACES} times`, async () => {
    for (let round = 0; round < RACES; round += 1) {
      const { person } = await scheduled();
      const token = round % 2 === 0 ? await tokenIn(person) : null;
      await makeDue(person);
      const [cancelled] = await Promise.all([
        token === null ? cancel(person) : app.post(CANCEL, { token }),
        carryOut(person),
      ]);
      expect(await asksForFactor(person)).toBe(cancelled.status === 204);
      const done = (await actions(person)).filter((action) =>
        /authenticators-reset(-cancelled)?$/.test(action),
      );
      expect(done).toHaveLength(1);
    }
  });

  describe('is refused', () => {
    it.each([
      ['without a second factor', () => Person.signUp(app), 403, 'state_forbids'],
      ['while one waits', async () => (await scheduled()).person, 403, 'state_forbids'],
      [
        'for an unknown person',
        () => Promise.resolve({ id: '01ARZ3NDEKTSV4RRFFQ69G5FAV' } as Person),
        404,
        'subject_not_found',
      ],
    ] as const)('%s, as the probe says', async (_what, make, status, code) => {
      const { id } = await make();
      expect(await reset(id)).toMatchObject({ status, body: { code } });
      const probe = { scopes: [SCOPE], subject: `gatehouse:///platform/people/${id}` };
      const { body } = await app.call('POST', '/api/auth/can', probe, { token: operator });
      expect(body[SCOPE]).toMatchObject({ allowed: false, code });
    });

    it('to owners and administrators of an organization, and to the person', async () => {
      const organization = await Organization.found(app);
      const member = await organization.join('member');
      await TestTotp.enrol(app, member.person.token);
      const admin = await organization.join('admin');
      for (const { token } of [organization.owner, admin, member])
        expect(await reset(member.person.id, byTwoFactors(app, token))).toMatchObject({
          status: 403,
          body: { code: 'scope_not_held' },
        });
      expect(await pending(member.person)).toBeNull();
    });

    it('to an operator with one factor, or an old second one', async () => {
      const { person } = await enrolled();
      const weak = await signUpOperator(app);
      expect(await reset(person.id, weak.token)).toMatchObject({
        status: 401,
        body: { type: '/errors/insufficient-user-authentication', acr: 'aal2', maxAge: 600, enrol: true },
      });
      const [now, old] = [new Date(), new Date(Date.now() - 601_000)];
      const stale = signedAs(app, operator, { authTime: now, aal2Time: old, phrTime: null });
      expect(await reset(person.id, stale)).toMatchObject({
        status: 401,
        body: { acr: 'aal2', maxAge: 600 },
      });
      expect(await pending(person)).toBeNull();
    });

    it.each([undefined, '', ' ', 'two\nlines', 'x'.repeat(201), 7])('with the reason %j', async (reason) => {
      const { person } = await enrolled();
      expect(await reset(person.id, operator, { reason })).toMatchObject({
        status: 400,
        body: { violations: [{ propertyPath: 'reason' }] },
      });
    });
  });

  it('leaves 90 days after it has ended, and not while it waits', async () => {
    const [kept, gone, waiting] = [await scheduled(), await scheduled(), await scheduled()];
    for (const { person } of [kept, gone]) expect((await cancel(person)).status).toBe(204);
    const days = [
      [kept, 89],
      [gone, 91],
      [waiting, 91],
    ] as const;
    for (const [{ person }, passed] of days)
      await age(app, 'factor_resets', passed * DAY, 'account_id = $1', [person.id]);
    await app.app.get(CleanupService, { strict: false }).run();
    const left = async ({ person }: { person: Person }) =>
      (await app.sql('SELECT 1 FROM factor_resets WHERE account_id = $1', [person.id])).length;
    expect(await Promise.all([kept, gone, waiting].map(left))).toEqual([1, 0, 1]);
  });

  it('leaves with the account', async () => {
    const { person } = await scheduled();
    const token = byTwoFactors(app, person.token);
    await app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token });
    expect(await app.sql('SELECT 1 FROM factor_resets WHERE account_id = $1', [person.id])).toEqual([]);
  });
});
