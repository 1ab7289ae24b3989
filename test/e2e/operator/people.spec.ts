import { AbilityRegistry } from '../../../src/ability/index.js';
import { OperatorService } from '../../../src/iam/index.js';
import { newId, type OperatorRole } from '../../../src/kernel/index.js';
import { PlatformAccountService } from '../../../src/machine/index.js';
import { Outbox, RecipientMails } from '../../../src/platform/mail/index.js';
import { byTwoFactors, login, TestTotp } from '../../support/factors.js';
import { MailServer } from '../../support/mail-server.js';
import { Organization, Person } from '../../support/organization.js';
import { readWhole, statementsOf } from '../../support/plans.js';
import { type Answer, eventually, itemsOf, TestApp } from '../../support/test-app.js';

const PEOPLE = '/api/v1/operator/people';
const MANY = 20_000;
const LINK_VOID = 'The link or code of this mail was used or replaced. A new mail has to be asked for.';

type Criteria = Readonly<
  Partial<Record<'query' | 'name' | 'tenantId' | 'connectionId' | 'status' | 'cursor' | 'limit', string>>
>;

interface Found {
  readonly userId: string;
  readonly email: string;
}
interface Mail {
  readonly id: string;
  readonly canResend: boolean;
  readonly kind: string;
  readonly state: string;
  readonly attempts: number;
  readonly reply: string | null;
}

describe('People, to operators,', () => {
  let server: MailServer;
  let app: TestApp;
  let admin: { readonly id: string; readonly token: string };
  let support: typeof admin;
  beforeAll(async () => {
    server = await MailServer.start();
    app = await TestApp.start({ SMTP_URL: server.url, MAIL_FROM: 'accounts@shipper.example' });
    admin = await operator('admin');
    support = await operator('support');
  });
  afterAll(async () => {
    await app.stop();
    await server.close();
  });

  /** An account of a verified address, whose mails are at the mail server. */
  const register = async (email: string, firstName = 'Ada'): Promise<Person> => {
    const password = 'quiet-harbour-42';
    await app.post('register', { email, password, firstName });
    await eventually('the mail has come', () => server.to(email).length > 0);
    const text = server.to(email)[0]?.parts['text/plain'] ?? '';
    const token = /verify-email\?token=([\w-]{43})/.exec(text)?.[1];
    await app.post('verify-email', { token });
    return Person.again({ service: app, email, password } as unknown as Person);
  };
  const signUp = (firstName?: string) => register(`${newId().toLowerCase()}@example.com`, firstName);
  const operator = async (role: OperatorRole) => {
    const person = await signUp();
    await app.app.get(OperatorService, { strict: false }).grant(person.email, role);
    return { id: person.id, token: byTwoFactors(app, person.token) };
  };
  /** Token of the mailed link to a page. */
  const linkTo = async (email: string, page: string): Promise<string> => {
    const found = () =>
      server.to(email).flatMap(({ parts }) => {
        const token = new RegExp(`${page}\\?token=([\\w-]{43})`).exec(parts['text/plain'] ?? '')?.[1];
        return token === undefined ? [] : [token];
      });
    await eventually(`a link to ${page} has come`, () => found().length > 0);
    return found()[0] ?? '';
  };
  const act = (id: string, what: string, { token } = admin, body?: object): Promise<Answer> =>
    what === 'erase'
      ? app.call('DELETE', `${PEOPLE}/${id}`, undefined, { token })
      : app.call('POST', `${PEOPLE}/${id}/${what}`, body, { token });
  const search = (query: Criteria, token = support.token) =>
    app.get(`${PEOPLE}?${new URLSearchParams(query as Record<string, string>)}`, token);
  const idsOf = (answer: Answer) => itemsOf<Found>(answer).map(({ userId }) => userId);
  const page = async (id: string) => (await app.get(`${PEOPLE}/${id}`, support.token)).body;
  const mailsOf = async (id: string) => (await page(id))['mails'] as unknown as Mail[];
  const probe = async (id: string, what: string, { token } = admin) => {
    const scope = `platform:person:${what}`;
    const body = { subject: `gatehouse:///platform/people/${id}`, scopes: [scope] };
    return (await app.call('POST', '/api/auth/can', body, { token })).body[scope];
  };
  const trailOf = async (id: string, subject: string) =>
    (
      await app.sql<{ action: string }>(
        'SELECT action FROM audit_events WHERE account_id = $1 AND subject = $2 ORDER BY id',
        [id, `iam/accounts/${subject}`],
      )
    ).map(({ action }) => action);

  describe('are found', () => {
    let ada: Person;
    const domain = `${newId().toLowerCase()}.example`;
    beforeAll(async () => {
      ada = await register(`ada.lovelace@${domain}`, 'Ádalyn');
    });

    it('by id, address, its beginning, domain, name, organization and connection', async () => {
      const organization = await Organization.found(app, ada);
      const connectionId = newId();
      await app.sql(
        `INSERT INTO external_identities (id, account_id, kind, issuer, subject, connection_id)
         SELECT $1 || n, $2, 'oidc', 'https://idp.example', n, $3 FROM generate_series(1, 2) n`,
        [newId().slice(1), ada.id, connectionId],
      );
      for (const query of [
        { connectionId },
        { query: ada.id },
        { query: ada.email.toUpperCase() },
        { query: 'ADA.love' },
        { query: `@${domain}` },
        { query: 'ádal' },
        { name: 'ÁDALYN' },
        { name: 'adaly' },
        { tenantId: organization.id },
      ])
        expect(idsOf(await search(query))).toEqual([ada.id]);
      expect(idsOf(await search({ query: 'nothing-like-it' }))).toEqual([]);
      expect(idsOf(await search({ query: '@xample.com' }))).toEqual([]);
      expect(idsOf(await search({}))[0]).toBe(ada.id); // newest first
    });

    it('by any part of names and address, newest first', async () => {
      const part = newId().slice(-12);
      const add = async (fields: string, values: string) => {
        const id = newId();
        await app.sql(`INSERT INTO accounts (id, ${fields}) VALUES ($1, ${values})`, [id]);
        return id;
      };
      const turing = await add('first_name, last_name', `'Älan', 'Tu${part}ring'`);
      const address = await add(
        'email, email_key',
        `'x-${part}@y.example', 'x-${part.toLowerCase()}@y.example'`,
      );
      const shown = await add('display_name', `'The ${part}'`);
      expect(idsOf(await search({ query: part }))).toEqual([shown, address, turing]);
      expect(idsOf(await search({ query: `alan tu${part.toLowerCase()}` }))).toEqual([turing]);
      expect(idsOf(await search({ query: `${part}_` }))).toEqual([]); // no wildcard
      await app.sql('UPDATE accounts SET display_name = NULL, erased_at = now() WHERE id = $1', [shown]);
      expect(idsOf(await search({ query: part }))).toEqual([address, turing]);
    });

    it('by one field of the query', async () => {
      expect(await search({ query: 'ada', status: 'suspended' })).toMatchObject({
        status: 400,
        body: { violations: [{ propertyPath: 'status' }] },
      });
    });

    it('page by page, each once', async () => {
      const start = `p${newId().toLowerCase()}`;
      const others = `('01AX' || lpad(n::text, 22, '0'))`;
      await app.sql(
        `INSERT INTO accounts (id, email, email_key, first_name)
         SELECT ${others}, '${start}' || n || '@pages.example', '${start}' || n || '@pages.example', 'Pagename' FROM generate_series(1, 5) n`,
      );
      for (const query of [{ query: start }, { query: '@pages.example' }, { name: 'pagename' }]) {
        const seen: string[] = [];
        let cursor: string | null = '';
        while (cursor !== null) {
          const answer: Answer = await search({ ...query, limit: '2', ...(cursor && { cursor }) });
          seen.push(...idsOf(answer));
          cursor = answer.body['nextCursor'] as unknown as string | null;
        }
        expect(seen).toHaveLength(5);
        expect(new Set(seen).size).toBe(5);
      }
    });

    it('say that the person of a cursor was erased, and not that the list has ended', async () => {
      const id = `('01DX' || lpad(n::text, 22, '0'))`;
      await app.sql(
        `INSERT INTO accounts (id, email, email_key, first_name)
         SELECT ${id}, 'qq' || n || '@pages.example', 'qq' || n || '@pages.example', 'Qzname' FROM generate_series(1, 3) n`,
      );
      const queries: Criteria[] = [{ query: 'qq' }, { query: 'qz' }, { name: 'qzname' }];
      const cursors = await Promise.all(
        queries.map(async (query) => String((await search({ ...query, limit: '1' })).body['nextCursor'])),
      );
      await app.sql(
        `UPDATE accounts SET email = NULL, email_key = NULL, first_name = NULL, erased_at = now() WHERE id = '01DX' || lpad('1', 22, '0')`,
      );
      for (const [n, query] of queries.entries())
        expect(await search({ ...query, cursor: cursors[n] ?? '' })).toMatchObject({
          status: 400,
          body: { violations: [{ propertyPath: 'cursor' }] },
        });
      for (const query of queries) expect(idsOf(await search(query))).toHaveLength(2);
    });

    it('by an index, however many there are', async () => {
      const id = `('01BX' || lpad(n::text, 22, '0'))`;
      await app.sql(
        `SET session_replication_role = replica;
         INSERT INTO members (tenant_id, user_id) SELECT ${id}, ${id} FROM generate_series(1, ${MANY}) n;
         RESET session_replication_role;
         INSERT INTO accounts (id, email, email_key, first_name, suspended_at)
         SELECT ${id}, n || '@d' || n % 500 || '.example', n || '@d' || n % 500 || '.example', 'Name' || n, CASE WHEN n % 500 = 0 THEN now() END
         FROM generate_series(1, ${MANY}) n;
         INSERT INTO external_identities (id, account_id, kind, issuer, subject, connection_id)
         SELECT ${id}, ${id}, 'oidc', 'https://idp.example', 'many' || n, 'c' || n % 500 FROM generate_series(1, ${MANY}) n`,
      );
      const organization = await Organization.found(app, await signUp());
      await app.sql('ANALYZE');
      const cursor = Buffer.from(`01BX${'5000'.padStart(22, '0')}`).toString('base64url');
      const queries: Criteria[] = [
        {},
        { query: `01BX${'7'.padStart(22, '0')}` },
        { query: '77@d77.example' },
        { query: '77' },
        { query: '@d77.example' },
        { query: 'name77' },
        { query: 'ame777' },
        { name: 'name77' },
        { tenantId: organization.id },
        { connectionId: newId() },
        { status: 'suspended' },
      ];
      for (const query of queries.flatMap((one) => [one, { ...one, cursor }])) {
        const statements = await statementsOf(() => search({ ...query, limit: '20' }));
        const whole = (await readWhole(app, statements)).map(({ table }) => table);
        expect([query, whole.filter((table) => table !== 'operators')]).toEqual([query, []]);
      }
    });

    it('by operators alone, whose trail has it', async () => {
      const person = await signUp();
      expect((await search({}, byTwoFactors(app, person.token))).status).toBe(403);
      expect((await search({}, person.token)).status).toBe(403);
      const before = await app.sql("SELECT 1 FROM audit_events WHERE action = 'person.searched'");
      await search({ query: 'a' });
      const after = await app.sql("SELECT 1 FROM audit_events WHERE action = 'person.searched'");
      expect(after).toHaveLength(before.length + 1);
    });
  });

  it('have a page with all that support needs, and reading it is recorded', async () => {
    const person = await signUp('Grace');
    const organization = await Organization.found(app, person);
    await TestTotp.enrol(app, person.token);
    expect(await page(person.id)).toMatchObject({
      userId: person.id,
      email: person.email,
      firstName: 'Grace',
      status: 'active',
      hasPassword: true,
      operatorRole: null,
      factors: ['totp', 'recovery_code'],
      factorsResetAt: null,
      memberships: [{ tenantId: organization.id, roles: ['owner'], status: 'active' }],
      sessions: [{ id: person.sessionId }],
      identities: [],
    });
    const { events } = (await page(person.id)) as unknown as { events: { action: string }[] };
    expect(events.map(({ action }) => action)).toContain('account.created');
    expect(await trailOf(support.id, person.id)).toEqual(['person.read', 'person.read']);
    expect((await app.get(`${PEOPLE}/${newId()}`, support.token)).status).toBe(404);
  });

  it('show what became of their mails, and what the mail server said', async () => {
    const person = await signUp();
    await eventually('the mail is recorded', async () => (await mailsOf(person.id)).length > 0);
    expect(await mailsOf(person.id)).toMatchObject([
      { kind: 'verification', state: 'sent', attempts: 1, reply: expect.stringMatching(/^250/) },
    ]);
    server.verdicts.push('reject');
    expect((await act(person.id, 'send-password-reset', support)).status).toBe(204);
    const newest = async () => (await mailsOf(person.id))[0];
    await eventually('the refusal is recorded', async () => (await newest())?.state === 'refused');
    const reply = (await newest())?.reply ?? '';
    expect(reply).toMatch(/^5\d\d/);
    expect(reply).not.toContain(person.email);
    await act(person.id, 'erase');
    await eventually('no record is left', async () => {
      const keys = await app.sql('SELECT 1 FROM mail_records WHERE id > $1 AND kind = $2', [
        person.id,
        'password-reset',
      ]);
      return keys.length === 0;
    });
  });

  it('show which mails are put off, expired or waiting, for thirty days', async () => {
    const person = await signUp();
    await eventually('the mail is recorded', async () => (await mailsOf(person.id))[0]?.state === 'sent');
    server.verdicts.push('refuse');
    await act(person.id, 'send-password-reset', support);
    const newest = async () => (await mailsOf(person.id))[0];
    await eventually('it is put off', async () => (await newest())?.state === 'deferred');
    const { id = '' } = (await newest()) ?? {};
    expect(await newest()).toMatchObject({
      attempts: 1,
      reply: expect.stringMatching(/^4/),
      canResend: false,
    });
    const expireAt = (when: string) =>
      app.sql(`UPDATE outgoing_mails SET expires_at = ${when} WHERE id = $1`, [id]);
    await expireAt('now()');
    expect(await newest()).toMatchObject({ id, state: 'expired' });
    await eventually('it is given up', async () => {
      const waiting = "SELECT id FROM graphile_worker.jobs WHERE task_identifier = 'mail.send'";
      await app.sql(
        `SELECT graphile_worker.reschedule_jobs(array_agg(id), run_at := now()) FROM (${waiting}) j`,
      );
      return (await app.sql(waiting)).length === 0;
    });
    await app.sql('DELETE FROM mail_records WHERE id = $1', [id]);
    expect(await newest()).toMatchObject({ id, state: 'expired', attempts: 0, canResend: false });
    await expireAt("now() + interval '1 hour'");
    expect(await newest()).toMatchObject({ id, state: 'waiting', attempts: 0, canResend: false });
    expect(await mailsOf(person.id)).toHaveLength(2);
    await app.sql("UPDATE mail_records SET created_at = now() - interval '30 days' WHERE id < $1", [id]);
    expect(await mailsOf(person.id)).toMatchObject([{ id }]);
  });

  it('show no mail of another person, also before its outcome is known', async () => {
    const people = [await signUp(), await signUp()];
    for (const { id } of people)
      await eventually('the mail is recorded', async () => (await mailsOf(id)).length > 0);
    await app.sql('DELETE FROM mail_records');
    const [own, others] = await Promise.all(people.map(({ id }) => mailsOf(id)));
    expect([own, others]).toMatchObject([[{ kind: 'verification' }], [{ kind: 'verification' }]]);
    expect(own?.[0]?.id).not.toBe(others?.[0]?.id);
  });

  it('are sent a mail again, the same to the same address', async () => {
    const [person, other] = [await signUp(), await signUp()];
    const resend = (id: string, mail: string, { token } = support) =>
      app.call('POST', `${PEOPLE}/${id}/mails/${mail}/resend`, undefined, { token });
    const newest = async () => (await mailsOf(person.id))[0];
    server.verdicts.push('reject');
    await act(person.id, 'send-password-reset', support);
    await eventually('it is refused', async () => (await newest())?.state === 'refused');
    expect(await newest()).toMatchObject({ kind: 'password-reset', canResend: true });
    const first = (await newest())?.id ?? '';
    expect((await resend(other.id, first)).status).toBe(404);
    expect((await resend(person.id, newId())).status).toBe(404);
    expect((await resend(person.id, first, { token: byTwoFactors(app, person.token), id: '' })).status).toBe(
      403,
    );
    const count = () => server.to(person.email).length;
    const before = count();
    expect((await resend(person.id, first)).status).toBe(204);
    await eventually('it has come', () => count() === before + 1);
    await eventually('it is recorded', async () => (await newest())?.state === 'sent');
    const [mail] = server.to(person.email).slice(-1);
    const token = /reset-password\?token=([\w-]{43})/.exec(mail?.parts['text/plain'] ?? '')?.[1];
    expect(await trailOf(support.id, person.id)).toContain('person.mail-resent');
    for (let sent = 2; sent < 5; sent += 1) expect((await resend(person.id, first)).status).toBe(204);
    expect(await resend(person.id, first)).toMatchObject({ status: 409 });
    await app.sql("UPDATE outgoing_mails SET created_at = created_at - interval '2 hours'");
    expect((await resend(person.id, first)).status).toBe(204);
    expect((await app.post('reset-password', { token, newPassword: 'quiet-harbour-44' })).status).toBe(204);
    expect(await resend(person.id, first)).toMatchObject({ status: 409, body: { detail: LINK_VOID } });
    expect((await mailsOf(person.id)).find(({ id }) => id === first)).toMatchObject({ canResend: false });
    await app.sql('UPDATE outgoing_mails SET expires_at = now() WHERE id = $1', [first]);
    expect(await resend(person.id, first)).toMatchObject({ status: 409 });
    await app.sql('DELETE FROM outgoing_mails WHERE id = $1', [first]);
    expect(await resend(person.id, first)).toMatchObject({ status: 409 });
    expect((await mailsOf(person.id)).find(({ id }) => id === first)).toMatchObject({ canResend: false });
  });

  it('are not sent a link again that was used or replaced, or a code of a session', async () => {
    const person = await signUp();
    const sentOf = async (kind: string) =>
      (await mailsOf(person.id)).filter((mail) => mail.kind === kind && mail.state === 'sent');
    const isSent = (kind: string, count: number) =>
      eventually(`${kind} is sent`, async () => (await sentOf(kind)).length === count);
    await isSent('verification', 1); // used
    for (let sent = 1; sent < 3; sent += 1) {
      await act(person.id, 'send-password-reset', support);
      await isSent('password-reset', sent);
    }
    const budget = { kind: 'step-up-code', mails: 10, periodSeconds: 3_600 };
    await app.app
      .get(Outbox, { strict: false })
      .send({ email: person.email, locale: 'en' }, { usefulForSeconds: 600, budget }, () => ({
        subject: 'Code',
        paragraphs: ['123456'],
        action: null,
      }));
    await isSent('step-up-code', 1);
    const [newest, replaced] = await sentOf('password-reset');
    expect([newest?.canResend, replaced?.canResend]).toEqual([true, false]);
    const refused = [replaced, ...(await sentOf('verification')), ...(await sentOf('step-up-code'))];
    expect(refused.map((mail) => mail?.canResend)).toEqual([false, false, false]);
    for (const mail of refused)
      expect(await act(person.id, `mails/${mail?.id ?? ''}/resend`, support)).toMatchObject({
        status: 409,
        body: { detail: LINK_VOID },
      });
    expect((await act(person.id, `mails/${newest?.id ?? ''}/resend`, support)).status).toBe(204);
  });

  it.each([
    ['authenticators-reset-scheduled', '/cancel-authenticator-reset?token='],
    ['choose-password', '/reset-password?token='],
    ['confirm-email', '/confirm-email?token='],
    ['email-changed', '/undo-email?token='],
    ['email-restored', '/reset-password?token='],
    ['invitation', '/accept-invitation?token='],
    ['new-password-required', '/reset-password?token='],
    ['setup-link', '/setup/'],
    ['sign-in-code', '/email-code?token='],
  ])('are not sent a mail %s again whose link is unknown', async (kind, path) => {
    const person = await signUp();
    const action = { label: 'Open', path: `${path}${'a'.repeat(43)}` };
    const budget = { kind, mails: 10, periodSeconds: 3_600 };
    await app.app
      .get(Outbox, { strict: false })
      .send({ email: person.email, locale: 'en' }, { usefulForSeconds: 600, budget }, () => ({
        subject: kind,
        paragraphs: ['Text'],
        action,
      }));
    const recorded = async () => (await mailsOf(person.id)).find((one) => one.kind === kind);
    await eventually('it is sent', async () => (await recorded())?.state === 'sent');
    expect(await recorded()).toMatchObject({ canResend: false });
    expect(await act(person.id, `mails/${(await recorded())?.id ?? ''}/resend`, support)).toMatchObject({
      status: 409,
      body: { detail: LINK_VOID },
    });
  });

  it('are sent again the reset of their factors until it is cancelled, and what has no link', async () => {
    const person = await signUp();
    await TestTotp.enrol(app, person.token);
    expect((await act(person.id, 'reset-authenticators', admin, { reason: 'Lost' })).status).toBe(202);
    const mailOf = async (kind: string) => (await mailsOf(person.id)).find((one) => one.kind === kind);
    const isSent = (kind: string) =>
      eventually(`${kind} is sent`, async () => (await mailOf(kind))?.state === 'sent');
    await isSent('authenticators-reset-scheduled');
    await isSent('totp-added');
    expect(await mailOf('authenticators-reset-scheduled')).toMatchObject({ canResend: true });
    expect(await mailOf('totp-added')).toMatchObject({ canResend: true });
    await app.sql('UPDATE factor_resets SET ended_at = now() WHERE account_id = $1', [person.id]);
    expect(await mailOf('authenticators-reset-scheduled')).toMatchObject({ canResend: false });
  });

  it('are not sent an invitation again that was revoked', async () => {
    const person = await signUp();
    const organization = await Organization.found(app, await signUp());
    const body = { email: person.email, roles: ['member'] };
    const { body: made } = await organization.call('POST', '/invitations', body);
    const invitation = async () => (await mailsOf(person.id)).find(({ kind }) => kind === 'invitation');
    await eventually('it is sent', async () => (await invitation())?.state === 'sent');
    expect(await invitation()).toMatchObject({ canResend: true });
    expect((await organization.call('DELETE', `/invitations/${String(made['id'])}`)).status).toBe(204);
    expect(await invitation()).toMatchObject({ canResend: false });
    const path = `mails/${(await invitation())?.id ?? ''}/resend`;
    expect(await act(person.id, path, support)).toMatchObject({ status: 409, body: { detail: LINK_VOID } });
  });

  it('are not sent again what was withdrawn, nor is any of it left after an erasure', async () => {
    const person = await signUp();
    await act(person.id, 'send-password-reset', support);
    await eventually('it is sent', async () => (await mailsOf(person.id))[0]?.state === 'sent');
    const keys = app.app.get(Outbox, { strict: false }).recipientKeys(person.email);
    await app.app.get(RecipientMails, { strict: false }).withdraw(person.email, ['password-reset']);
    expect((await mailsOf(person.id))[0]).toMatchObject({ kind: 'password-reset', canResend: false });
    const kept = () =>
      app.sql('SELECT 1 FROM outgoing_mails WHERE recipient_key = $1 AND kept IS NOT NULL', [keys[0]]);
    expect((await kept()).length).toBeGreaterThan(0); // the mail that verified the address
    await act(person.id, 'erase');
    await eventually('nothing is kept', async () => (await kept()).length === 0);
  });

  it('are suspended and restored, and both trails have it', async () => {
    const person = await signUp();
    expect((await act(person.id, 'restore')).status).toBe(403);
    expect((await act(person.id, 'suspend')).status).toBe(204);
    expect((await app.get('/api/v1/iam/me', person.token)).status).toBe(401);
    expect(idsOf(await search({ status: 'suspended' }))).toContain(person.id);
    const mailing = ['send-password-reset', 'require-new-password', 'resend-mail', 'export'];
    for (const what of ['suspend', ...mailing]) {
      const refused = await act(person.id, what === 'resend-mail' ? `mails/${newId()}/resend` : what);
      expect(refused).toMatchObject({ status: 403, body: { code: 'state_forbids' } });
      expect(await probe(person.id, what)).toMatchObject({ reason: refused.body['detail'] });
    }
    expect((await act(person.id, 'restore')).status).toBe(204);
    expect((await login(app, person)).status).toBe(200);
    expect(await trailOf(admin.id, person.id)).toEqual(['person.suspended', 'person.restored']);
    expect(await trailOf(person.id, person.id)).toEqual(
      expect.arrayContaining(['account.suspended', 'account.restored']),
    );
  });

  // Attack F9.
  describe('who are operators', () => {
    /** Scopes on people, but to read; and to suspend and erase, which no operator suffers. */
    const acts = () =>
      [...app.app.get(AbilityRegistry, { strict: false }).all.values()]
        .filter(({ scope }) => /^platform:person:(?!read$|suspend$|erase$)/.test(scope))
        .map(({ scope }) => scope.split(':')[2]!);
    const EXCEEDS =
      'This operator holds permissions that you do not hold yourself. Ask an operator who holds them.';
    const paths: Readonly<Record<string, [method: string, path: string, body?: object]>> = {
      'resend-mail': ['POST', `/mails/${newId()}/resend`],
      'reset-authenticators': ['POST', '/reset-authenticators', { reason: 'Lost phone' }],
      keep: ['DELETE', '/erasure-request'],
      'keep-authenticators': ['DELETE', '/authenticator-reset'],
    };
    const call = (id: string, what: string, { token }: { readonly token: string }) => {
      const [method, path, body] = paths[what] ?? ['POST', `/${what}`];
      return app.call(method, `${PEOPLE}/${id}${path}`, body, { token });
    };
    const restricted = async (role: OperatorRole, what: readonly string[]) => {
      const person = await signUp();
      const scopes = what.map((one) => `platform:person:${one}`);
      await app.app.get(OperatorService, { strict: false }).grant(person.email, role, scopes);
      return { id: person.id, token: byTwoFactors(app, person.token) };
    };

    it.each(['admin', 'support'] as const)('suffer nothing from %s who hold less', async (role) => {
      const greater = await operator('admin');
      const ofSupport = ['end-sessions', 'send-password-reset', 'resend-mail', 'keep-authenticators'];
      const ofRole = role === 'admin' ? acts() : ofSupport;
      const lesser = await restricted(role, ofRole);
      for (const what of ofRole) {
        const refused = { status: 403, body: { code: 'state_forbids', detail: EXCEEDS } };
        expect([what, await call(greater.id, what, lesser)]).toEqual([
          what,
          expect.objectContaining({ status: 403, body: expect.objectContaining(refused.body) as unknown }),
        ]);
        expect(await probe(greater.id, what, lesser)).toMatchObject({ reason: EXCEEDS });
      }
      expect((await app.get('/api/v1/iam/me', greater.token)).status).toBe(200);
    });

    it('suffer nothing from one who holds another part of their role', async () => {
      const one = await restricted('admin', ['end-sessions', 'read']);
      const other = await restricted('admin', ['end-sessions', 'export']);
      expect(await call(one.id, 'end-sessions', other)).toMatchObject({ status: 403 });
      expect(await call(other.id, 'end-sessions', one)).toMatchObject({ status: 403 });
    });

    it('are helped by one who holds as much', async () => {
      const [lesser, equal] = [await restricted('admin', ['end-sessions']), await operator('admin')];
      expect(
        await call(lesser.id, 'end-sessions', await restricted('admin', ['end-sessions'])),
      ).toMatchObject({
        status: 200,
      });
      expect(await call(support.id, 'send-password-reset', await operator('support'))).toMatchObject({
        status: 204,
      });
      expect((await call(equal.id, 'require-new-password', admin)).status).toBe(204);
    });

    it('suffer nothing from a program of the platform, which holds less than an admin', async () => {
      const accounts = app.app.get(PlatformAccountService, { strict: false });
      const accountId = await accounts.create('Helpdesk', 'admin');
      const { plainKey: token } = await accounts.createKey(accountId, { name: 'Nightly', days: 1 });
      const greater = await operator('admin');
      expect(await call(greater.id, 'end-sessions', { token })).toMatchObject({
        status: 403,
        body: { detail: EXCEEDS },
      });
      expect(await call((await signUp()).id, 'end-sessions', { token })).toMatchObject({ status: 200 });
      const { plainKey: narrow } = await accounts.createKey(accountId, {
        name: 'Narrow',
        days: 1,
        scopes: ['platform:person:end-sessions'],
      });
      const helper = await restricted('support', ['end-sessions', 'read']);
      expect(await call(helper.id, 'end-sessions', { token: narrow })).toMatchObject({ status: 403 });
      expect(await call(helper.id, 'end-sessions', { token })).toMatchObject({ status: 200 });
    });
  });

  it('whom a directory has suspended are suspended by an operator, too', async () => {
    const organization = await Organization.found(app, await signUp());
    const person = await signUp();
    await app.sql(
      "INSERT INTO directory_suspensions (tenant_id, account_id, kind) VALUES ($1, $2, 'account')",
      [organization.id, person.id],
    );
    await app.sql('UPDATE accounts SET suspended_at = now() WHERE id = $1', [person.id]);
    expect(await probe(person.id, 'suspend')).toMatchObject({ allowed: true });
    expect((await act(person.id, 'suspend')).status).toBe(204);
    expect(await probe(person.id, 'suspend')).toMatchObject({ allowed: false });
  });

  it('are signed out of all devices, and can sign in again', async () => {
    const person = await signUp();
    expect(await act(person.id, 'end-sessions', support)).toMatchObject({ status: 200, body: { ended: 1 } });
    expect((await app.get('/api/v1/iam/me', person.token)).status).toBe(401);
    expect((await login(app, person)).status).toBe(200);
  });

  it('are signed out of one device only, by support too', async () => {
    const person = await signUp();
    const other = await Person.again(person);
    const end = (sessionId: string, userId = person.id) =>
      app.call('DELETE', `${PEOPLE}/${userId}/sessions/${sessionId}`, undefined, { token: support.token });
    expect((await end(other.sessionId, admin.id)).status).toBe(403);
    const stranger = await signUp();
    expect((await end(other.sessionId, stranger.id)).status).toBe(404);
    expect((await app.get('/api/v1/iam/me', other.token)).status).toBe(200);
    expect((await end(other.sessionId)).status).toBe(204);
    expect((await app.get('/api/v1/iam/me', other.token)).status).toBe(401);
    expect((await app.get('/api/v1/iam/me', person.token)).status).toBe(200);
    expect((await end(other.sessionId)).status).toBe(404);
    expect(await trailOf(support.id, person.id)).toEqual(['person.session-ended']);
  });

  it('keep their second factors once the reset is cancelled, by support too', async () => {
    const person = await signUp();
    await TestTotp.enrol(app, person.token);
    const cancel = () =>
      app.call('DELETE', `${PEOPLE}/${person.id}/authenticator-reset`, undefined, { token: support.token });
    const refused = await cancel();
    expect(refused).toMatchObject({ status: 403, body: { code: 'state_forbids' } });
    expect(await probe(person.id, 'keep-authenticators', support)).toMatchObject({
      reason: refused.body['detail'],
    });
    expect((await act(person.id, 'reset-authenticators', admin, { reason: 'Lost' })).status).toBe(202);
    expect(await probe(person.id, 'keep-authenticators', support)).toMatchObject({ allowed: true });
    expect((await cancel()).status).toBe(204);
    expect(await page(person.id)).toMatchObject({ factorsResetAt: null, factors: ['totp', 'recovery_code'] });
    await eventually('the person is mailed', async () =>
      (await mailsOf(person.id)).some(({ kind }) => kind === 'authenticators-reset-cancelled'),
    );
    expect(await trailOf(support.id, person.id)).toContain('person.authenticator-reset-cancelled');
  });

  it('have the link to set a password cancelled, by support too', async () => {
    const person = await signUp();
    const cancel = () =>
      app.call('DELETE', `${PEOPLE}/${person.id}/password-reset`, undefined, { token: support.token });
    expect(await page(person.id)).toMatchObject({ passwordResetExpiresAt: null });
    expect(await cancel()).toMatchObject({ status: 404 });
    expect((await act(person.id, 'send-password-reset')).status).toBe(204);
    expect(await probe(person.id, 'send-password-reset', support)).toMatchObject({ allowed: true });
    const token = await linkTo(person.email, 'reset-password');
    const { passwordResetExpiresAt: until } = await page(person.id);
    expect(Date.parse(String(until))).toBeGreaterThan(Date.now());
    expect((await cancel()).status).toBe(204);
    expect(await page(person.id)).toMatchObject({ passwordResetExpiresAt: null });
    const reset = await app.post('reset-password', { token, newPassword: 'a-new-harbour-7' });
    expect(reset).toMatchObject({ status: 400, body: { violations: [{ propertyPath: 'token' }] } });
    expect((await login(app, person)).status).toBe(200);
    expect(await trailOf(support.id, person.id)).toContain('person.password-reset-cancelled');
    await act(person.id, 'send-password-reset');
    await app.sql("UPDATE password_resets SET expires_at = now() - interval '1 s' WHERE account_id = $1", [
      person.id,
    ]);
    expect(await page(person.id)).toMatchObject({ passwordResetExpiresAt: null });
    expect(await cancel()).toMatchObject({ status: 404 });
  });

  it('have the change of their address cancelled, by support too', async () => {
    const person = await signUp();
    const cancel = () =>
      app.call('DELETE', `${PEOPLE}/${person.id}/email-change`, undefined, { token: support.token });
    expect(await cancel()).toMatchObject({ status: 404 });
    const email = `new-${person.email}`;
    const asked = await app.call('PUT', '/api/v1/iam/me/email', { email }, { token: person.token });
    expect(asked.status).toBe(202);
    const token = await linkTo(email, 'confirm-email');
    expect(await page(person.id)).toMatchObject({ emailChange: { email } });
    expect(await probe(person.id, 'end-sessions', support)).toMatchObject({ allowed: true });
    expect((await cancel()).status).toBe(204);
    expect(await page(person.id)).toMatchObject({ emailChange: null, email: person.email });
    expect((await app.post('confirm-email', { token })).status).toBe(400);
    expect(await trailOf(support.id, person.id)).toContain('person.email-change-cancelled');
  });

  it('have their failed sign-ins on the page, without the network', async () => {
    const person = await signUp();
    for (let n = 0; n < 5; n++)
      expect((await app.post('login', { email: person.email, password: 'wrong' })).status).toBe(401);
    const { signInFailures } = (await page(person.id)) as unknown as { signInFailures: object[] };
    expect(signInFailures).toEqual([
      {
        count: 5,
        firstAt: expect.any(String) as unknown,
        lastAt: expect.any(String) as unknown,
        network: expect.stringMatching(/^[0-9a-f]{32}$/) as unknown,
        ended: false,
      },
    ]);
  });

  it('whose password a stranger may know lose it, and choose a new one by mail', async () => {
    const person = await signUp();
    expect((await act(person.id, 'require-new-password')).status).toBe(204);
    expect((await app.get('/api/v1/iam/me', person.token)).status).toBe(401);
    expect((await login(app, person)).status).toBe(401);
    expect(await probe(person.id, 'require-new-password')).toMatchObject({ code: 'state_forbids' });
    await eventually('the mail has come', () => server.to(person.email).length === 2);
    const text = server.to(person.email)[1]?.parts['text/plain'] ?? '';
    const token = /reset-password\?token=([\w-]{43})/.exec(text)?.[1];
    expect((await app.post('reset-password', { token, newPassword: 'quiet-harbour-43' })).status).toBe(204);
    expect((await login(app, { ...person, password: 'quiet-harbour-43' } as Person)).status).toBe(200);
  });

  it('get an export that an operator starts once a day and cannot read', async () => {
    const person = await signUp();
    const started = await act(person.id, 'export');
    expect(started.status).toBe(202);
    expect(Object.keys(started.body).toSorted()).toEqual(['createdAt', 'expiresAt']);
    expect(await act(person.id, 'export')).toMatchObject({ status: 409 });
    const ownExport = '/api/v1/iam/me/export';
    expect(await app.call('POST', ownExport, undefined, person)).toMatchObject({ status: 409 });
    const list = async (token: string) =>
      itemsOf<{ id: string; ready: boolean }>(await app.get(ownExport, token));
    await eventually('it is ready', async () => (await list(person.token))[0]?.ready === true);
    const { id } = (await list(person.token))[0] ?? { id: '' };
    for (const path of ['', '/page']) {
      expect((await app.get(`${ownExport}/${id}${path}`, person.token)).status).toBe(200);
      for (const { token } of [admin, support])
        expect((await app.get(`${ownExport}/${id}${path}`, token)).status).toBe(404);
    }
    expect(await list(admin.token)).toEqual([]);
    const below = `${PEOPLE}/${person.id}/export`;
    expect((await app.get(below, admin.token)).status).toBe(405);
    expect((await app.get(`${below}/${id}`, admin.token)).status).toBe(404);
    expect(JSON.stringify(await page(person.id))).not.toContain(id);
    await eventually('the person is mailed', () => server.to(person.email).length === 2);
    const mail = server.to(person.email)[1]?.parts['text/plain'] ?? '';
    expect(mail).toContain('Support of this service has, for you, put together');
    expect(mail).toContain('Only you can open it.');
    expect(await trailOf(admin.id, person.id)).toEqual(['person.export-started']);
    expect(await trailOf(person.id, person.id)).toContain('account.export-started');
  });

  it('get no export by an operator whose sign-in is old or by one factor', async () => {
    const person = await signUp();
    const stranger = await signUp();
    for (const token of [stranger.token, byTwoFactors(app, stranger.token)])
      expect(await act(person.id, 'export', { id: '', token })).toMatchObject({ status: 403 });
    const weak = await signUp();
    await app.app.get(OperatorService, { strict: false }).grant(weak.email, 'admin');
    expect(await act(person.id, 'export', weak)).toMatchObject({ status: 401 });
    expect(await app.sql('SELECT 1 FROM account_exports WHERE account_id = $1', [person.id])).toEqual([]);
  });

  it('are erased, unless they are operators', async () => {
    const person = await signUp();
    expect((await act(person.id, 'erase')).status).toBe(204);
    expect((await app.get(`${PEOPLE}/${person.id}`, support.token)).status).toBe(404);
    expect((await act(person.id, 'suspend')).status).toBe(404);
    expect(await probe(person.id, 'suspend')).toMatchObject({ code: 'subject_not_found' });
    for (const what of ['erase', 'suspend'])
      expect(await act(support.id, what)).toMatchObject({ status: 403, body: { code: 'state_forbids' } });
  });

  it('are not changed by support beyond sessions and mails', async () => {
    const person = await signUp();
    for (const what of [
      'suspend',
      'restore',
      'require-new-password',
      'reset-authenticators',
      'erase',
      'export',
    ]) {
      const refused = await act(person.id, what, support, { reason: 'Asked' });
      expect(refused).toMatchObject({ status: 403, body: { code: 'scope_not_held' } });
      expect(await probe(person.id, what, support)).toMatchObject({ code: 'scope_not_held' });
    }
  });
});
