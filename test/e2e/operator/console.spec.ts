import { ulid } from 'ulid';
import { OperatorService } from '../../../src/iam/index.js';
import type { OperatorRole } from '../../../src/kernel/index.js';
import { byTwoFactors } from '../../support/factors.js';
import { Organization, Person } from '../../support/organization.js';
import { readWhole, statementsOf } from '../../support/plans.js';
import { verifyDomain } from '../../support/scim-directory.js';
import { eventually, itemsOf, withApp } from '../../support/test-app.js';

const OPERATOR = '/api/v1/operator';
const MANY = 20_000;
/** Tables that are short, however many people there are. */
const SMALL = ['operators', '_private_jobs', '_private_tasks', '_private_job_queues'];

interface Operator {
  readonly id: string;
  readonly token: string;
}
interface Event {
  readonly action: string;
  readonly actorId: string;
}
interface Job {
  readonly id: string;
  readonly task: string;
  readonly lastError: string | null;
}

describe('In their console, operators', () => {
  let admin: Operator;
  let support: Operator;
  let organization: Organization;
  const app = withApp();
  beforeAll(async () => {
    admin = await operator('admin');
    support = await operator('support');
    organization = await Organization.found(app);
  });

  const operator = async (role: OperatorRole): Promise<Operator> => {
    const person = await Person.signUp(app);
    await app.app.get(OperatorService, { strict: false }).grant(person.email, role);
    return { id: person.id, token: byTwoFactors(app, person.token) };
  };
  const get = (path: string, { token } = support) => app.get(`${OPERATOR}/${path}`, token);
  const post = (path: string, { token } = admin) =>
    app.call('POST', `${OPERATOR}/${path}`, undefined, { token });
  const refused = { status: 403, body: { code: 'scope_not_held' } };

  it('find organizations by id, slug, domain and any part of the name, and see who owns one', async () => {
    const { id, owner } = organization;
    await organization.call('PATCH', '', { slug: 'analytical-engines' });
    await verifyDomain(organization, 'ada.example');
    const other = await Organization.found(app);
    const find = async (query: string) =>
      itemsOf<{ id: string }>(await get(`tenants?query=${encodeURIComponent(query)}`)).map(
        (found) => found.id,
      );
    for (const query of ['LOVELACE', 'lace log', 'Lögis', 'lo'])
      expect(await find(query)).toContain(other.id);
    for (const query of [id, 'cal-ENG', 'ada.example', '@Ada.Example'])
      expect(await find(query)).toEqual([id]);
    for (const query of ['no-such-name', 'da.example', '%ace', '_ovelace'])
      expect(await find(query)).toEqual([]);
    await organization.call('PATCH', '', { name: 'Difference Ltd' });
    expect(await find('ference')).toEqual([id]);
    expect(itemsOf<{ id: string }>(await get('tenants')).map((found) => found.id)).toContain(id);
    expect((await get(`tenants/${id}`)).body).toMatchObject({
      id,
      status: 'active',
      members: 1,
      supportAccess: 'never',
      deletesAt: null,
      owners: [{ userId: owner.person.id, email: owner.person.email }],
    });
    expect((await app.get(`${OPERATOR}/tenants/${id}`, owner.person.token)).status).toBe(403);
  });

  it('learn that the organization of a cursor was deleted, and not that the list has ended', async () => {
    await app.sql(
      "INSERT INTO tenants (id, name) SELECT '01DX' || lpad(n::text, 22, '0'), 'Qq' FROM generate_series(1, 3) n",
    );
    const first = await get('tenants?query=qq&limit=1');
    expect(itemsOf(first)).toHaveLength(1);
    const further = `tenants?query=qq&cursor=${String(first.body['nextCursor'])}`;
    expect(itemsOf(await get(further))).toHaveLength(2);
    await app.sql("DELETE FROM tenants WHERE id = '01DX' || lpad('1', 22, '0')");
    expect(await get(further)).toMatchObject({
      status: 400,
      body: { violations: [{ propertyPath: 'cursor' }] },
    });
  });

  it('archive and restore organizations, whose trail names the operator', async () => {
    const { id } = await Organization.found(app);
    expect(await post(`tenants/${id}/archive`, support)).toMatchObject(refused);
    expect(await post(`tenants/${id}/restore`)).toMatchObject({
      status: 403,
      body: { code: 'state_forbids' },
    });
    expect((await post(`tenants/${id}/archive`)).status).toBe(204);
    expect((await get(`tenants/${id}`)).body).toMatchObject({ status: 'archived' });
    expect(await post(`tenants/${id}/archive`)).toMatchObject({
      status: 403,
      body: { code: 'state_forbids' },
    });
    expect((await post(`tenants/${id}/restore`)).status).toBe(204);
    const events = itemsOf<Event>(await get(`audit-events?tenantId=${id}&actorId=${admin.id}`));
    expect(events.map(({ action }) => action)).toEqual(['tenant.restored', 'tenant.archived']);
  });

  it('export what is kept about an organization, without secrets and other organizations', async () => {
    const [one, other] = [await Organization.found(app), await Organization.found(app)];
    expect(await get(`tenants/${one.id}/export`)).toMatchObject(refused);
    const { body } = await get(`tenants/${one.id}/export`, admin);
    const parts = body['parts'] as unknown as { name: string; items: Record<string, unknown>[] }[];
    const part = (name: string) => parts.find((found) => found.name === name)?.items;
    expect(part('organization')).toMatchObject([{ id: one.id }]);
    expect(part('members')).toMatchObject([{ email: one.owner.person.email, roles: ['owner'] }]);
    expect(part('events')?.map(({ action }) => action)).toContain('tenant.created');
    for (const foreign of [other.id, other.owner.person.id])
      expect(JSON.stringify(parts)).not.toContain(foreign);
    expect((await get(`tenants/01BX${'0'.repeat(22)}/export`, admin)).status).toBe(404);
    const trail = itemsOf<Event>(
      await one.call('GET', '/audit-events?action=operator.organization-exported'),
    );
    expect(trail).toMatchObject([{ actorId: admin.id, tenantId: one.id }]);
  });

  it('export roles on things, registered things, partnerships, requests, workers and stations', async () => {
    const [host, partner] = [await Organization.found(app), await Organization.found(app)];
    const { person } = await partner.join('member');
    const depot = `gatehouse:///freight/depots/${ulid()}`;
    const order = `freight/orders/${ulid()}`;
    await host.call('POST', '/roles', { key: 'driver', name: 'Driver', scopes: [] });
    const keeper = await host.join('member');
    await host.call('PUT', `/things/${order}`, { parents: [depot], name: 'Order 4711' });
    await host.call('POST', `/members/${keeper.person.id}/assignments`, { role: 'driver', on: depot });
    const request = { role: 'driver', hours: 1, reason: 'Night shift' };
    await host.call('POST', '/access-requests', request, keeper.token);
    const offer = { email: partner.owner.person.email, roles: ['driver'], on: [depot] };
    const { id } = (await host.call('POST', '/partnerships', offer)).body;
    await partner.call('POST', `/partner-access/${String(id)}/accept`);
    await partner.call('PUT', `/partner-access/${String(id)}/people/${person.id}`, { roles: ['driver'] });
    await app.sql(
      `INSERT INTO workers (tenant_id, user_id, number, number_key) VALUES ($1, $2, 'K-7', 'k-7')`,
      [host.id, keeper.person.id],
    );
    await host.call('POST', '/stations', { name: 'Gate 3' });
    const exported = async (of: Organization) => {
      const { body } = await get(`tenants/${of.id}/export`, admin);
      const parts = body['parts'] as unknown as { name: string; items: object[] }[];
      return Object.fromEntries(parts.map(({ name, items }) => [name, items]));
    };
    const ofHost = await exported(host);
    expect(ofHost).toMatchObject({
      assignments: [{ userId: keeper.person.id, role: 'driver', on: depot.slice('gatehouse:///'.length) }],
      accessRequests: [{ userId: keeper.person.id, role: 'driver', hours: 1, status: 'pending' }],
      things: [{ thing: order, name: 'Order 4711', parents: [depot.slice('gatehouse:///'.length)] }],
      partnerships: [{ id, partnerId: partner.id, status: 'active', people: [person.id] }],
      partnerAccess: [],
      workers: [{ userId: keeper.person.id, number: 'K-7' }],
      stations: [{ name: 'Gate 3', status: 'pending' }],
    });
    expect(JSON.stringify([ofHost['workers'], ofHost['stations']])).not.toMatch(/hash|pin|jwk/i);
    expect(await exported(partner)).toMatchObject({
      partnerships: [],
      partnerAccess: [{ id, hostId: host.id, status: 'active', people: [person.id] }],
    });
  });

  it('read the trail of everything, by filters', async () => {
    const { id, owner } = organization;
    const actions = async (query: string) =>
      itemsOf<Event>(await get(`audit-events?${query}`)).map(({ action }) => action);
    expect(await actions(`subject=iam/tenants/${id}`)).toContain('tenant.created');
    expect(await actions(`actorId=${owner.person.id}&action=tenant.created`)).toEqual(['tenant.created']);
    expect(await actions('limit=1')).toHaveLength(1);
    expect(await actions(`tenantId=${id}&from=2100-01-01T00:00:00Z`)).toEqual([]);
    expect(await get('audit-events?action=tenant.created')).toMatchObject({
      status: 400,
      body: { violations: [{ propertyPath: 'action' }] },
    });
    expect((await app.get(`${OPERATOR}/audit-events`, owner.person.token)).status).toBe(403);
  });

  it('see failed jobs, and run them again', async () => {
    await app.sql("SELECT graphile_worker.add_job('no.such-task', '{}', max_attempts := 1)");
    await app.sql(
      "UPDATE graphile_worker._private_jobs SET attempts = 1, last_error = 'no.such-task failed: Error' WHERE task_id = (SELECT id FROM graphile_worker._private_tasks WHERE identifier = 'no.such-task')",
    );
    const failed = itemsOf<Job>(await get('jobs?state=failed'));
    expect(failed).toMatchObject([{ task: 'no.such-task', attempts: 1, maxAttempts: 1 }]);
    const { id } = failed[0]!;
    expect(await post(`jobs/${id}/retry`, support)).toMatchObject(refused);
    expect((await post(`jobs/${id}/retry`)).status).toBe(204);
    await eventually('all attempts are left', async () => {
      const [job] = await app.sql<{ attempts: number }>(
        'SELECT attempts FROM graphile_worker.jobs WHERE id = $1',
        [id],
      );
      return job?.attempts === 0;
    });
    expect((await post('jobs/999999999/retry')).status).toBe(404);
    expect((await post('jobs/1;/retry')).status).toBe(404);
  });

  it('read by indexes, however much there is', async () => {
    const id = `('01BX' || lpad(n::text, 22, '0'))`;
    // Fills every partition, also the last: PostgreSQL scans an empty table whatever its indexes.
    const monthly = `(left(first_id_at(now() + make_interval(months => n % 6)), 10) || lpad(n::text, 16, '0'))`;
    const at = new Date().toISOString();
    const failures = JSON.stringify({ count: 1, firstAt: at, lastAt: at, network: null, ended: true });
    await app.sql(
      `SET session_replication_role = replica;
       INSERT INTO accounts (id) SELECT ${id} FROM generate_series(1, ${MANY}) n;
       INSERT INTO sessions (id, account_id, amr, expires_at) SELECT ${id}, ${id}, '{pwd}', now() + interval '1 day' FROM generate_series(1, ${MANY}) n;
       INSERT INTO roles (tenant_id, id, key, name, scopes, built_in) SELECT ${id}, ${id}, 'owner', 'Owner', '{}', true FROM generate_series(1, ${MANY}) n;
       INSERT INTO members (tenant_id, user_id) SELECT ${id}, ${id} FROM generate_series(1, ${MANY}) n;
       INSERT INTO member_roles (tenant_id, user_id, role_id) SELECT ${id}, ${id}, ${id} FROM generate_series(1, ${MANY}) n;
       RESET session_replication_role;
       INSERT INTO tenants (id, name) SELECT ${id}, 'Company ' || n FROM generate_series(1, ${MANY}) n;
       INSERT INTO tenant_domains (tenant_id, id, domain, token, status) SELECT ${id}, ${id}, n || '.example', '', 'verified' FROM generate_series(1, ${MANY}) n;
       INSERT INTO tenant_limits (tenant_id, mails_per_day) SELECT ${id}, 100 FROM generate_series(1, ${MANY}) n;
       INSERT INTO daily_uses (kind, holder, day, used) SELECT 'mails', ${id}, current_date, 1 FROM generate_series(1, ${MANY}) n;
       INSERT INTO audit_events (id, account_id, action, subject) SELECT ${id}, ${id}, 'session.started', 'iam/sessions/' || ${id} FROM generate_series(1, ${MANY}) n;
       INSERT INTO audit_events (id, account_id, action, subject) SELECT ${monthly}, ${id}, 'session.started', 'iam/sessions/' || ${id} FROM generate_series(1, ${MANY}) n;
       INSERT INTO audit_details (event_id, account_id, details) SELECT ${monthly}, ${id}, '${failures}' FROM generate_series(1, ${MANY}) n;
       ANALYZE`,
    );
    const cursor = Buffer.from(`01BX${'5000'.padStart(22, '0')}`).toString('base64url');
    const some = `01BX${'7'.padStart(22, '0')}`;
    const paths = [
      'tenants',
      `tenants?query=${some}`,
      'tenants?query=company%2077',
      'tenants?query=co',
      `tenants/${organization.id}`,
      'audit-events',
      `audit-events?actorId=${some}`,
      `audit-events?subject=iam/sessions/${some}&action=session.started`,
      `audit-events?tenantId=${organization.id}`,
      'audit-events?from=2020-01-01T00:00:00Z',
    ];
    const further = paths
      .filter((path) => !path.startsWith('tenants/'))
      .map((path) => `${path}${path.includes('?') ? '&' : '?'}limit=20&cursor=${cursor}`);
    for (const path of [...paths, ...further]) {
      const statements = await statementsOf(() => get(path));
      const whole = (await readWhole(app, statements)).map(({ table }) => table);
      expect([path, whole.filter((table) => !SMALL.includes(table))]).toEqual([path, []]);
    }
  });
});
