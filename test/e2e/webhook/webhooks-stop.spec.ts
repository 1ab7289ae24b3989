import { randomBytes } from 'node:crypto';
import { CallerScopes } from '../../../src/ability/index.js';
import type { OperatorRole } from '../../../src/kernel/index.js';
import { OperatorService } from '../../../src/iam/index.js';
import { signedInAgo } from '../../support/aged.js';
import { Organization, Person } from '../../support/organization.js';
import { signUpOperator } from '../../support/satellite.js';
import { PLATFORM_WEBHOOKS, type Subscriber, WEBHOOKS, withSubscriber } from '../../support/subscriber.js';
import { eventually, itemsOf, type TestApp } from '../../support/test-app.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';

describe('A subscription', () => {
  let app: TestApp;
  let organization: Organization;
  let receiver: WebhookReceiver;
  let subscriber: Subscriber;
  withSubscriber(
    (started) => {
      subscriber = started;
      ({ app, organization, receiver } = started);
    },
    { ROOT_SECRET: randomBytes(32).toString('base64') },
  );

  const call = (method: string, path: string, body?: unknown, token = organization.owner.token) =>
    app.call(method, path, body, { token });
  const subscribe = async (changes?: object, token?: string, base?: string) =>
    (await subscriber.subscribe(changes, { token, base })).id;
  const read = (id: string) => subscriber.read(id);
  const stateOf = async (id: string) =>
    (
      await app.sql<{ status: string; reason: string | null }>(
        'SELECT status, reason FROM webhook_endpoints WHERE id = $1',
        [id],
      )
    )[0];
  const isStopped = async (id: string) => (await stateOf(id))?.reason === 'scope-lost';
  const createRole = async (key: string): Promise<string> =>
    String((await organization.call('POST', '/roles', { key, name: 'Clerk', scopes: [] })).body['id']);
  const deliveries = (id: string) => subscriber.deliveries(id);

  it.each<[string, (person: Person) => Promise<unknown>]>([
    ['is erased', ({ token }) => app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token })],
    ['loses the roles', ({ id }) => organization.call('PATCH', `/members/${id}`, { roles: ['member'] })],
    ['is removed', ({ id }) => organization.call('DELETE', `/members/${id}`)],
  ])('stops when its creator %s, and delivers nothing after', async (_, leave) => {
    const admin = await organization.join('admin');
    const id = await subscribe({ types: ['iam.invitation.*', 'iam.role.*'] }, admin.token);
    await leave(admin.person);
    await createRole('after');
    await eventually('it is stopped', () => isStopped(id));
    expect(receiver.received).toEqual([]);
  });

  it.each<[string, (path: string) => Promise<unknown>]>([
    ['is disabled', (path) => organization.call('POST', `${path}/disable`)],
    ['is deleted', (path) => organization.call('DELETE', path)],
    ['loses the roles', (path) => organization.call('PATCH', path, { roles: ['member'] })],
  ])('stops when the service account that created it %s, and delivers nothing after', async (_, end) => {
    const account = { name: 'Hooks', roles: ['admin'] };
    const { id: accountId } = (await organization.call('POST', '/service-accounts', account)).body;
    const path = `/service-accounts/${String(accountId)}`;
    const { key } = (await organization.call('POST', `${path}/keys`, { name: 'Nightly' })).body;
    const id = await subscribe({ types: ['iam.invitation.*', 'iam.role.*'] }, String(key));
    await end(path);
    await createRole('after');
    await eventually('it is stopped', () => isStopped(id));
    expect(receiver.received).toEqual([]);
  });

  it('stops by its review, also where a cache does not know yet what has changed', async () => {
    const account = { name: 'Hooks', roles: ['admin'] };
    const { id: accountId } = (await organization.call('POST', '/service-accounts', account)).body;
    const path = `/service-accounts/${String(accountId)}`;
    const { key } = (await organization.call('POST', `${path}/keys`, { name: 'Nightly' })).body;
    const id = await subscribe({}, String(key));
    const cached = jest.spyOn(CallerScopes.prototype, 'findScopesOf').mockResolvedValue(() => true);
    await organization.call('POST', `${path}/disable`);
    await eventually('it is stopped', () => isStopped(id));
    cached.mockRestore();
  });

  it('stops when the role of its creator loses the scope', async () => {
    const scopes = ['webhooks:subscription:create', 'iam:role:read', 'iam:member:read'];
    const role = await organization.call('POST', '/roles', { key: 'hooks', name: 'Hooks', scopes });
    const { token } = await organization.join('hooks');
    const id = await subscribe({}, token);
    await organization.call('PATCH', `/roles/${String(role.body['id'])}`, { scopes: scopes.slice(0, 1) });
    await eventually('it is stopped', () => isStopped(id));
    expect(receiver.received).toEqual([]);
  });

  it('is kept by a test of a type that its creator may not read, but the caller may', async () => {
    const scopes = ['webhooks:subscription:create', 'iam:role:read'];
    await organization.call('POST', '/roles', { key: 'hooks', name: 'Hooks', scopes });
    const { token } = await organization.join('hooks');
    const id = await subscribe({}, token);
    const test = (type: string, by?: string) =>
      call('POST', `${WEBHOOKS}/subscriptions/${id}/test`, { type }, by);
    expect((await test('iam.invitation.created')).status).toBe(202);
    await receiver.waitFor('iam.invitation.created');
    await createRole('after');
    await receiver.waitFor('iam.role.created');
    expect(await stateOf(id)).toEqual({ status: 'active', reason: null });
    await organization.call('POST', '/roles', {
      key: 'tester',
      name: 'Tester',
      scopes: ['webhooks:subscription:test'],
    });
    const tester = await organization.join('tester');
    expect((await test('iam.role.created', tester.token)).status).toBe(400);
  });

  it('that another person takes over for fewer types sends nothing of the others, and goes on', async () => {
    receiver.answerWith(500);
    const id = await subscribe({ types: ['iam.invitation.*', 'iam.role.*'] });
    await organization.call('POST', '/invitations', { email: 'late@example.com', roles: ['member'] });
    await receiver.waitFor('iam.invitation.created');
    const scopes = ['webhooks:subscription:update', 'iam:role:read'];
    await organization.call('POST', '/roles', { key: 'hooks', name: 'Hooks', scopes });
    const { token } = await organization.join('hooks');
    const other = await WebhookReceiver.start();
    const changes = { url: other.url, types: ['iam.role.*'] };
    expect((await call('PATCH', `${WEBHOOKS}/subscriptions/${id}`, changes, token)).status).toBe(200);
    await app.sql("UPDATE webhook_deliveries SET due_at = now() WHERE endpoint_id = $1 AND state = 'due'", [
      id,
    ]);
    const invitation = async () =>
      (await deliveries(id)).find(({ type }) => type === 'iam.invitation.created') ?? {};
    await eventually('it is given up', async () => (await invitation())['state'] === 'dead');
    expect((await invitation())['lastError']).toBe('scope-lost');
    await createRole('after');
    await eventually('the subscription goes on', () =>
      other.received.some(({ body }) => body.type === 'iam.role.created'),
    );
    expect(other.ofType('iam.invitation.created')).toEqual([]);
    expect((await stateOf(id))?.reason).toBeNull();
    await other.stop();
  });

  it('is kept, and delivers nothing, of a type that only another release knows', async () => {
    const id = await subscribe({ ordering: 'none' });
    await app.sql(
      "INSERT INTO events (id, type, tenant_ids, subject, data) VALUES ($1, 'iam.role.unheard-of', ARRAY[$2], 'iam/roles/1', '{}')",
      ['01K3V9D7Q8Z4X5N6M7P8R9S0B1', organization.id],
    );
    const later = async () =>
      (
        await app.sql<{ isLater: boolean }>(
          `SELECT state = 'due' AND due_at > now() + interval '50 seconds' AS "isLater" FROM webhook_deliveries WHERE endpoint_id = $1`,
          [id],
        )
      )[0]?.isLater;
    await eventually('it is left to that release', async () => (await later()) === true);
    await createRole('after');
    await receiver.waitFor('iam.role.created');
    expect(receiver.received).toHaveLength(1);
    expect(await stateOf(id)).toEqual({ status: 'active', reason: null });
  });

  it('is changed in what it receives by a caller who may read that, and who is its creator then', async () => {
    const id = await subscribe({ enabled: false });
    const path = `${WEBHOOKS}/subscriptions/${id}`;
    const creator = async () =>
      (await app.sql<{ by: string }>('SELECT created_by AS by FROM webhook_endpoints WHERE id = $1', [id]))[0]
        ?.by;
    const join = async (key: string, ...scopes: string[]) => {
      await organization.call('POST', '/roles', { key, name: key, scopes });
      return organization.join(key);
    };
    const blind = await join('blind', 'webhooks:subscription:update');
    const reader = await join('reader', 'webhooks:subscription:update', 'iam:role:read');
    const changes = [
      { url: receiver.url },
      { types: ['iam.role.created'] },
      { includePersonalData: true },
      { enabled: true },
    ];
    for (const change of changes)
      expect([change, (await call('PATCH', path, change, blind.token)).status]).toEqual([change, 400]);
    for (const change of [{ description: 'Ours' }, { includePersonalData: false }, { enabled: false }])
      expect([change, (await call('PATCH', path, change, blind.token)).status]).toEqual([change, 200]);
    expect(await creator()).toBe(organization.owner.person.id);
    for (const change of changes) {
      expect((await call('PATCH', path, change, reader.token)).status).toBe(200);
      expect([change, await creator()]).toEqual([change, reader.person.id]);
      await app.sql('UPDATE webhook_endpoints SET created_by = $2 WHERE id = $1', [
        id,
        organization.owner.person.id,
      ]);
    }
  });

  it('is kept by a review of a creator who may still read', async () => {
    const admin = await organization.join('admin');
    const id = await subscribe({}, admin.token);
    const { person } = await organization.join('member');
    await organization.call('DELETE', `/members/${person.id}`);
    await createRole('after');
    await receiver.waitFor('iam.role.created');
    expect(await stateOf(id)).toEqual({ status: 'active', reason: null });
  });

  it.each<[string, (person: Person) => Promise<unknown>]>([
    ['ceases as operator', ({ email }) => app.app.get(OperatorService, { strict: false }).revoke(email)],
    [
      'may no longer read it',
      ({ email }) =>
        app.app.get(OperatorService, { strict: false }).grant(email, 'admin', ['platform:person:read']),
    ],
  ])('of the platform stops when its creator %s', async (_, leave) => {
    const operator = await signUpOperator(app);
    const id = await subscribe({ types: ['iam.tenant.*'] }, operator.token, PLATFORM_WEBHOOKS);
    await leave(operator);
    await Organization.found(app);
    await eventually('it is stopped', () => isStopped(id));
    expect(receiver.received).toEqual([]);
  });

  it('that is disabled delivers nothing again, and takes no test', async () => {
    const id = await subscribe();
    await createRole('delivered');
    await eventually('it is delivered', async () => (await deliveries(id))[0]?.['state'] === 'delivered');
    const [delivery] = await deliveries(id);
    const again = async () =>
      (await call('POST', `${WEBHOOKS}/deliveries/${String(delivery?.['id'])}/redeliver`)).status;
    const test = async () => (await call('POST', `${WEBHOOKS}/subscriptions/${id}/test`, {})).status;
    const enable = (enabled: boolean) => call('PATCH', `${WEBHOOKS}/subscriptions/${id}`, { enabled });
    await enable(false);
    expect([await again(), await test()]).toEqual([409, 409]);
    expect((await deliveries(id)).map(({ state }) => state)).toEqual(['delivered']);
    await enable(true);
    expect([await again(), await test()]).toEqual([202, 202]);
  });

  it.each([
    [410, {}, 1],
    [500, { 'webhook-delivery': 'disable' }, 1],
    ['scope-lost', {}, 0],
    ['by-user', {}, 0],
  ])('that is disabled by %s %j mails the owners %d times', async (how, headers, mails) => {
    const admin = await organization.join('admin');
    const id = await subscribe({ types: ['iam.invitation.*', 'iam.role.*'] }, admin.token);
    const { email } = organization.owner.person;
    const ofWebhooks = async () =>
      (await app.mails(email)).filter((text) => text.includes('webhook was disabled')).length;
    if (typeof how === 'number') receiver.answerWith(how, headers as unknown as Record<string, string>);
    if (how === 'by-user') await call('PATCH', `${WEBHOOKS}/subscriptions/${id}`, { enabled: false });
    else if (how === 'scope-lost')
      await organization.call('PATCH', `/members/${admin.person.id}`, { roles: ['member'] });
    else await createRole('any');
    await eventually('it is disabled', async () => (await stateOf(id))?.status === 'disabled');
    await eventually('the mails are sent', async () => {
      const jobs = "graphile_worker.jobs WHERE task_identifier LIKE 'webhooks.%'";
      return (await app.sql(`SELECT 1 FROM ${jobs}`)).length === 0 && (await ofWebhooks()) === mails;
    });
  });

  describe.each<[string, string, (id: string) => Promise<unknown>]>([
    ['answers 410', 'gone', () => Promise.resolve(receiver.answerWith(410))],
    [
      'has failed for five days',
      'failing',
      (id) => {
        receiver.answerWith(500);
        return app.sql(
          "UPDATE webhook_endpoints SET failures = 500, status = 'failing', failing_since = now() - interval '5 days', probe_at = now() WHERE id = $1",
          [id],
        );
      },
    ],
  ])('that is disabled as its receiver %s', (_, reason, fail) => {
    const DISABLED = 'webhooks.subscription.disabled';
    const ofWebhooks = async ({ email }: Person) =>
      (await app.mails(email)).filter((text) => text.includes('webhook was disabled'));
    const feed = async (base: string, token: string) =>
      itemsOf<{ type: string; subject: string; data: object }>(
        await call('GET', `${base}/events?types=${DISABLED}&limit=100`, undefined, token),
      );
    const operator = async (role?: OperatorRole, scopes?: string[]): Promise<Person> => {
      const person = await Person.signUp(app);
      await app.app.get(OperatorService, { strict: false }).grant(person.email, role, scopes);
      return person;
    };
    let ofPlatform: WebhookReceiver;
    let ofOrganization: WebhookReceiver;
    beforeEach(async () => {
      ofPlatform = await WebhookReceiver.start();
      ofOrganization = await WebhookReceiver.start();
    });
    afterEach(() => Promise.all([ofPlatform.stop(), ofOrganization.stop()]));

    it('concerns the operators who may manage it, if it is of the platform', async () => {
      const admin = await operator();
      const manager = await operator('admin', ['webhooks:operator-webhook:manage']);
      const suspended = await operator();
      await app.sql('UPDATE accounts SET suspended_at = now() WHERE id = $1', [suspended.id]);
      const others = [
        await operator('admin', ['webhooks:operator-webhook:read', 'webhooks:operator-webhook:rotate']),
        await operator('support', ['webhooks:operator-webhook:read']),
        suspended,
        organization.owner.person,
      ];
      await subscribe({ url: ofOrganization.url, types: ['webhooks.*', 'iam.tenant.*'] });
      const other = { url: ofPlatform.url, types: ['webhooks.*'] };
      await subscribe(other, admin.token, PLATFORM_WEBHOOKS);
      const id = await subscribe({ types: ['iam.tenant.*'] }, admin.token, PLATFORM_WEBHOOKS);
      await fail(id);
      await organization.call('PATCH', '', { name: 'Renamed' });

      const [event] = await ofPlatform.waitFor(DISABLED);
      expect(event?.body).toMatchObject({
        tenantId: null,
        actor: null,
        subject: `webhooks/subscriptions/${id}`,
        data: { subscriptionId: id, reason },
      });
      const { body } = event ?? {};
      expect(await feed(PLATFORM_WEBHOOKS, admin.token)).toContainEqual(body);
      expect(await feed(WEBHOOKS, organization.owner.token)).toEqual([]);
      for (const person of [admin, manager])
        await eventually('the mail is sent', async () => (await ofWebhooks(person)).length === 1);
      await eventually('all mails are sent', async () => {
        const jobs =
          "graphile_worker.jobs WHERE task_identifier = 'mail.send' OR task_identifier LIKE 'webhooks.%'";
        return (await app.sql(`SELECT 1 FROM ${jobs}`)).length === 0;
      });
      for (const person of others) expect(await ofWebhooks(person)).toEqual([]);
      const [mail = ''] = await ofWebhooks(manager);
      expect(mail).toContain(`A webhook of the platform to ${new URL(receiver.url).host} was disabled.`);
      await ofOrganization.waitFor('iam.tenant.updated');
      expect(ofOrganization.ofType(DISABLED)).toEqual([]);
    });

    it('is the matter of its organization alone, if it is of one', async () => {
      const admin = await operator();
      const given = { url: ofPlatform.url, types: ['webhooks.*', 'iam.tenant.*'] };
      await subscribe(given, admin.token, PLATFORM_WEBHOOKS);
      await subscribe({ url: ofOrganization.url, types: ['webhooks.*'] });
      const id = await subscribe();
      await fail(id);
      await createRole('any');
      const [event] = await ofOrganization.waitFor(DISABLED);
      expect(event?.body).toMatchObject({ tenantId: organization.id, data: { subscriptionId: id, reason } });
      expect(await feed(WEBHOOKS, organization.owner.token)).toEqual([event?.body]);
      await organization.call('PATCH', '', { name: 'Renamed' });
      await ofPlatform.waitFor('iam.tenant.updated');
      expect(ofPlatform.ofType(DISABLED)).toEqual([]);
      const listed = await feed(PLATFORM_WEBHOOKS, admin.token);
      expect(listed.filter(({ subject }) => subject.endsWith(id))).toEqual([]);
      expect(await ofWebhooks(admin)).toEqual([]);
    });
  });

  it('that is disabled takes no replay', async () => {
    const id = await subscribe({ enabled: false });
    await createRole('missed');
    const since = new Date(Date.now() - 60_000).toISOString();
    const { status } = await call('POST', `${WEBHOOKS}/subscriptions/${id}/recover`, { since });
    expect(status).toBe(409);
    await app.sql(
      'UPDATE webhook_endpoints SET recover_after = 0, recover_from = now(), recover_at = now() WHERE id = $1',
      [id],
    );
    const other = await subscribe();
    await createRole('next');
    await eventually('the other gets it', async () => (await deliveries(other)).length > 0);
    expect(await deliveries(id)).toEqual([]);
  });

  it.each([
    ['an organization', WEBHOOKS],
    ['the platform', PLATFORM_WEBHOOKS],
  ])('of %s is changed by one of two requests that have read the same', async (_, base) => {
    const isPlatform = base === PLATFORM_WEBHOOKS;
    const token = isPlatform ? (await signUpOperator(app)).token : organization.owner.token;
    const id = await subscribe({ types: ['iam.tenant.*'] }, token, base);
    const path = `${base}/subscriptions/${id}`;
    for (let round = 0; round < 5; round += 1) {
      const etag = (await call('GET', path, undefined, token)).headers.get('etag') ?? '';
      const change = (description: string) =>
        app.call('PATCH', path, { description }, { token, headers: { 'if-match': etag } });
      const answers = await Promise.all([change(`one ${round}`), change(`two ${round}`)]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    }
  });

  it('of the platform gets a new secret after a recent sign-in only', async () => {
    const operator = await signUpOperator(app);
    const { token } = operator;
    const id = await subscribe({ types: ['iam.tenant.*'] }, token, PLATFORM_WEBHOOKS);
    const rotate = (by: string) =>
      call('POST', `${PLATFORM_WEBHOOKS}/subscriptions/${id}/rotate-secret`, undefined, by);
    expect((await rotate(token)).status).toBe(200);
    expect((await rotate((await signedInAgo(app, operator)).accessToken)).status).toBe(401);
  });

  it('that is deleted takes its deliveries with it', async () => {
    const id = await subscribe();
    await createRole('before');
    await eventually('it is delivered', async () => (await deliveries(id))[0]?.['state'] === 'delivered');
    const [delivery] = await deliveries(id);
    await call('DELETE', `${WEBHOOKS}/subscriptions/${id}`);
    const path = `${WEBHOOKS}/deliveries/${String(delivery?.['id'])}`;
    expect((await call('GET', path)).status).toBe(404);
    expect((await call('POST', `${path}/redeliver`)).status).toBe(404);
  });

  it('that was disabled while its organization was archived delivers again after both have ended', async () => {
    await app.sql("UPDATE webhook_endpoints SET status = 'disabled' WHERE tenant_id = ''");
    const id = await subscribe();
    await organization.call('POST', '/archive');
    await eventually('it is paused', async () => (await read(id))['status'] === 'paused');
    await app.sql("UPDATE webhook_endpoints SET status = 'disabled', reason = 'gone' WHERE id = $1", [id]);
    await organization.call('POST', '/restore');
    await call('PATCH', `${WEBHOOKS}/subscriptions/${id}`, { enabled: true });
    await createRole('after');
    await receiver.waitFor('iam.role.created');
  });

  it('gets the end of the sessions of a person who erases their account', async () => {
    await subscribe({ types: ['iam.session.*', 'iam.account.*'] });
    const member = await organization.join('member');
    await app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token: member.token });
    await receiver.waitFor('iam.account.erased');
    const ended = await receiver.waitFor('iam.session.ended');
    expect(ended[0]?.body.data['userId']).toBe(member.person.id);
    expect(ended[0]?.body.tenantId).toBe(organization.id);
  });
});
