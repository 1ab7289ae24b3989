import { Client } from 'pg';
import { ulid } from 'ulid';
import { EmailConfirmation } from '../../../src/iam/accounts/email-change/email-confirmation.js';
import { Outbox } from '../../../src/platform/mail/index.js';
import { signedInAgo } from '../../support/aged.js';
import { age } from '../../support/ageing.js';
import { announcedBy } from '../../support/announced.js';
import { dump, found } from '../../support/canaries.js';
import { byTwoFactors, login, TestPasskey, TestTotp } from '../../support/factors.js';
import { Organization, Person } from '../../support/organization.js';
import { type Answer, eventually, itemsOf, tokenIn, TestApp, withApp } from '../../support/test-app.js';

const ME = '/api/v1/iam/me';
const DAY = 86_400;
const CONFIRM = 'confirm-email?';
const UNDO = 'undo-email?';

describe('A change of address', () => {
  const app = withApp({ TRUSTED_PROXIES: '127.0.0.1' });

  const newEmail = () => `${ulid().toLowerCase()}@example.com`;
  const ask = (token: string, email: string, headers = {}): Promise<Answer> =>
    app.call('PUT', `${ME}/email`, { email }, { token, headers });
  const confirm = (token: string) => app.post('confirm-email', { token });
  const undo = (token: string) => app.post('undo-email', { token });
  const emailOf = async (token: string) => (await app.get(ME, token)).body['email'];
  const actionsOf = async ({ id }: Person) =>
    (
      await app.sql<{ action: string }>(
        "SELECT action FROM audit_events WHERE account_id = $1 AND action LIKE 'account.%' AND action <> 'account.sign-in-failed' ORDER BY id",
        [id],
      )
    ).map(({ action }) => action);
  const jobsAreDone = () =>
    eventually('no job is due', async () => {
      const due = await app.sql('SELECT 1 FROM graphile_worker.jobs WHERE run_at <= now()');
      return due.length === 0;
    });

  /** Token of the newest mail to an address whose link leads to this page. */
  async function mailed(to: string, page: string): Promise<string> {
    const linking = async () => (await app.mails(to, 0)).filter((mail) => mail.includes(page)).at(-1);
    await eventually(`a link to ${page} arrives`, async () => (await linking()) !== undefined);
    return tokenIn((await linking()) ?? '');
  }

  async function asked(email = newEmail()) {
    const person = await Person.signUp(app);
    expect(await ask(person.token, email)).toMatchObject({ status: 202, body: { status: 'accepted' } });
    return { person, email, token: await mailed(email, CONFIRM) };
  }

  async function changed() {
    const { person, email, token } = await asked();
    expect((await confirm(token)).status).toBe(204);
    return { person, email, token, undoToken: await mailed(person.email, UNDO) };
  }

  const refused = { status: 400, body: { violations: [{ propertyPath: 'token' }] } };

  it('takes effect when the new address is confirmed, and not before', async () => {
    const { person, email, token } = await asked();
    expect(await emailOf(person.token)).toBe(person.email);
    expect((await login(app, { ...person, email } as Person)).status).toBe(401);
    expect((await confirm(token)).status).toBe(204);
    expect(await emailOf(person.token)).toBe(email);
    expect((await login(app, person)).status).toBe(401);
    expect((await login(app, { ...person, email } as Person)).status).toBe(200);
    expect(await actionsOf(person)).toEqual(['account.created', 'account.email-changed']);
    expect(await confirm(token)).toMatchObject(refused);
  });

  it('is shown in the member lists of the organizations', async () => {
    const organization = await Organization.found(app);
    const { person } = await organization.join('member');
    const email = newEmail();
    await ask(person.token, email);
    await confirm(await mailed(email, CONFIRM));
    const members = await organization.call('GET', `/members?query=${email}`);
    expect(itemsOf(members)).toMatchObject([{ email }]);
  });

  it('needs a recent sign-in, and the second factor of a person who has one', async () => {
    const person = await Person.signUp(app);
    const { accessToken } = await signedInAgo(app, person);
    const stale = await ask(accessToken, newEmail());
    expect(stale).toMatchObject({
      status: 401,
      body: { type: '/errors/insufficient-user-authentication', methods: ['password'] },
    });
    const byPassword = await app.post(
      'step-up',
      { method: 'password', password: person.password },
      { token: accessToken },
    );
    expect((await ask(String(byPassword.body['accessToken']), newEmail())).status).toBe(202);
    await TestTotp.enrol(app, String(byPassword.body['accessToken']));
    expect(await ask(String(byPassword.body['accessToken']), newEmail())).toMatchObject({
      status: 401,
      body: { acr: 'aal2' },
    });
  });

  it('answers for a taken address as for a free one, and tells the owner of it', async () => {
    const [person, owner] = [await Person.signUp(app), await Person.signUp(app)];
    const shown = ({ status, headers, body }: Answer) => ({ status, body, headers: [...headers.keys()] });
    const free = shown(await ask(person.token, newEmail()));
    const { length: before } = await app.mails(owner.email, 0);
    const taken = shown(await ask(person.token, owner.email.toUpperCase()));
    expect(taken).toEqual(free);
    const mail = (await app.mails(owner.email, before + 1)).at(-1) ?? '';
    expect(mail).toContain('Subject: This email address has an account already');
    expect(mail).not.toContain('token=');
    expect(await emailOf(owner.token)).toBe(owner.email);
  });

  it('is refused for the own address', async () => {
    const person = await Person.signUp(app);
    expect(await ask(person.token, person.email.toUpperCase())).toMatchObject({
      status: 400,
      body: { violations: [{ propertyPath: 'email' }] },
    });
  });

  it('replaces an earlier one of the account', async () => {
    const { person, token, email } = await asked();
    const later = newEmail();
    await ask(person.token, later);
    const next = await mailed(later, CONFIRM);
    expect(await confirm(token)).toMatchObject(refused);
    expect((await confirm(next)).status).toBe(204);
    expect(await emailOf(person.token)).toBe(later);
    expect((await login(app, { ...person, email } as Person)).status).toBe(401);
  });

  it('is shown to its person while it waits, and cancelled with its mail', async () => {
    const person = await Person.signUp(app);
    const pending = `${ME}/email-change`;
    const none = { pending: null, managedByDirectory: false };
    expect(await app.get(pending, person.token)).toMatchObject({ status: 200, body: none });
    const cancel = (token: string) => app.call('DELETE', pending, undefined, { token });
    expect((await cancel(person.token)).status).toBe(404);
    const email = newEmail();
    await ask(person.token, email);
    const token = await mailed(email, CONFIRM);
    const shown = await app.get(pending, person.token);
    expect(shown.body).toEqual({
      pending: { email, expiresAt: expect.stringMatching(/Z$/) },
      managedByDirectory: false,
    });
    const other = await Person.signUp(app);
    expect((await app.get(pending, other.token)).body).toEqual(none);
    expect((await cancel(other.token)).status).toBe(404);
    expect((await cancel(person.token)).status).toBe(204);
    expect((await app.get(pending, person.token)).body).toEqual(none);
    expect(await confirm(token)).toMatchObject(refused);
    expect((await cancel(person.token)).status).toBe(404);
    expect(await emailOf(person.token)).toBe(person.email);
  });

  it('is cancelled from any session, however old, and not shown after its time', async () => {
    const { person, token } = await asked();
    await age(app, 'email_changes', DAY + 1, 'account_id = $1', [person.id]);
    expect((await app.get(`${ME}/email-change`, person.token)).body['pending']).toBeNull();
    expect(await confirm(token)).toMatchObject(refused);
    expect((await ask(person.token, newEmail())).status).toBe(202);
    const { accessToken } = await signedInAgo(app, person, 3_600);
    const cancelled = await app.call('DELETE', `${ME}/email-change`, undefined, { token: accessToken });
    expect(cancelled.status).toBe(204);
  });

  it('expires after a day', async () => {
    const [inTime, late] = [await asked(), await asked()];
    const which = 'account_id = $1';
    await age(app, 'email_changes', DAY - 60, which, [inTime.person.id]);
    await age(app, 'email_changes', DAY + 1, which, [late.person.id]);
    expect((await confirm(inTime.token)).status).toBe(204);
    expect(await confirm(late.token)).toMatchObject(refused);
  });

  it.each<[string, (person: Person) => Promise<unknown>]>([
    [
      'a changed password',
      ({ token, password: currentPassword }) =>
        app.call('PUT', `${ME}/password`, { currentPassword, newPassword: 'louder-harbour-43' }, { token }),
    ],
    [
      'a reset',
      async ({ email }) => {
        await app.post('request-password-reset', { email });
        const token = await mailed(email, 'reset-password?');
        return app.post('reset-password', { token, newPassword: 'louder-harbour-43' });
      },
    ],
    ['a logout from all devices', ({ token }) => app.post('logout-all', undefined, { token })],
    ['a logout from all other devices', ({ token }) => app.post('logout-others', undefined, { token })],
    ['a suspension', ({ email }) => app.command('account:suspend', '--account', email)],
    ['an erasure', ({ token }) => app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token })],
  ])('is void after %s', async (_what, act) => {
    const { person, token, email } = await asked();
    await act(person);
    expect(await confirm(token)).toMatchObject(refused);
    expect(await app.sql('SELECT 1 FROM email_changes WHERE account_id = $1', [person.id])).toEqual([]);
    expect((await login(app, { ...person, email } as Person)).status).toBe(401);
  });

  it('is bound to the session of its person if a former replica replaced one by a member', async () => {
    const asMixed = async () => {
      const change = await asked();
      await app.sql('UPDATE email_changes SET requested_by = $2, requested_in = $2 WHERE account_id = $1', [
        change.person.id,
        ulid(),
      ]);
      return change;
    };
    const [open, ended] = [await asMixed(), await asMixed()];
    expect((await confirm(open.token)).status).toBe(204);
    await app.sql('UPDATE sessions SET ended_at = now() WHERE account_id = $1', [ended.person.id]);
    expect(await confirm(ended.token)).toMatchObject(refused);
  });

  it('is not confirmed while the account is suspended and a change exists', async () => {
    const { person, token } = await asked();
    await app.sql('UPDATE accounts SET suspended_at = now() WHERE id = $1', [person.id]);
    expect(await confirm(token)).toMatchObject(refused);
  });

  it('sends no mail for a change that is void', async () => {
    const { person, email, token } = await asked();
    const waiting = "kind = 'confirm-email' AND sealed = 'waiting'";
    await jobsAreDone(); // the job of the mail writes its row last
    const keys = app.app.get(Outbox).recipientKeys(email);
    await app.sql("UPDATE outgoing_mails SET sealed = 'waiting' WHERE recipient_key = ANY($1)", [keys]);
    expect(await app.sql(`SELECT 1 FROM outgoing_mails WHERE ${waiting}`)).toHaveLength(1);
    await app.post('logout-all', undefined, { token: person.token });
    expect(await app.sql(`SELECT 1 FROM outgoing_mails WHERE ${waiting}`)).toEqual([]);
    const job = { plainToken: token, network: '00' };
    await app.app.get(EmailConfirmation, { strict: false }).send(job);
    await jobsAreDone();
    expect(await app.mails(email)).toHaveLength(1);
  });

  it('sends no mail for a change that becomes void at the same time', async () => {
    const { person, email, token } = await asked();
    const other = new Client({ connectionString: app.databaseUrl });
    await other.connect();
    try {
      await other.query('BEGIN');
      await other.query('SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE', [person.id]);
      const job = { plainToken: token, network: '00' };
      const sending = app.app.get(EmailConfirmation, { strict: false }).send(job);
      await eventually('the job waits', async () => (await app.waitingForLocks()) === 1);
      await other.query('DELETE FROM email_changes WHERE account_id = $1', [person.id]);
      await other.query('COMMIT');
      await sending;
    } finally {
      await other.end();
    }
    const keys = app.app.get(Outbox).recipientKeys(email);
    expect(await app.sql('SELECT kind FROM outgoing_mails WHERE recipient_key = ANY($1)', [keys])).toEqual([
      { kind: 'confirm-email' },
    ]);
  });

  it('voids links to reset the password that went to the former address', async () => {
    const person = await Person.signUp(app);
    await app.post('request-password-reset', { email: person.email });
    const reset = await mailed(person.email, 'reset-password?');
    const email = newEmail();
    await ask(person.token, email);
    await confirm(await mailed(email, CONFIRM));
    expect(
      await app.post('reset-password', { token: reset, newPassword: 'louder-harbour-43' }),
    ).toMatchObject(refused);
  });

  it('leaves identities as they are, whose provider is no authority for the new address', async () => {
    const { person, email, token } = await asked();
    await app.sql(
      `INSERT INTO external_identities (id, account_id, kind, connection_id, issuer, subject, is_authority)
       VALUES ($1, $2, 'oidc', 'env:oidc', 'https://idp.example.com', $1, true)`,
      [ulid(), person.id],
    );
    await confirm(token);
    expect(
      await app.sql('SELECT is_authority FROM external_identities WHERE account_id = $1', [person.id]),
    ).toEqual([{ is_authority: false }]);
    await app.post('request-password-reset', { email });
    const reset = await mailed(email, 'reset-password?');
    await app.post('reset-password', { token: reset, newPassword: 'louder-harbour-43' });
    expect(await app.sql('SELECT 1 FROM external_identities WHERE account_id = $1', [person.id])).toEqual([]);
  });

  it('removes registrations of the new address, which may be an attacker’s', async () => {
    const email = newEmail();
    await app.post('register', { email, password: 'attackers-harbour-1', firstName: 'Eve' });
    const verification = await mailed(email, 'verify-email?');
    const { token } = await asked(email);
    const keys = app.app.get(Outbox).recipientKeys(email);
    const mails = () =>
      app.sql('SELECT kind FROM outgoing_mails WHERE recipient_key = ANY($1) ORDER BY kind', [keys]);
    expect(await mails()).toEqual([{ kind: 'confirm-email' }, { kind: 'verification' }]);
    expect((await confirm(token)).status).toBe(204);
    expect(await mails()).toEqual([{ kind: 'confirm-email' }]);
    expect(await app.sql('SELECT 1 FROM pending_registrations WHERE email_key = $1', [email])).toEqual([]);
    expect((await app.post('verify-email', { token: verification })).status).toBe(400);
    expect((await app.post('login', { email, password: 'attackers-harbour-1' })).body['type']).toBe(
      '/errors/invalid-credentials',
    );
  });

  it('forgets the failed sign-ins of the former address', async () => {
    const { person, token } = await asked();
    for (let n = 0; n < 3; n += 1) await login(app, { ...person, password: 'wrong' } as Person);
    await confirm(token);
    const rows = await app.sql('SELECT 1 FROM login_throttles WHERE account_id = $1', [person.id]);
    expect(rows).toEqual([]);
    const ended = await app.sql(
      "SELECT 1 FROM audit_events WHERE account_id = $1 AND action = 'account.sign-in-failed'",
      [person.id],
    );
    expect(ended).toHaveLength(1);
  });

  it('is limited by network and by address', async () => {
    const limited = await TestApp.start({ RATE_RESET: '2' }, true);
    try {
      const { token } = await Person.signUp(limited);
      const statuses: number[] = [];
      for (let n = 0; n < 3; n += 1)
        statuses.push((await limited.call('PUT', `${ME}/email`, { email: newEmail() }, { token })).status);
      expect(statuses).toEqual([202, 202, 429]);
    } finally {
      await limited.stop();
    }
    const { token } = await Person.signUp(app);
    const email = newEmail();
    for (let n = 0; n < 7; n += 1) await ask(token, email, { 'x-forwarded-for': '203.0.113.9' });
    await jobsAreDone();
    expect(await app.mails(email, 5)).toHaveLength(5);
  });

  describe('to an address that others want', () => {
    it('gives it to one of twenty accounts', async () => {
      const email = newEmail();
      const people = await Promise.all(Array.from({ length: 20 }, () => Person.signUp(app)));
      const tokens: string[] = [];
      for (const [n, { token }] of people.entries()) {
        const { length: before } = await app.mails(email, 0);
        await ask(token, email, { 'x-forwarded-for': `198.51.${n}.7` });
        tokens.push(await app.mailedToken(email, before + 1));
      }
      const statuses = await Promise.all(tokens.map(async (token) => (await confirm(token)).status));
      expect(statuses.toSorted()).toEqual([204, ...Array<number>(19).fill(400)]);
      const rows = await app.sql('SELECT 1 FROM accounts WHERE email_key = $1', [email]);
      expect(rows).toHaveLength(1);
    });

    it('gives it to the change or to the registration', async () => {
      for (let round = 0; round < 10; round += 1) {
        const email = newEmail();
        await app.post('register', { email, password: 'quiet-harbour-42', firstName: 'Ada' });
        const verification = await mailed(email, 'verify-email?');
        const { token } = await asked(email);
        const [registered, confirmed] = await Promise.all([
          app.post('verify-email', { token: verification }),
          confirm(token),
        ]);
        expect([registered.status, confirmed.status].toSorted()).toEqual([204, 400]);
      }
    });

    it('lets two accounts not exchange their addresses, and does not deadlock', async () => {
      for (let round = 0; round < 5; round += 1) {
        const [one, other] = [await asked(), await asked()];
        await app.sql('UPDATE email_changes SET email = $2, email_key = $2 WHERE account_id = $1', [
          one.person.id,
          other.person.email,
        ]);
        await app.sql('UPDATE email_changes SET email = $2, email_key = $2 WHERE account_id = $1', [
          other.person.id,
          one.person.email,
        ]);
        const answers = await Promise.all([confirm(one.token), confirm(other.token)]);
        expect(answers.map(({ status }) => status)).toEqual([400, 400]);
      }
    });
  });

  describe('that is undone', () => {
    it('restores the address, ends all sessions and asks for a new password', async () => {
      const { person, email, undoToken } = await changed();
      const other = await app.login({ ...person, email });
      expect((await undo(undoToken)).status).toBe(204);
      for (const token of [person.token, other.accessToken])
        expect((await app.get(ME, token)).status).toBe(401);
      for (const address of [person.email, email])
        expect((await login(app, { ...person, email: address } as Person)).status).toBe(401);
      const token = await mailed(person.email, 'reset-password?');
      expect((await app.post('reset-password', { token, newPassword: 'louder-harbour-43' })).status).toBe(
        204,
      );
      const again = await app.login({ ...person, password: 'louder-harbour-43' });
      expect(await emailOf(again.accessToken)).toBe(person.email);
      expect(await actionsOf(person)).toEqual([
        'account.created',
        'account.email-changed',
        'account.email-restored',
        'account.password-reset',
      ]);
      expect(await undo(undoToken)).toMatchObject(refused);
    });

    it('can be undone after the attacker has changed the password and the address once more', async () => {
      const { person, email, undoToken } = await changed();
      const attacker = await app.login({ ...person, email });
      const newPassword = 'attackers-harbour-1';
      await app.call(
        'PUT',
        `${ME}/password`,
        { currentPassword: person.password, newPassword },
        { token: attacker.accessToken },
      );
      await app.post('logout-others', undefined, { token: attacker.accessToken });
      const second = newEmail();
      expect((await ask(attacker.accessToken, second)).status).toBe(202);
      await confirm(await mailed(second, CONFIRM));
      const attackersUndo = await mailed(email, UNDO);
      const third = newEmail();
      await ask(attacker.accessToken, third);
      const attackersChange = await mailed(third, CONFIRM);
      expect((await undo(undoToken)).status).toBe(204);
      expect(await undo(attackersUndo)).toMatchObject(refused);
      expect(await confirm(attackersChange)).toMatchObject(refused);
      for (const address of [person.email, email, second])
        expect((await app.post('login', { email: address, password: newPassword })).status).toBe(401);
    });

    it('removes the authenticators that came with it, and keeps those from before', async () => {
      const person = await Person.signUp(app);
      const before = await TestPasskey.enrol(app, person.token);
      for (const table of ['passkeys', 'recovery_codes'])
        await app.sql(`UPDATE ${table} SET created_at = now() - interval '25 hours' WHERE account_id = $1`, [
          person.id,
        ]);
      const thief = byTwoFactors(app, person.token);
      const early = await TestPasskey.enrol(app, thief);
      const email = newEmail();
      await ask(thief, email);
      expect((await confirm(await mailed(email, CONFIRM))).status).toBe(204);
      const late = await TestPasskey.enrol(app, thief);
      const totp = await TestTotp.enrol(app, thief);
      expect((await undo(await mailed(person.email, UNDO))).status).toBe(204);
      for (const passkey of [early, late]) expect((await passkey.signIn(app)).status).toBe(401);
      const { status, body } = await before.signIn(app);
      expect(status).toBe(200);
      const authenticators = `${ME}/authenticators`;
      const left = await app.get(authenticators, String(body['accessToken']));
      expect(itemsOf<{ id: string }>(left).map(({ id }) => id)).toEqual([before.id]);
      expect(left.body['recoveryCodesLeft']).toBe(10);
      const removed = await app.sql(
        "SELECT action, subject FROM audit_events WHERE account_id = $1 AND action LIKE '%-removed'",
        [person.id],
      );
      expect(removed.map(({ subject }) => String(subject).split('/').at(-1)).toSorted()).toEqual(
        [early.id, late.id, totp.id].toSorted(),
      );
    });

    it('announces to every replica that the authenticators are gone', async () => {
      const { person, undoToken } = await changed();
      await TestTotp.enrol(app, person.token);
      const announced = await announcedBy(app, 'gatehouse_second_factors_changed', async () =>
        expect((await undo(undoToken)).status).toBe(204),
      );
      expect(announced).toContain(person.id);
    });

    it('leaves no second factor and no recovery codes of a thief', async () => {
      const { person, email } = await asked();
      const token = person.token;
      expect((await confirm(await mailed(email, CONFIRM))).status).toBe(204);
      const passkey = await TestPasskey.enrol(app, token);
      expect((await undo(await mailed(person.email, UNDO))).status).toBe(204);
      expect((await passkey.signIn(app)).status).toBe(401);
      const reset = {
        token: await mailed(person.email, 'reset-password?'),
        newPassword: 'louder-harbour-43',
      };
      expect((await app.post('reset-password', reset)).status).toBe(204);
      await app.login({ ...person, password: reset.newPassword }); // asks for no factor
      expect(await app.sql('SELECT 1 FROM recovery_codes WHERE account_id = $1', [person.id])).toEqual([]);
    });

    it('removes recovery codes that a thief has created, where an authenticator from before stays', async () => {
      const { person, undoToken } = await changed();
      const before = await TestPasskey.enrol(app, person.token);
      await app.sql("UPDATE passkeys SET created_at = now() - interval '25 hours' WHERE account_id = $1", [
        person.id,
      ]);
      const thief = byTwoFactors(app, person.token);
      const stolen = await app.call('POST', `${ME}/recovery-codes`, undefined, { token: thief });
      expect(stolen.status).toBe(200);
      expect((await undo(undoToken)).status).toBe(204);
      const { body } = await before.signIn(app);
      const left = await app.get(`${ME}/authenticators`, String(body['accessToken']));
      expect(left.body).toMatchObject({ items: [{ id: before.id }], recoveryCodesLeft: 0 });
    });

    it('ends the keys that a thief has made, and keeps those from before', async () => {
      const { person, undoToken } = await changed();
      const { id: tenantId } = await Organization.found(app, person);
      const make = async () => {
        const given = { tenantId, name: 'Laptop' };
        const { body } = await app.call('POST', `${ME}/keys`, given, { token: person.token });
        return { id: String(body['id']), key: String(body['key']) };
      };
      const [before, stolen] = [await make(), await make()];
      await app.sql("UPDATE machine_credentials SET created_at = now() - interval '25 hours' WHERE id = $1", [
        before.id,
      ]);
      for (const { key } of [before, stolen]) expect((await app.get(ME, key)).status).toBe(200);
      expect((await undo(undoToken)).status).toBe(204);
      await eventually('the key is refused', async () => (await app.get(ME, stolen.key)).status === 401);
      expect((await app.get(ME, before.key)).status).toBe(200);
    });

    it('keeps the links of earlier changes', async () => {
      const { person, email, undoToken } = await changed();
      const second = newEmail();
      await ask(person.token, second);
      await confirm(await mailed(second, CONFIRM));
      expect((await undo(await mailed(email, UNDO))).status).toBe(204);
      expect((await undo(undoToken)).status).toBe(204);
      const rows = await app.sql('SELECT email FROM accounts WHERE id = $1', [person.id]);
      expect(rows).toEqual([{ email: person.email }]);
    });

    it('is undone by a change back as well: the address in between gets no link to restore itself', async () => {
      const { person, email, token, undoToken } = await changed();
      const second = newEmail();
      await ask(person.token, second);
      await confirm(await mailed(second, CONFIRM));
      const early = await mailed(email, UNDO);
      await ask(person.token, email);
      await eventually('a second link arrives', async () => (await mailed(email, CONFIRM)) !== token);
      expect((await confirm(await mailed(email, CONFIRM))).status).toBe(204);
      const told = async () =>
        (await app.mails(second, 0)).filter((mail) => mail.includes('another email address'));
      await eventually('the address in between is told', async () => (await told()).length === 1);
      expect((await told())[0]).not.toContain('token=');
      expect(await undo(early)).toMatchObject(refused);
      expect((await undo(undoToken)).status).toBe(204); // that of the first address stays
      const rows = await app.sql('SELECT email FROM accounts WHERE id = $1', [person.id]);
      expect(rows).toEqual([{ email: person.email }]);
    });

    it('is given to the address in between where the link of the earlier one has expired', async () => {
      const { person, email, token } = await changed();
      await age(app, 'email_undos', 7 * DAY + 1, 'account_id = $1', [person.id]);
      await ask(person.token, person.email);
      const back = await mailed(person.email, CONFIRM);
      expect(back).not.toBe(token);
      expect((await confirm(back)).status).toBe(204);
      expect((await undo(await mailed(email, UNDO))).status).toBe(204);
      expect(await app.sql('SELECT email FROM accounts WHERE id = $1', [person.id])).toEqual([{ email }]);
    });

    it('expires after seven days', async () => {
      const [inTime, late] = [await changed(), await changed()];
      await age(app, 'email_undos', 7 * DAY - 60, 'account_id = $1', [inTime.person.id]);
      await age(app, 'email_undos', 7 * DAY + 1, 'account_id = $1', [late.person.id]);
      expect((await undo(inTime.undoToken)).status).toBe(204);
      expect(await undo(late.undoToken)).toMatchObject(refused);
    });

    it('is refused if the former address has another account by now', async () => {
      const { person, email, undoToken } = await changed();
      const other = await Person.signUp(app, person.email);
      expect(await undo(undoToken)).toMatchObject(refused);
      expect(await emailOf(other.token)).toBe(person.email);
      expect(await emailOf(person.token)).toBe(email);
    });

    it('is undone by one of ten at once', async () => {
      const { undoToken } = await changed();
      const statuses = await Promise.all(
        Array.from({ length: 10 }, async () => (await undo(undoToken)).status),
      );
      expect(statuses.toSorted()).toEqual([204, ...Array<number>(9).fill(400)]);
    });

    it('is refused while the account is suspended, and possible afterwards', async () => {
      const { email, undoToken } = await changed();
      await app.command('account:suspend', '--account', email);
      expect(await undo(undoToken)).toMatchObject(refused);
      await app.command('account:restore', '--account', email);
      expect((await undo(undoToken)).status).toBe(204);
    });
  });

  it('leaves nothing of the former and the new address after an erasure', async () => {
    const { person, email } = await changed();
    const wanted = newEmail();
    await ask(person.token, wanted);
    await mailed(wanted, CONFIRM);
    const { status } = await app.call('DELETE', '/api/v1/iam/auth/account', undefined, {
      token: person.token,
    });
    expect(status).toBe(204);
    await jobsAreDone();
    expect(found({ former: person.email, email, wanted }, await dump(app))).toEqual([]);
    expect(await app.mails(person.email, 0)).toEqual([]);
  });

  it('gives a first address to an account without one', async () => {
    const { person, email, token } = await asked();
    await app.sql('UPDATE accounts SET email = NULL, email_key = NULL, password_hash = NULL WHERE id = $1', [
      person.id,
    ]);
    expect((await confirm(token)).status).toBe(204);
    expect(await app.sql('SELECT email FROM accounts WHERE id = $1', [person.id])).toEqual([{ email }]);
    expect(await app.sql('SELECT 1 FROM email_undos WHERE account_id = $1', [person.id])).toEqual([]);
  });
});
