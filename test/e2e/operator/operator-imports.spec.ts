import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorService, PeopleImport } from '../../../src/iam/index.js';
import { PlatformAccountService } from '../../../src/machine/index.js';
import { ImportRuns } from '../../../src/operator/imports/import-runs.service.js';
import { newId, type OperatorRole, type UserId } from '../../../src/kernel/index.js';
import { CleanupService } from '../../../src/platform/cleanup/cleanup.js';
import { Database } from '../../../src/platform/database/index.js';
import { byTwoFactors } from '../../support/factors.js';
import { HASH_VECTORS, VECTOR_PASSWORDS } from '../../support/hash-vectors.js';
import { Organization, Person } from '../../support/organization.js';
import { eventually, itemsOf, TestApp } from '../../support/test-app.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const PATH = '/api/v1/operator/imports';
const NDJSON = 'application/x-ndjson';
const MAX_BYTES = 1024 * 1024;
const MD5 = createHash('md5').update('quiet-harbour').digest('base64');

describe('An import by the API', () => {
  let app: TestApp;
  let admin: string;
  let support: string;
  let counter = 0;
  beforeAll(async () => {
    app = await TestApp.start();
    [admin, support] = [await operator('admin'), await operator('support')];
  });
  afterAll(() => app.stop());

  const operator = async (role: OperatorRole): Promise<string> => {
    const person = await Person.signUp(app);
    await app.app.get(OperatorService, { strict: false }).grant(person.email, role);
    return byTwoFactors(app, person.token);
  };
  const person = (fields: object = {}) => {
    counter += 1;
    return {
      externalId: `a-${counter}`,
      email: `part-${counter}@example.com`,
      emailVerified: true,
      ...fields,
    };
  };
  const send = async (
    body: string | Buffer,
    {
      token = admin,
      type = NDJSON,
      query = '',
    }: { token?: string | null; type?: string; query?: string } = {},
  ) => {
    const answer = await fetch(new URL(PATH + query, app.url), {
      method: 'POST',
      headers: { 'Content-Type': type, ...(token !== null && { Authorization: `Bearer ${token}` }) },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const lines = (...people: unknown[]) =>
    `${people.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n')}\n`;
  const countOf = async (email: string) =>
    (await app.sql('SELECT 1 FROM accounts WHERE email_key = $1', [email])).length;

  const open = async (supportAccess: string) => {
    const organization = await Organization.found(app);
    const set = await organization.call('PUT', '/sign-in-policy', { supportAccess });
    expect(set.status).toBe(200);
    return organization;
  };

  it('creates people, who sign in with their password, and finds them again', async () => {
    const organization = await open('always');
    const hash = HASH_VECTORS['bcrypt ($2y$, PHP)']?.plain;
    const first = person({ passwordHash: hash });
    const second = person({ memberships: [{ tenantId: organization.id, roles: ['member'] }] });
    const part = lines(first, second);
    expect(await send(part)).toEqual({
      status: 200,
      body: { imported: 2, unchanged: 0, failed: 0, errors: [] },
    });
    const signedIn = await app.post('login', { email: first.email, password: VECTOR_PASSWORDS.plain });
    expect(signedIn.status).toBe(200);
    expect(await app.sql('SELECT 1 FROM members WHERE tenant_id = $1', [organization.id])).toHaveLength(2);
    expect((await send(part)).body).toEqual({ imported: 0, unchanged: 2, failed: 0, errors: [] });
    const events = await app.get('/api/v1/operator/audit-events', admin);
    expect(JSON.stringify(events.body)).toContain('operator.people-imported');
  });

  it('reports bad lines by number, and keeps the others whole', async () => {
    const [good, half] = [
      person(),
      person({ memberships: [{ tenantId: '01K3V9D7Q8Z4X5N6M7P8R9S0T3', roles: ['member'] }] }),
    ];
    const { body } = await send(lines(good, '', 'no JSON', half));
    expect(body).toMatchObject({ imported: 1, failed: 2, errors: [{ line: 3 }, { line: 4 }] });
    expect([await countOf(good.email), await countOf(half.email)]).toEqual([1, 0]);
  });

  it('is listed with the sum of its parts, by whom and of which file', async () => {
    const list = async (token = admin) => (await app.get(PATH, token)).body;
    const runId = newId();
    const query = `?runId=${runId}&fileName=people.csv`;
    const first = person();
    await send(lines(first, 'no JSON'), { query });
    await send(lines(first, person()), { query });
    await send(lines(person()), { query: `${query}&dryRun=true` });
    const other = await operator('admin');
    await send(lines(person()), { query, token: other });
    await send(lines(person())); // without an id
    const { items } = (await list()) as unknown as { items: object[] };
    expect(items).toEqual([
      {
        id: runId,
        fileName: 'people.csv',
        operatorId: expect.any(String) as unknown,
        operatorName: 'Ada',
        imported: 2,
        invited: 0,
        unchanged: 1,
        failed: 1,
        createdAt: expect.any(String) as unknown,
        updatedAt: expect.any(String) as unknown,
      },
    ]);
    expect(await list(support)).toMatchObject({ status: 403, code: 'scope_not_held' });
    expect((await send(lines(person()), { query: '?runId=1' })).status).toBe(400);
    const age = (days: number) =>
      app.sql('UPDATE import_runs SET updated_at = now() - make_interval(days => $2) WHERE id = $1', [
        runId,
        days,
      ]);
    const cleanUp = () => app.app.get(CleanupService, { strict: false }).run();
    await age(89);
    await cleanUp();
    expect(await list()).toMatchObject({ items: [{ id: runId }] });
    await age(91);
    await cleanUp();
    expect(await list()).toEqual({ items: [] });
  });

  it('lists imports by the command line, which have no operator', async () => {
    const file = join(temporaryFolder('import'), 'from-auth0.ndjson');
    await writeFile(file, lines(person(), 'no JSON'));
    await app.command('people:import', '--file', file, '--dry-run');
    await app.command('people:import', '--file', file);
    const { items } = (await app.get(PATH, admin)).body as unknown as { items: object[] };
    expect(items).toEqual([
      expect.objectContaining({
        fileName: 'from-auth0.ndjson',
        operatorId: null,
        operatorName: null,
        imported: 1,
        failed: 1,
      }),
    ]);
    await app.sql('DELETE FROM import_runs');
  });

  describe('of people whose address is not verified', () => {
    const INVITE = '?invite=true';
    const invited = (organization: Organization, fields: object = {}) =>
      person({
        emailVerified: false,
        memberships: [{ tenantId: organization.id, roles: ['member'] }],
        ...fields,
      });
    const openTo = async ({ id }: Organization) =>
      (await app.sql('SELECT email FROM invitations WHERE tenant_id = $1', [id])).map((row) => row['email']);

    it('refuses them unless it is to invite them', async () => {
      const organization = await open('always');
      const { body } = await send(lines(invited(organization)));
      expect(body).toEqual({
        imported: 0,
        unchanged: 0,
        failed: 1,
        errors: [{ line: 1, reason: expect.stringMatching(/^emailVerified has to be true/) as unknown }],
      });
      expect(await openTo(organization)).toEqual([]);
    });

    it('invites them, and gives them neither an account nor their password', async () => {
      const organization = await open('always');
      const hash = HASH_VECTORS['bcrypt ($2y$, PHP)']?.plain;
      const one = invited(organization, { passwordHash: hash });
      const runId = newId();
      const part = lines(one, person());
      const dry = await send(part, { query: `${INVITE}&dryRun=true` });
      expect(dry.body).toEqual({ imported: 1, invited: 1, unchanged: 0, failed: 0, errors: [] });
      expect(await openTo(organization)).toEqual([]);
      const { body } = await send(part, { query: `${INVITE}&runId=${runId}` });
      expect(body).toEqual({ imported: 1, invited: 1, unchanged: 0, failed: 0, errors: [] });
      expect(await openTo(organization)).toEqual([one.email]);
      expect(await app.mails(one.email)).toHaveLength(1);
      expect(await countOf(one.email)).toBe(0);
      expect((await send(part, { query: INVITE })).body).toMatchObject({ invited: 0, unchanged: 2 });
      const { items } = (await app.get(PATH, admin)).body as unknown as { items: object[] };
      expect(items).toContainEqual(expect.objectContaining({ id: runId, imported: 1, invited: 1 }));
    });

    it.each([
      [
        'does not let support in any more',
        'always',
        (one: Organization) => one.call('PUT', '/sign-in-policy', { supportAccess: 'never' }),
      ],
      [
        'ends the access of support',
        'on_request',
        (one: Organization) => one.call('DELETE', '/support-access'),
      ],
    ])('revokes those that are open when the organization %s', async (_, supportAccess, end) => {
      const organization = await open(supportAccess);
      if (supportAccess === 'on_request') await organization.call('POST', '/support-access', { hours: 4 });
      const [first, again] = [invited(organization), invited(organization)];
      const { body } = await send(lines(first, again), { query: INVITE });
      expect(body).toMatchObject({ invited: 2, errors: [] });
      const own = 'own@example.com';
      await organization.call('POST', '/invitations', { email: own, roles: ['member'] });
      const list = async () =>
        itemsOf<{ id: string; email: string; status: string }>(
          await organization.call('GET', '/invitations'),
        );
      const resent = (await list()).find(({ email }) => email === again.email);
      await organization.call('POST', `/invitations/${resent?.id}/resend`);
      expect((await end(organization)).status).toBeLessThan(300);
      const statuses = (await list()).map(({ email, status }) => [email, status]);
      expect(Object.fromEntries(statuses)).toEqual({
        [first.email]: 'revoked',
        [again.email]: 'open', // the owner answers for it since
        [own]: 'open',
      });
      const trail = itemsOf<{ actorId: string }>(
        await organization.call('GET', '/audit-events?action=invitation.revoked'),
      );
      expect(trail).toEqual([expect.objectContaining({ actorId: organization.owner.person.id })]);
    });

    it('leaves those open that were sent while a grant held that has run out', async () => {
      const organization = await open('on_request');
      await organization.call('POST', '/support-access', { hours: 4 });
      const one = invited(organization);
      await send(lines(one), { query: INVITE });
      await app.sql("UPDATE tenants SET support_until = now() - interval '1 second' WHERE id = $1", [
        organization.id,
      ]);
      await app.app.get(CleanupService, { strict: false }).run();
      expect(itemsOf(await organization.call('GET', '/invitations'))).toMatchObject([
        { email: one.email, status: 'open' },
      ]);
      const { body } = await send(lines(invited(organization)), { query: INVITE });
      expect(body).toMatchObject({ invited: 0, failed: 1 });
    });

    it('invites no owner, not for a time, to nothing, or where support is not let in', async () => {
      const [organization, closed] = [await open('always'), await open('never')];
      const { id: tenantId } = organization;
      const until = '2099-01-01T00:00:00Z';
      const bad = [
        invited(organization, { memberships: [] }),
        invited(organization, { memberships: [{ tenantId, roles: ['owner'] }] }),
        invited(organization, { memberships: [{ tenantId, roles: ['member'], until }] }),
        invited(organization, {
          memberships: [{ tenantId, roles: ['member'], roleEnds: [{ key: 'member', until }] }],
        }),
        invited(organization, { memberships: [{ tenantId, roles: ['unknown'] }] }),
        invited(closed),
        invited(organization, {
          memberships: [
            { tenantId, roles: ['member'] },
            { tenantId: closed.id, roles: ['member'] },
          ],
        }),
      ];
      const { body } = await send(lines(...bad), { query: INVITE });
      expect(body).toMatchObject({ imported: 0, invited: 0, failed: bad.length });
      expect((body['errors'] as { reason: string }[]).map(({ reason }) => reason)).toEqual([
        'memberships is missing: the person is invited to an organization',
        'memberships makes an owner, who cannot be invited',
        'memberships has an end, which an invitation cannot have',
        'memberships has an end, which an invitation cannot have',
        'memberships names a role that the organization does not have',
        'memberships names an organization that does not let support in',
        'memberships names an organization that does not let support in',
      ]);
      expect([await openTo(organization), await openTo(closed)]).toEqual([[], []]);
    });

    it('tells the owners, once for a part', async () => {
      const organization = await open('always');
      await send(lines(invited(organization), invited(organization)), { query: INVITE });
      const told = (await app.mails(organization.owner.person.email, 2)).filter((mail) =>
        mail.includes('Support has added or invited people'),
      );
      expect(told).toHaveLength(1);
    });

    it('invites after the accounts: to an organization whose owner is on another line of the part', async () => {
      const organization = await open('always');
      const { id: tenantId } = organization;
      await app.sql('DELETE FROM member_roles WHERE tenant_id = $1', [tenantId]);
      const waiting = invited(organization);
      const ownerless = await send(lines(waiting), { query: INVITE });
      expect(ownerless.body).toMatchObject({
        invited: 0,
        errors: [{ line: 1, reason: expect.stringMatching(/without an owner/) as unknown }],
      });
      const owner = person({ memberships: [{ tenantId, roles: ['owner'] }] });
      const { body } = await send(lines(waiting, owner), { query: INVITE });
      expect(body).toMatchObject({ imported: 1, invited: 1, failed: 0 });
      expect(await openTo(organization)).toEqual([waiting.email]);
    });

    it('refuses an organization that a line names twice', async () => {
      const organization = await open('always');
      const membership = { tenantId: organization.id, roles: ['member'] };
      const twice = invited(organization, { memberships: [membership, membership] });
      const { body } = await send(lines(twice), { query: INVITE });
      expect(body).toMatchObject({
        invited: 0,
        errors: [{ reason: 'memberships has an organization twice' }],
      });
    });

    it('leaves members as they are, and stops at the limit of the organization', async () => {
      const organization = await open('always');
      const member = await organization.join('member');
      const limit = { mailsPerDay: null, openInvitations: 1 };
      const limits = `/api/v1/operator/tenants/${organization.id}/limits`;
      expect((await app.call('PUT', limits, limit, { token: admin })).status).toBe(200);
      const people = [
        invited(organization, { email: member.person.email }),
        invited(organization),
        invited(organization),
      ];
      const { body } = await send(lines(...people), { query: INVITE });
      expect(body).toMatchObject({
        invited: 1,
        unchanged: 1,
        failed: 1,
        errors: [{ line: 3, reason: expect.stringMatching(/enough invitations/) as unknown }],
      });
      expect(await openTo(organization)).not.toContain(people[2]?.email);
    });
  });

  it('does nothing in a dry run', async () => {
    const organization = await open('always');
    const plain = person();
    const member = person({ memberships: [{ tenantId: organization.id, roles: ['member'] }] });
    const { body } = await send(lines(plain, member, '{}'), { query: '?dryRun=true' });
    expect(body).toMatchObject({ imported: 2, failed: 1 });
    expect([await countOf(plain.email), await countOf(member.email)]).toEqual([0, 0]);
  });

  it('is for administrators alone, and refuses other bodies', async () => {
    const one = person();
    expect((await send(lines(one), { token: null })).status).toBe(401);
    expect((await send(lines(one), { token: support })).status).toBe(403);
    const stranger = await Person.signUp(app);
    expect((await send(lines(one), { token: byTwoFactors(app, stranger.token) })).status).toBe(403);
    const onceProven = await Person.signUp(app);
    await app.app.get(OperatorService, { strict: false }).grant(onceProven.email, 'admin');
    expect((await send(lines(one), { token: onceProven.token })).status).toBe(401);
    expect((await send(lines(one), { type: 'application/json' })).status).toBe(415);
    expect(await send('x'.repeat(MAX_BYTES + 1))).toMatchObject({
      status: 413,
      body: { detail: 'The body is larger than 1024 KiB.' },
    });
    expect((await send(lines(one), { query: '?dryRun=1' })).status).toBe(400);
    expect(await countOf(one.email)).toBe(0);
  });

  it('refuses a large body of others before it is read, and takes one of the largest size', async () => {
    expect((await send('x'.repeat(MAX_BYTES), { token: support })).status).toBe(403);
    const filled = lines(person()).padEnd(MAX_BYTES, '\n');
    expect((await send(filled, { type: `${NDJSON}; charset=utf-8` })).body).toMatchObject({ imported: 1 });
  });

  it('stops between two lines once its caller has gone', async () => {
    const gone = new AbortController();
    const [first, second] = [person(), person()];
    const runs = app.app.get(ImportRuns, { strict: false });
    const importer = await Person.signUp(app);
    gone.abort();
    const part = Buffer.from(lines(first, second));
    const options = { isDryRun: false, invites: false, file: null };
    const report = await runs.run(part, importer.id as UserId, options, gone.signal);
    expect(report).toMatchObject({ imported: 0, failed: 0 });
    expect(await countOf(second.email)).toBe(0);
  });

  it('stops while it runs once its caller has cancelled it, and goes on where it is sent again', async () => {
    const importer = await Person.signUp(app);
    await app.app.get(OperatorService, { strict: false }).grant(importer.email, 'admin');
    const token = byTwoFactors(app, importer.token);
    // Each weak hash is wrapped, which takes some milliseconds.
    const people = Array.from({ length: 1_000 }, () => person({ passwordHash: `{MD5}${MD5}` }));
    const part = lines(...people);
    const runs = app.app.get(PeopleImport, { strict: false });
    const started = jest.spyOn(runs, 'runPart');
    const cancel = new AbortController();
    const answer = fetch(new URL(PATH, app.url), {
      method: 'POST',
      headers: { 'Content-Type': NDJSON, Authorization: `Bearer ${token}` },
      body: part,
      signal: cancel.signal,
    });
    await eventually('the import runs', () => Promise.resolve(started.mock.calls.length > 0));
    cancel.abort();
    await expect(answer).rejects.toThrow('aborted');
    const run: unknown = started.mock.results[0]?.value;
    started.mockRestore();
    expect(await run).toMatchObject({ imported: 0, failed: 0 });
    expect(await countOf(people.at(-1)!.email)).toBe(0);
    const trail = `/api/v1/operator/audit-events?actorId=${importer.id}&action=operator.people-imported`;
    await eventually('the trail has it', async () => itemsOf(await app.get(trail, admin)).length === 1);
    expect((await send(part, { token })).body).toMatchObject({ imported: people.length });
  });

  it('takes no body at all for no people', async () => {
    expect(await send('')).toEqual({
      status: 200,
      body: { imported: 0, unchanged: 0, failed: 0, errors: [] },
    });
  });

  // Attack F4.
  describe('of members', () => {
    const CLOSED = 'memberships names an organization that does not let support in';
    const HAS_OWNER = 'memberships makes an owner of an organization that has one';
    const of = ({ id }: Organization, ...roles: string[]) =>
      person({ memberships: [{ tenantId: id, roles }] });
    const reasonOf = async (line: object) => {
      const { body } = await send(lines(line));
      return (body['errors'] as { reason: string }[])[0]?.reason ?? null;
    };
    const membersOf = async ({ id }: Organization) =>
      (await app.sql('SELECT 1 FROM members WHERE tenant_id = $1', [id])).length;

    it('needs an organization that lets support in', async () => {
      const closed = await Organization.found(app);
      expect(await reasonOf(of(closed, 'member'))).toBe(CLOSED);
      // A grant of before, which the policy does not allow any more.
      await app.sql("UPDATE tenants SET support_until = now() + interval '1 hour' WHERE id = $1", [
        closed.id,
      ]);
      expect(await reasonOf(of(closed, 'member'))).toBe(CLOSED);
      const asked = await open('on_request');
      expect(await reasonOf(of(asked, 'member'))).toBe(CLOSED);
      expect((await asked.call('POST', '/support-access', { hours: 1 })).status).toBe(200);
      expect(await reasonOf(of(asked, 'member'))).toBeNull();
      await app.sql("UPDATE tenants SET support_until = now() - interval '1 second' WHERE id = $1", [
        asked.id,
      ]);
      expect(await reasonOf(of(asked, 'member'))).toBe(CLOSED);
      expect([await membersOf(closed), await membersOf(asked)]).toEqual([1, 2]);
    });

    it('never makes an owner where there is one, also a suspended one', async () => {
      const organization = await open('always');
      const line = of(organization, 'member', 'owner');
      expect(await reasonOf(line)).toBe(HAS_OWNER);
      await app.sql("UPDATE members SET status = 'suspended' WHERE tenant_id = $1", [organization.id]);
      expect(await reasonOf(line)).toBe(HAS_OWNER);
      expect([await membersOf(organization), await countOf(line.email)]).toEqual([1, 0]);
    });

    it('names the operator in both trails, and mails the owners once', async () => {
      const importer = await Person.signUp(app);
      await app.app
        .get(OperatorService, { strict: false })
        .grant(importer.email, 'admin', ['platform:import:create', 'platform:audit:read']);
      const organization = await open('always');
      const token = byTwoFactors(app, importer.token);
      // Makes no member, so that there is nothing to tell of it.
      const ended = person({
        memberships: [{ tenantId: organization.id, roles: ['member'], until: '2020-01-01T00:00:00Z' }],
      });
      const { body } = await send(lines(ended, of(organization, 'admin'), of(organization, 'member')), {
        token,
      });
      expect(body).toMatchObject({ imported: 3 });
      const joined = { action: 'member.joined', actorId: importer.id };
      const own = itemsOf<{ action: string }>(await organization.call('GET', '/audit-events'));
      expect(own.filter(({ action }) => action === 'member.joined').slice(0, 2)).toMatchObject([
        joined,
        joined,
      ]);
      const path = `/api/v1/operator/audit-events?actorId=${importer.id}&action=member.joined`;
      expect(itemsOf(await app.get(path, admin))).toMatchObject([joined, joined]);
      const mails = async () =>
        (await app.mails(organization.owner.person.email)).filter((mail) =>
          mail.includes('Support has added members to your organization'),
        );
      await eventually('the jobs have run', async () => {
        const jobs = await app.sql(
          "SELECT 1 FROM graphile_worker.jobs WHERE task_identifier IN ('iam.tell-owners-of-import', 'mail.send')",
        );
        return jobs.length === 0;
      });
      expect(await mails()).toHaveLength(1);
    });

    it('makes one owner where there is none, also of two at once', async () => {
      const organization = await open('always');
      await app.sql('DELETE FROM member_roles WHERE tenant_id = $1', [organization.id]);
      const people = [of(organization, 'owner'), of(organization, 'owner')];
      // Both wait for the organization, and the second one sees the owner of the first.
      const database = app.app.get(Database, { strict: false });
      const answers = await database.transaction(async () => {
        await database.rows('SELECT 1 FROM tenants WHERE id = $1 FOR SHARE', [organization.id]);
        const sent = people.map((line) => send(lines(line)));
        await eventually('both wait', async () => (await app.waitingForLocks()) === 2);
        return { sent };
      });
      const imported = (await Promise.all(answers.sent)).map(({ body }) => body['imported']);
      expect(imported.toSorted()).toEqual([0, 1]);
    });

    it('waits for an owner who concurrently ends the access, or comes before', async () => {
      const organization = await open('always');
      const [answer, ended] = await Promise.all([
        send(lines(of(organization, 'member'))),
        organization.call('PUT', '/sign-in-policy', { supportAccess: 'never' }),
      ]);
      expect(ended.status).toBe(200);
      expect(await membersOf(organization)).toBe(1 + Number(answer.body['imported']));
      expect(await reasonOf(of(organization, 'member'))).toBe(CLOSED);
    });
  });
});

describe('An import of members, with four eyes,', () => {
  /** More than an account, and no membership: does not wait. */
  const WHOLE = { totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' };
  const WAITS = 'memberships wait for another operator, who imports the same part within 24 hours';
  let app: TestApp;
  let first: { readonly id: string; readonly token: string };
  let second: typeof first;
  let organization: Organization;
  beforeAll(async () => {
    app = await TestApp.start({ OPERATOR_FOUR_EYES: 'on' });
    [first, second] = [await operator(), await operator()];
    organization = await Organization.found(app);
    await organization.call('PUT', '/sign-in-policy', { supportAccess: 'always' });
  });
  afterAll(() => app.stop());

  const operator = async () => {
    const person = await Person.signUp(app);
    await app.app.get(OperatorService, { strict: false }).grant(person.email, 'admin');
    return { id: person.id, token: byTwoFactors(app, person.token) };
  };
  const partOf = (name: string) =>
    [{ memberships: [{ tenantId: organization.id, roles: ['member'] }] }, WHOLE]
      .map((fields, n) => ({
        externalId: `${name}${n}`,
        email: `${name}${n}@example.com`,
        emailVerified: true,
        ...fields,
      }))
      .map((line) => `${JSON.stringify(line)}\n`)
      .join('');
  const send = async (body: string, { token }: { readonly token: string }, query = '') => {
    const answer = await fetch(new URL(PATH + query, app.url), {
      method: 'POST',
      headers: { 'Content-Type': NDJSON, Authorization: `Bearer ${token}` },
      body,
    });
    return (await answer.json()) as Record<string, unknown>;
  };
  const WAITING = { failed: 1, errors: [{ line: 1, reason: WAITS }] };

  it('waits for another operator with invitations as well', async () => {
    const memberships = [{ tenantId: organization.id, roles: ['member'] }];
    const line = { externalId: 'i', email: 'i@example.com', emailVerified: false, memberships };
    const part = `${JSON.stringify(line)}\n`;
    expect(await send(part, first, '?invite=true')).toMatchObject({ invited: 0, ...WAITING });
    expect(await send(part, second)).toMatchObject({ failed: 1 });
    expect(await send(part, second, '?invite=true')).toMatchObject({ invited: 1, failed: 0 });
  });

  it('waits with invitations that the first operator has not asked for', async () => {
    const memberships = [{ tenantId: organization.id, roles: ['member'] }];
    const unverified = { externalId: 'u', email: 'u@example.com', emailVerified: false, memberships };
    const part = `${JSON.stringify(unverified)}\n${partOf('verified')}`;
    expect(await send(part, first)).toMatchObject({ imported: 1, failed: 2 });
    expect(await send(part, second, '?invite=true')).toMatchObject({ invited: 0, failed: 2 });
    expect(await send(part, first, '?invite=true')).toMatchObject({ imported: 1, invited: 1, failed: 0 });
  });

  it('waits until another operator imports the same part', async () => {
    const part = partOf('same');
    expect(await send(part, first)).toMatchObject({ imported: 1, ...WAITING });
    expect(await send(part, first)).toMatchObject({ imported: 0, unchanged: 1, ...WAITING });
    expect(await send(partOf('other'), second)).toMatchObject(WAITING);
    expect(await send(part, second)).toMatchObject({ imported: 1, unchanged: 1, failed: 0 });
    const joined = await app.sql(
      "SELECT account_id FROM audit_events WHERE tenant_id = $1 AND action = 'member.joined'",
      [organization.id],
    );
    expect(joined).toContainEqual({ account_id: second.id });
  });

  it('does not wait for a dry run, an operator of later, one who ceased, or a program', async () => {
    const dry = partOf('dry');
    expect(await send(dry, first, '?dryRun=true')).toMatchObject(WAITING);
    expect(await send(dry, second)).toMatchObject(WAITING);
    const part = partOf('later');
    expect(await send(part, first)).toMatchObject(WAITING);
    expect(await send(part, await operator())).toMatchObject(WAITING);
    const gone = await operator();
    const left = partOf('left');
    expect(await send(left, gone)).toMatchObject(WAITING);
    await app.sql('DELETE FROM operators WHERE account_id = $1', [gone.id]);
    expect(await send(left, second)).toMatchObject(WAITING);
    expect(await send(left, first)).toMatchObject({ imported: 1, failed: 0 });
    const programs = app.app.get(PlatformAccountService, { strict: false });
    const accountId = await programs.create('Import', 'admin');
    const { plainKey: token } = await programs.createKey(accountId, { name: 'Nightly', days: 1 });
    expect(await send(part, { token })).toMatchObject(WAITING);
    const program = partOf('program');
    expect(await send(program, { token })).toMatchObject(WAITING);
    expect(await send(program, second)).toMatchObject(WAITING);
  });

  it('loses the request of an operator who may no longer import', async () => {
    const restricted = await operator();
    const part = partOf('restricted');
    expect(await send(part, restricted)).toMatchObject(WAITING);
    const sql = "UPDATE operators SET scopes = '{platform:person:erase}' WHERE account_id = $1";
    await app.sql(sql, [restricted.id]);
    expect(await send(part, second)).toMatchObject(WAITING);
  });

  it('is asked for only by a part that waits', async () => {
    const stored = async (part: string) =>
      app.sql('SELECT 1 FROM import_requests WHERE digest = $1', [
        createHash('sha256').update(part).digest(),
      ]);
    const line = { externalId: 'alone', email: 'alone@example.com', emailVerified: true };
    const alone = `${JSON.stringify(line)}\n${JSON.stringify({ ...line, passwordHash: 'none' })}\n`;
    expect(await send(alone, first)).toMatchObject({ imported: 1, failed: 1 });
    expect(await stored(alone)).toEqual([]);
    const dry = partOf('try');
    expect(await send(dry, first, '?dryRun=true')).toMatchObject(WAITING);
    expect(await stored(dry)).toEqual([]);
    expect(await send(dry, first)).toMatchObject(WAITING);
    expect(await stored(dry)).toHaveLength(1);
  });

  it('is not of the command line, which imports the others of a file', async () => {
    const file = join(temporaryFolder('import'), 'people.ndjson');
    await writeFile(file, partOf('file'));
    const reason = 'memberships need two operators: import them on the page of the console, or by its API';
    const report = { imported: 1, failed: 1, errors: [{ line: 1, reason }] };
    expect(await app.command('people:import', '--file', file)).toMatchObject(report);
  });

  it('expires after a day', async () => {
    const part = partOf('late');
    expect(await send(part, first)).toMatchObject(WAITING);
    await app.sql("UPDATE import_requests SET expires_at = now() - interval '1 second'");
    expect(await send(part, second)).toMatchObject(WAITING);
  });
});
