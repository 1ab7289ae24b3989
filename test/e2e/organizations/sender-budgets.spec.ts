import { OperatorService, TenantLimitsService } from '../../../src/iam/index.js';
import type { SetLimits } from '../../../src/iam/organizations/limits/tenant-limits.repository.js';
import type { TenantId, UserId } from '../../../src/kernel/index.js';
import { Database } from '../../../src/platform/database/index.js';
import { Outbox } from '../../../src/platform/mail/index.js';
import { byTwoFactors } from '../../support/factors.js';
import { Organization, Person } from '../../support/organization.js';
import { ScimDirectory, userOf, verifyDomain } from '../../support/scim-directory.js';
import { eventually, itemsOf, NO_LIMITS, withApp } from '../../support/test-app.js';

const MAILS = 3;
const INVITATIONS = 5;
const ORGANIZATIONS = 2;
const BULK = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';

let counter = 0;
const app = withApp({
  ...NO_LIMITS,
  LIMIT_MAILS: String(MAILS),
  LIMIT_INVITATIONS: String(INVITATIONS),
  LIMIT_ORGANIZATIONS: String(ORGANIZATIONS),
});

const stranger = () => `stranger-${(counter += 1)}@example.com`;
const invite = (organization: Organization, email = stranger()) =>
  organization.call('POST', '/invitations', { email, roles: ['member'] });
const link = (organization: Organization, email: string) =>
  organization.call('POST', '/setup-links', { intents: ['domain'], email });
const mailedTo = async (kind: string, tenantId: string) => {
  const [used] = await app.sql<{ used: number }>(
    'SELECT used FROM daily_uses WHERE kind = $1 AND holder = $2',
    [kind, tenantId],
  );
  return used?.used ?? 0;
};
const statusesOf = (answers: readonly { readonly status: number }[]) =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b);
const stateOf = async (directory: ScimDirectory, id: string) => {
  const users = itemsOf<{ id: string; state: string; reason: string | null }>(
    await directory.organization.call('GET', `/directories/${directory.id}/users?limit=100`),
  );
  const { state, reason } = users.find((user) => user.id === id)!;
  return { state, reason };
};
const atOnce = <T>(...calls: readonly (() => Promise<T>)[]) => Promise.all(calls.map((call) => call()));
const times = <T>(length: number, call: (n: number) => T) => Array.from({ length }, (_, n) => () => call(n));
const runJob = async (task: string): Promise<void> => {
  await app.sql('SELECT graphile_worker.add_job($1)', [task]);
};
const limits = () => app.app.get(TenantLimitsService, { strict: false });
const setLimits = ({ id }: Organization, set: Partial<SetLimits>) =>
  limits().set(id as unknown as UserId, id as TenantId, set);
const countLeft = ({ id }: Organization) =>
  app.app.get(Database, { strict: false }).transaction(() => limits().countLeft(id as TenantId));
/** Lets the uses of today be those of yesterday. */
const passDay = (holder: string) =>
  app.sql('UPDATE daily_uses SET day = day - 1 WHERE holder = $1', [holder]);

describe('Mails outside the verified domains of an organization (F7)', () => {
  it('end at the budget of the day, which invitations and set-up links share, also at once', async () => {
    const organization = await Organization.found(app);
    const answers = await atOnce(
      ...times(4, () => invite(organization)),
      ...times(3, () => link(organization, stranger())),
    );
    expect(statusesOf(answers)).toEqual([201, 201, 201, 429, 429, 429, 429]);
    expect(await mailedTo('mails', organization.id)).toBe(MAILS);
    const refused = await invite(organization);
    expect(refused).toMatchObject({
      status: 429,
      body: {
        type: '/errors/too-many-requests',
        detail: `Your organization has sent its ${MAILS} mails of today outside its verified domains. Verify the domain, try again tomorrow, or ask the operators of this service for more.`,
      },
    });
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(86_400);
    await passDay(organization.id);
    expect((await invite(organization)).status).toBe(201);
  });

  it('leave no invitation without its mail, and no mail counted that is not sent', async () => {
    const organization = await Organization.found(app);
    const email = stranger();
    await atOnce(...times(MAILS, () => invite(organization)));
    expect((await invite(organization, email)).status).toBe(429);
    const open = itemsOf<{ email: string }>(await organization.call('GET', '/invitations'));
    expect(open.map((one) => one.email)).not.toContain(email);
  });

  it('do not count in its domains, once they are verified', async () => {
    const organization = await Organization.found(app);
    const domain = `${organization.id.toLowerCase()}.example`;
    await verifyDomain(organization, domain);
    const answers = await atOnce(...times(INVITATIONS, (n) => invite(organization, `person-${n}@${domain}`)));
    expect(statusesOf(answers)).toEqual(Array<number>(INVITATIONS).fill(201));
    expect(await mailedTo('mails', organization.id)).toBe(0);
    const claimed = `claimed-${domain}`;
    expect((await organization.call('POST', '/domains', { name: claimed })).status).toBe(201);
    await organization.call('DELETE', `/invitations/${String(answers[0]!.body['id'])}`);
    expect((await invite(organization, `ada@${claimed}`)).status).toBe(201);
    expect(await mailedTo('mails', organization.id)).toBe(1);
  });

  it('of records that directories send wait for the next day, and are sent then', async () => {
    const organization = await Organization.found(app);
    const directory = await ScimDirectory.create(organization);
    const emails = Array.from({ length: INVITATIONS }, stranger);
    const Operations = emails.map((email, n) => ({
      method: 'POST',
      path: '/Users',
      bulkId: `u${n}`,
      data: userOf(email),
    }));
    const { body } = await directory.call('POST', '/Bulk', { schemas: [BULK], Operations });
    const made = body['Operations'] as { status: string; location: string }[];
    expect(made.map(({ status }) => status)).toEqual(Array<string>(INVITATIONS).fill('201'));
    const ids = made.map(({ location }) => location.slice(location.lastIndexOf('/') + 1));
    const waits = { state: 'pending', reason: 'invitation-waits' };
    const invited = { state: 'pending', reason: 'unverified-domain' };
    expect(await Promise.all(ids.map((id) => stateOf(directory, id)))).toEqual([
      ...Array<object>(MAILS).fill(invited),
      ...Array<object>(INVITATIONS - MAILS).fill(waits),
    ]);
    expect(itemsOf(await organization.call('GET', '/invitations'))).toHaveLength(MAILS);
    await runJob('send_waiting_invitations');
    expect(await stateOf(directory, ids[MAILS]!)).toEqual(waits);
    await passDay(organization.id);
    await runJob('send_waiting_invitations');
    for (const email of emails.slice(MAILS)) await app.mails(email);
    await eventually('no record waits', async () =>
      (await Promise.all(ids.map((id) => stateOf(directory, id)))).every(
        ({ reason }) => reason === 'unverified-domain',
      ),
    );
  });
});

describe('Open invitations', () => {
  it('end at their maximum, also at once, and at a resend of an expired one', async () => {
    const organization = await Organization.found(app);
    const domain = `${organization.id.toLowerCase()}.example`;
    await verifyDomain(organization, domain);
    const inside = (n: number) => invite(organization, `person-${n}@${domain}`);
    const answers = await atOnce(...times(INVITATIONS + 2, inside));
    expect(statusesOf(answers)).toEqual([...Array<number>(INVITATIONS).fill(201), 409, 409]);
    const refused = await inside(100);
    expect(refused.body).toMatchObject({
      type: '/errors/conflict',
      detail: `Your organization has ${INVITATIONS} open invitations, the maximum. Revoke some, wait until some are accepted, or ask the operators of this service for more.`,
    });
    const [first, second] = answers.filter(({ status }) => status === 201);
    const path = `/invitations/${String(first!.body['id'])}`;
    expect((await organization.call('POST', `${path}/resend`)).status).toBe(202);
    await app.sql("UPDATE invitations SET expires_at = now() - interval '1 hour' WHERE id = $1", [
      first!.body['id'],
    ]);
    expect((await inside(101)).status).toBe(201);
    expect((await organization.call('POST', `${path}/resend`)).status).toBe(409);
    await organization.call('DELETE', `/invitations/${String(second!.body['id'])}`);
    expect((await organization.call('POST', `${path}/resend`)).status).toBe(202);
    expect((await inside(102)).status).toBe(409);
    await app.sql('UPDATE invitations SET accepted_at = now() WHERE id = $1', [first!.body['id']]);
    expect((await inside(102)).status).toBe(201);
  });

  it('are counted by one at a time', async () => {
    const { id } = await Organization.found(app);
    const isCounted = async () => {
      const [row] = await app.sql<{ isFree: boolean }>(
        'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS "isFree"',
        [`invitations ${id}`],
      );
      return !row!.isFree;
    };
    expect(await isCounted()).toBe(false);
    const during = await app.app.get(Database, { strict: false }).transaction(async () => {
      await limits().hasTooManyInvitations(id as TenantId);
      return isCounted();
    });
    expect(during).toBe(true);
  });

  it('that a directory sends wait beyond their maximum', async () => {
    const organization = await Organization.found(app);
    const directory = await ScimDirectory.create(organization);
    await setLimits(organization, { openInvitations: 1 });
    expect(await countLeft(organization)).toBe(1);
    const ids = [];
    for (let n = 0; n < 2; n += 1) {
      const { body } = await directory.call('POST', '/Users', userOf(stranger()));
      ids.push(String(body['id']));
    }
    expect(await Promise.all(ids.map((id) => stateOf(directory, id)))).toEqual([
      { state: 'pending', reason: 'unverified-domain' },
      { state: 'pending', reason: 'invitation-waits' },
    ]);
    expect(await countLeft(organization)).toBe(0);
  });
});

it('An organization can send what is left of its mails and its open invitations', async () => {
  const organization = await Organization.found(app);
  expect(await countLeft(organization)).toBe(MAILS);
  await invite(organization);
  expect(await countLeft(organization)).toBe(MAILS - 1);
  await setLimits(organization, { openInvitations: 2 });
  expect(await countLeft(organization)).toBe(1);
});

it('A mail that its recipient does not get counts for no sender', async () => {
  const { id } = await Organization.found(app);
  const budget = {
    kind: 'invitation',
    mails: 1,
    periodSeconds: 3_600,
    sender: { kind: 'mails', holder: id, mails: MAILS },
  };
  const to = { email: stranger(), locale: 'en' };
  const send = () =>
    app.app
      .get(Outbox, { strict: false })
      .trySend(to, { usefulForSeconds: 3_600, budget }, () => ({ subject: 'One', paragraphs: ['One'] }));
  expect(await send()).toBe('sent');
  expect(await send()).toBe('recipient-limited');
  expect(await mailedTo('mails', id)).toBe(1);
});

it('A person creates so many organizations a day, also at once (F7)', async () => {
  const person = await Person.signUp(app);
  const create = () => app.call('POST', '/api/v1/iam/tenants', { name: 'Acme' }, { token: person.token });
  const answers = await atOnce(...times(ORGANIZATIONS + 2, create));
  expect(statusesOf(answers)).toEqual([...Array<number>(ORGANIZATIONS).fill(201), 429, 429]);
  const refused = answers.find(({ status }) => status === 429)!;
  expect(refused.body).toMatchObject({
    detail: `You can create ${ORGANIZATIONS} organizations a day. Try again tomorrow.`,
  });
  await passDay(person.id);
  expect((await create()).status).toBe(201);
});

it('A person mails twenty addresses a day by changes of their address (F7)', async () => {
  const person = await Person.signUp(app);
  const change = () =>
    app.call('PUT', '/api/v1/iam/me/email', { email: stranger() }, { token: person.token });
  for (let n = 0; n < 20; n += 1) expect((await change()).status).toBe(202);
  expect(await change()).toMatchObject({
    status: 429,
    body: { detail: 'You can ask for 20 changes of your address a day. Try again tomorrow.' },
  });
});

it('One mailbox gets twelve mails an hour that one network causes, of whatever kind (F7)', async () => {
  const victim = stranger();
  const network = new Map<string, number>();
  const note = (what: string, count: number) => network.set(what, (network.get(what) ?? 0) + count);
  for (let n = 0; n < 5; n += 1) {
    const organization = await Organization.found(app);
    for (const answer of [await invite(organization, victim), await link(organization, victim)])
      note(String(answer.status), 1);
  }
  for (let n = 0; n < 10; n += 1)
    await app.post('register', { email: victim, password: `quiet-harbour-${n}`, firstName: 'Ada' });
  await eventually('the jobs of the registrations have run', async () => {
    const [left] = await app.sql<{ count: number }>(
      "SELECT count(*)::int AS count FROM graphile_worker.jobs WHERE task_identifier LIKE 'iam.%'",
    );
    return left!.count === 0;
  });
  const [sent] = await app.sql<{ count: number }>(
    'SELECT count(*)::int AS count FROM outgoing_mails WHERE unsolicited AND recipient_key IN (SELECT recipient_key FROM outgoing_mails GROUP BY recipient_key ORDER BY count(*) DESC LIMIT 1)',
  );
  expect(sent!.count).toBe(12);
  expect(network.get('201')).toBe(10);
});

describe('Operators', () => {
  const OPERATOR = '/api/v1/operator/tenants';
  let token: string;
  beforeAll(async () => {
    const person = await Person.signUp(app);
    await app.app.get(OperatorService, { strict: false }).grant(person.email, 'admin');
    token = byTwoFactors(app, person.token);
  });
  const set = (id: string, body: object, as = token) =>
    app.call('PUT', `${OPERATOR}/${id}/limits`, body, { token: as });

  it('raise and lower the limits of an organization, and its trail says so', async () => {
    const organization = await Organization.found(app);
    await atOnce(...times(MAILS, () => invite(organization)));
    expect((await invite(organization)).status).toBe(429);
    expect((await set(organization.id, { mailsPerDay: 4 })).body).toEqual({
      mailsPerDay: 4,
      openInvitations: INVITATIONS,
      set: { mailsPerDay: 4, openInvitations: null },
      mailsToday: MAILS,
    });
    expect(statusesOf(await atOnce(...times(2, () => invite(organization))))).toEqual([201, 429]);
    const none = { mailsPerDay: 4, openInvitations: 0 };
    expect((await set(organization.id, none)).body).toMatchObject(none);
    const domain = `${organization.id.toLowerCase()}.example`;
    await verifyDomain(organization, domain);
    expect((await invite(organization, `ada@${domain}`)).status).toBe(409);
    expect((await app.get(`${OPERATOR}/${organization.id}`, token)).body).toMatchObject({
      limits: { openInvitations: 0 },
    });
    // What is left out is as for every organization.
    expect((await set(organization.id, {})).body).toMatchObject({
      mailsPerDay: MAILS,
      openInvitations: INVITATIONS,
    });
    const trail = itemsOf<{ action: string }>(
      await organization.call('GET', '/audit-events?action=operator.limits-changed'),
    );
    expect(trail).toHaveLength(3);
    expect((await set(organization.id, { mailsPerDay: -1 })).status).toBe(400);
    expect((await set(organization.id, { mailsPerDay: 9 }, organization.owner.token)).status).toBe(403);
  });

  it('set them by the command line', async () => {
    const organization = await Organization.found(app);
    const command = (...words: string[]) =>
      app.command('organization:set-limits', '--organization', organization.id, ...words);
    expect(await command('--mails-per-day', '7')).toMatchObject({
      mailsPerDay: 7,
      openInvitations: INVITATIONS,
    });
    expect(await command('--open-invitations', '2')).toMatchObject({ mailsPerDay: 7, openInvitations: 2 });
    expect(await command('--mails-per-day', 'default')).toMatchObject({
      mailsPerDay: MAILS,
      openInvitations: 2,
    });
    await expect(command('--mails-per-day', 'many')).rejects.toThrow('mails-per-day');
  });
});

it('Uses of former days are removed', async () => {
  await app.sql("INSERT INTO daily_uses VALUES ('test', 'one', current_date - 2, 5)");
  await runJob('housekeeping');
  await eventually('they are gone', async () => {
    return (await app.sql("SELECT 1 FROM daily_uses WHERE kind = 'test'")).length === 0;
  });
});
