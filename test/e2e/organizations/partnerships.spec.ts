import { randomBytes } from 'node:crypto';
import { Controller, Get, HttpCode, Module, Param, Post } from '@nestjs/common';
import { ulid } from 'ulid';
import {
  AbilityPolicy,
  AbilityRegistry,
  AbilityService,
  type Accessible,
  AbilitySubject,
  type EntityPolicy,
  HeldAnywhere,
  type LoadContext,
  RequireScopes,
  Scope,
} from '../../../src/ability/index.js';
import { AccessCache } from '../../../src/iam/organizations/members/access-cache.js';
import { AuditTrail, IamModule, MembershipDirectory } from '../../../src/iam/index.js';
import { isForPartners } from '../../../src/iam/organizations/partnerships/partner-scopes.js';
import { PartnershipCleanup } from '../../../src/iam/organizations/partnerships/partnership-cleanup.js';
import type { Principal, TenantId, UserId } from '../../../src/kernel/index.js';
import { ApiOkResponse } from '../../../src/platform/api/index.js';
import { Database } from '../../../src/platform/database/index.js';
import { Caller } from '../../../src/platform/web/index.js';
import { type Member, Organization, Person } from '../../support/organization.js';
import { startDeletion } from '../../support/deletion.js';
import { signUpOperator, TestSatellite } from '../../support/satellite.js';
import { statementsOf } from '../../support/plans.js';
import { eventually, itemsOf, TestApp, withApp } from '../../support/test-app.js';

interface Dock {
  readonly id: string;
  readonly tenantId: string;
  readonly depot: string | null;
}
const docks = new Map<string, Dock>();

@AbilityPolicy({
  module: 'harbour',
  entity: 'dock',
  collection: 'docks',
  title: 'role.built-in',
  parents: ({ depot }: Dock) => (depot === null ? [] : [`gatehouse:///harbour/docks/${depot}`]),
})
class DockPolicy implements EntityPolicy<Dock> {
  load(ids: readonly string[], { principal }: LoadContext): Promise<Map<string, Dock>> {
    const found = ids.flatMap((id) => docks.get(id) ?? []);
    const own = found.filter(({ tenantId }) => tenantId === principal.tenantId);
    return Promise.resolve(new Map(own.map((dock) => [dock.id, dock])));
  }

  async list(
    { limit, after }: { limit: number; after: string | null },
    accessible: Accessible,
    { principal }: LoadContext,
  ): Promise<string[]> {
    const ids = await below(accessible, principal);
    return ids.filter((id) => after === null || id > after).slice(0, limit);
  }

  @Scope('load', { title: 'role.built-in', roles: [] })
  loadShip(): true {
    return true;
  }
}

const below = async (accessible: Accessible, { tenantId }: Principal): Promise<string[]> => {
  const named = await accessible.idsOf('harbour', 'docks');
  const isBelow = ({ id, depot }: Dock): boolean =>
    accessible.isEverything || named.includes(id) || (depot !== null && isBelow(docks.get(depot)!));
  return [...docks.values()]
    .filter((dock) => dock.tenantId === tenantId && isBelow(dock))
    .map(({ id }) => id)
    .toSorted();
};

@Controller('api/v1/harbour/docks')
class DockController {
  constructor(
    private readonly abilities: AbilityService,
    private readonly audit: AuditTrail,
  ) {}

  @Get()
  @RequireScopes('harbour:dock:load')
  @HeldAnywhere()
  @ApiOkResponse({ schema: { type: 'object' } })
  async list(@Caller() caller: Principal): Promise<{ ids: string[] }> {
    return { ids: await below(await this.abilities.findAccessible(caller, 'harbour:dock:load'), caller) };
  }

  @Post(':id/load')
  @RequireScopes('harbour:dock:load')
  @AbilitySubject('id')
  @HttpCode(204)
  load(@Caller() { userId, tenantId }: Principal, @Param('id') id: string): Promise<void> {
    const subject = `harbour/docks/${id}`;
    return this.audit.record({ actorId: userId, tenantId: tenantId!, action: 'dock.loaded', subject });
  }
}

@Module({ imports: [IamModule], controllers: [DockController], providers: [DockPolicy] })
class HarbourModule {}

const LOAD = 'harbour:dock:load';
const uriOf = (id: string) => `gatehouse:///harbour/docks/${id}`;

describe('A partnership', () => {
  const ROOT_SECRET = randomBytes(32).toString('base64');
  let shipper: Organization;
  let carrier: Organization;
  let dispatcher: Member;
  let depot: string;
  let dock: string;
  let otherDock: string;
  const app = withApp({ ROOT_SECRET }, false, [HarbourModule]);
  beforeEach(async () => {
    shipper = await Organization.found(app);
    carrier = await Organization.found(app);
    await carrier.call('PATCH', '', { name: 'Bolt Carriers', slug: `bolt-${ulid().toLowerCase()}` });
    const place = (below: string | null): string => {
      const id = ulid();
      docks.set(id, { id, tenantId: shipper.id, depot: below });
      return id;
    };
    depot = place(null);
    dock = place(depot);
    otherDock = place(null);
    await shipper.call('POST', '/roles', {
      key: 'loader',
      name: 'Loader',
      scopes: [LOAD, 'iam:member:read'],
    });
    dispatcher = await carrier.join('member');
  });

  const slugOf = async ({ path, owner }: Organization) =>
    String((await app.get(path, owner.token)).body['slug']);
  const offer = async (more: object = {}, token?: string) =>
    shipper.call(
      'POST',
      '/partnerships',
      { tenantSlug: await slugOf(carrier), roles: ['loader'], ...more },
      token,
    );
  const offered = async (more: object = {}): Promise<string> => {
    const { status, body } = await offer(more);
    expect({ status, body }).toMatchObject({ status: 201, body: { status: 'offered' } });
    return String(body['id']);
  };
  const accept = (id: string, by = carrier, token?: string) =>
    by.call('POST', `/partner-access/${id}/accept`, undefined, token);
  const put = (id: string, body: object = {}, userId = dispatcher.person.id, token?: string) =>
    carrier.call('PUT', `/partner-access/${id}/people/${userId}`, { roles: ['loader'], ...body }, token);
  const started = async (more: object = {}): Promise<string> => {
    const id = await offered(more);
    expect(await accept(id)).toMatchObject({ status: 200, body: { status: 'active' } });
    return id;
  };
  /** Starts a partnership with the dispatcher on it. @returns the token for the shipper, too */
  const working = async (more: object = {}, body: object = {}) => {
    const id = await started(more);
    expect(await put(id, body)).toMatchObject({ status: 200 });
    return { id, token: await dispatcher.person.select(shipper.id) };
  };
  const load = (id: string, token: string) =>
    app.call('POST', `/api/v1/harbour/docks/${id}/load`, undefined, { token });
  const list = async (token: string) => {
    const { status, body } = await app.call('GET', '/api/v1/harbour/docks', undefined, { token });
    return status === 200 ? body['ids'] : status;
  };
  const search = async (token: string, id = dispatcher.person.id) => {
    const { body } = await app.call(
      'POST',
      '/access/v1/search/resource',
      { subject: { type: 'user', id }, action: { name: LOAD }, resource: { type: 'harbour/docks' } },
      { token },
    );
    return (body['results'] as unknown as { id: string }[] | undefined)?.map((one) => one.id).toSorted();
  };
  const can = async (token: string, scope = LOAD, more: object = {}) => {
    const { body } = await app.call('POST', '/api/auth/can', { scopes: [scope], ...more }, { token });
    return body[scope] as unknown as { allowed: boolean; code?: string };
  };
  /** Asks permission check, command, list and search about each dock; all must agree. */
  const allowedDocks = async (token: string): Promise<unknown> => {
    const allowed: string[] = [];
    for (const id of [depot, dock, otherDock]) {
      const verdict = await can(token, LOAD, { subject: uriOf(id) });
      expect((await load(id, token)).status).toBe(verdict.allowed ? 204 : 403);
      if (verdict.allowed) allowed.push(id);
    }
    if (allowed.length > 0) {
      expect(await list(token)).toEqual(allowed.toSorted());
      expect(await search(token)).toEqual(allowed.toSorted());
    }
    return allowed.toSorted();
  };
  const claimsOf = (token: string) =>
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
  const selecting = async ({ token }: Person, tenantId = shipper.id) =>
    (await app.post('select-tenant', { tenantId }, { token })).status;
  const trail = async (organization: Organization) =>
    itemsOf<{ action: string; subject: string; actorId: string; actorKind: string; subjectName: string }>(
      await organization.call('GET', '/audit-events'),
    ).filter(({ action }) => action.startsWith('partnership.'));

  it('lets a person of the partner work in the host, with the roles of the whole host', async () => {
    expect(await selecting(dispatcher.person)).toBe(403);
    const { id, token } = await working();
    expect(claimsOf(token)).toMatchObject({ tid: shipper.id, via: id });
    expect(await allowedDocks(token)).toEqual([depot, dock, otherDock].toSorted());
    expect(claimsOf(dispatcher.token)).not.toHaveProperty('via');
    const mine = itemsOf<{ id: string }>(await app.get('/api/v1/iam/me/tenants', dispatcher.person.token));
    expect(mine.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toMatchObject([
      { id: shipper.id, via: id, roles: ['loader'] },
      { id: carrier.id, roles: ['member'] },
    ]);
    expect(mine[1]).not.toHaveProperty('via');
  });

  it('keeps to its things and what is below them, in check, command, list and search', async () => {
    const { id, token } = await working({ on: [uriOf(depot)] });
    expect(await allowedDocks(token)).toEqual([depot, dock].toSorted());
    expect(await can(token)).toMatchObject({ allowed: false, code: 'scope_not_held' });
    expect(await can(token, LOAD, { anywhere: true })).toMatchObject({ allowed: true });
    expect(await can(token, LOAD, { subject: uriOf(dock), explain: true })).toEqual({
      allowed: true,
      by: { role: 'loader', on: uriOf(depot) },
    });
    expect(await put(id, { on: [uriOf(dock)] })).toMatchObject({
      body: { violations: [{ propertyPath: 'on[0]' }] },
    });
    await shipper.call('PATCH', `/partnerships/${id}`, { on: [uriOf(dock)] });
    expect(await allowedDocks(token)).toEqual([dock]);
    await shipper.call('PATCH', `/partnerships/${id}`, { on: null });
    expect(await allowedDocks(token)).toEqual([depot, dock, otherDock].toSorted());
  });

  it('is known to questions about others and to the search for people, while it lasts', async () => {
    const scopes = ['access:decision:read'];
    await shipper.call('POST', '/roles', { key: 'asker', name: 'Asker', scopes });
    const account = await shipper.call('POST', '/service-accounts', { name: 'Asker', roles: ['asker'] });
    const keys = `/service-accounts/${String(account.body['id'])}/keys`;
    const asker = String((await shipper.call('POST', keys, { name: 'Asker' })).body['key']);
    const { id } = dispatcher.person;
    const resource = (of: string) => ({ type: 'harbour/docks', id: of });
    const asked = async (of: string, scope = LOAD) => {
      const question = { subject: { type: 'user', id }, action: { name: scope }, resource: resource(of) };
      return (await app.call('POST', '/access/v1/evaluation', question, { token: asker })).body['decision'];
    };
    const who = async (of: string) => {
      const question = { subject: { type: 'user' }, action: { name: LOAD }, resource: resource(of) };
      const { body } = await app.call('POST', '/access/v1/search/subject', question, { token: asker });
      return (body['results'] as unknown as { id: string }[]).map((one) => one.id);
    };
    const { id: partnership } = await working({ on: [uriOf(depot)] });
    expect([await asked(dock), await asked(otherDock)]).toEqual([true, false]);
    expect(await who(dock)).toEqual([shipper.owner.person.id, id].toSorted());
    expect(await who(otherDock)).toEqual([shipper.owner.person.id]);
    const ends: [string, string][] = [
      ['UPDATE accounts SET suspended_at = now() WHERE id = $1', 'suspended_at = NULL'],
      [`UPDATE members SET status = 'suspended' WHERE user_id = $1`, `status = 'active'`],
      [`UPDATE members SET until = now() WHERE user_id = $1`, 'until = NULL'],
    ];
    for (const [end, restored] of ends) {
      await app.sql(end, [id]);
      expect([await asked(dock), await who(dock)]).toEqual([false, [shipper.owner.person.id]]);
      await app.sql(`${end.split('SET')[0]}SET ${restored} WHERE ${end.split('WHERE')[1]}`, [id]);
      expect(await asked(dock)).toBe(true);
    }
    await shipper.call('PATCH', `/partnerships/${partnership}`, { on: null });
    expect(await who(otherDock)).toEqual([shipper.owner.person.id, id].toSorted());
    await carrier.call('DELETE', `/partner-access/${partnership}/people/${id}`);
    expect([await asked(dock), await who(dock)]).toEqual([false, [shipper.owner.person.id]]);
  });

  it('holds a permission on nothing where host and partner named different things', async () => {
    const { id, token } = await working({ on: [uriOf(depot)] }, { on: [uriOf(depot)] });
    await shipper.call('PATCH', `/partnerships/${id}`, { on: [uriOf(otherDock)] });
    expect(await can(token, LOAD, { anywhere: true })).toMatchObject({ code: 'scope_not_held' });
    expect(await list(token)).toBe(403);
  });

  it('is asked about with others by as many statements as one', async () => {
    const token = carrier.owner.token;
    const hosts = [shipper, await Organization.found(app), await Organization.found(app)];
    const email = carrier.owner.person.email;
    const ids: string[] = [];
    for (const host of hosts) {
      const { body } = await host.call('POST', '/partnerships', { email, roles: ['member'] });
      ids.push(String(body['id']));
    }
    const ask = async (some: readonly string[]) => {
      const evaluations = some.map((id) => ({
        subject: { type: 'user', id: carrier.owner.person.id },
        action: { name: 'iam:partner-access:accept' },
        resource: { type: 'iam/partner-accesses', id },
      }));
      const { body } = await app.call('POST', '/access/v1/evaluations', { evaluations }, { token });
      expect(body['evaluations']).toEqual(some.map(() => expect.objectContaining({ decision: true })));
    };
    await ask(ids);
    const [one, all] = [await statementsOf(() => ask(ids.slice(0, 1))), await statementsOf(() => ask(ids))];
    expect(all.map(([sql]) => sql)).toEqual(one.map(([sql]) => sql));
  });

  it('says the same of every offer, and mails the partner', async () => {
    const known = await offer();
    const unknown = await offer({ tenantSlug: `unknown-${ulid().toLowerCase()}` });
    const address = await offer({ tenantSlug: undefined, email: `${ulid().toLowerCase()}@example.com` });
    for (const { status, body } of [known, unknown, address])
      expect({ status, body }).toMatchObject({ status: 201, body: { status: 'offered', partner: null } });
    expect(Object.keys(known.body)).toEqual(Object.keys(unknown.body));
    const mails = await app.mails(carrier.owner.person.email, 2);
    expect(mails.at(-1)).toContain('Lovelace Logistics');
    const newcomer = await Person.signUp(app);
    const own = await Organization.found(app, newcomer);
    const id = await offered({ tenantSlug: undefined, email: newcomer.email });
    expect(itemsOf(await own.call('GET', '/partner-access'))).toMatchObject([
      { id, status: 'offered', host: { id: shipper.id, name: 'Lovelace Logistics' }, roles: ['loader'] },
    ]);
    expect((await accept(id, carrier)).status).toBe(404);
    expect((await accept(id, own)).status).toBe(200);
    expect((await shipper.call('GET', `/partnerships/${id}`)).body).toMatchObject({
      email: null,
      partner: { id: own.id },
      people: [],
    });
  });

  it.each([
    ['both targets', { email: 'a@example.com' }, 'email'],
    ['no target', { tenantSlug: undefined }, 'email'],
    ['an unknown role', { roles: ['nothing'] }, 'roles[0]'],
    ['the role of an owner', { roles: ['owner'] }, 'roles[0]'],
    ['a past end', { until: '2020-01-01T00:00:00.000Z' }, 'until'],
    ['an unknown thing', { on: [`gatehouse:///harbour/docks/${ulid()}`] }, 'on[0]'],
    ['too many people', { maxPeople: 201 }, 'maxPeople'],
  ])('cannot be offered with %s', async (_, more, propertyPath) => {
    expect((await offer(more)).body).toMatchObject({ violations: [{ propertyPath }] });
  });

  it('cannot be offered to oneself, beyond what one holds, or by a member', async () => {
    const slug = `own-${ulid().toLowerCase()}`;
    await shipper.call('PATCH', '', { name: 'Lovelace Logistics', slug });
    expect((await offer({ tenantSlug: slug })).body).toMatchObject({
      violations: [{ propertyPath: 'tenantSlug' }],
    });
    const id = await offered({ tenantSlug: undefined, email: shipper.owner.person.email });
    expect((await accept(id, shipper)).status).toBe(409);
    const admin = await shipper.join('admin');
    expect((await offer({}, admin.token)).body).toMatchObject({ violations: [{ propertyPath: 'roles[0]' }] });
    const member = await shipper.join('member');
    expect((await offer({}, member.token)).status).toBe(403);
  });

  it.each([
    ['was removed', 'DELETE', '', undefined],
    ['was suspended', 'POST', '/suspend', undefined],
    ['may no longer offer any', 'PATCH', '', { roles: ['loader'] }],
    ['no longer holds what it gives', 'PATCH', '', { roles: ['host'] }],
    ['was suspended as a person', 'SQL', '', undefined],
  ])(
    'is neither accepted nor changed of a member who %s since, nor told to be open',
    async (_, method, path, body) => {
      const scopes = ['iam:tenant:read', 'iam:partnership:create', 'iam:partnership:read'];
      const made = await shipper.call('POST', '/roles', { key: 'host', name: 'Host', scopes });
      expect(made.status).toBe(201);
      const host = await shipper.join('host', 'loader');
      const id = String((await offer({}, host.token)).body['id']);
      const subject = `gatehouse:///iam/partner-accesses/${id}`;
      const probe = () => can(carrier.owner.token, 'iam:partner-access:accept', { subject });
      const told = async () => [
        (await shipper.call('GET', `/partnerships/${id}`)).body['status'],
        ...itemsOf<{ status: string }>(await shipper.call('GET', '/partnerships')).map((one) => one.status),
        (await carrier.call('GET', `/partner-access/${id}`)).body['status'],
        ...itemsOf<{ status: string }>(await carrier.call('GET', '/partner-access')).map((one) => one.status),
      ];
      expect(await probe()).toMatchObject({ allowed: true });
      expect(await told()).toEqual(Array(4).fill('offered'));
      if (method === 'SQL')
        await app.sql('UPDATE accounts SET suspended_at = now() WHERE id = $1', [host.person.id]);
      else {
        const lost = await shipper.call(method, `/members/${host.person.id}${path}`, body);
        expect([200, 204]).toContain(lost.status);
      }
      expect((await accept(id)).status).toBe(403);
      expect(await probe()).toMatchObject({ allowed: false });
      expect(await told()).toEqual(Array(4).fill('expired'));
      const over = { code: 'state_forbids', reason: 'The partnership is over. Offer a new one.' };
      const offered = { subject: `gatehouse:///iam/partnerships/${id}` };
      expect(await can(shipper.owner.token, 'iam:partnership:update', offered)).toMatchObject(over);
      const changed = await shipper.call('PATCH', `/partnerships/${id}`, { maxPeople: 5 });
      expect(changed).toMatchObject({ status: 403, body: { code: over.code, detail: over.reason } });
      expect((await shipper.call('DELETE', `/partnerships/${id}`)).status).toBe(204);
    },
  );

  describe('against attacks', () => {
    it('cannot be passed on: its people administer nothing in the host, whatever the role', async () => {
      const { id, token } = await working({ roles: ['admin', 'loader'] }, { roles: ['admin', 'loader'] });
      const attempts = [
        ['POST', '/invitations', { email: 'friend@example.com', roles: ['member'] }],
        ['POST', '/partnerships', { email: 'friend@example.com', roles: ['loader'] }],
        ['PATCH', `/partnerships/${id}`, { roles: ['admin'] }],
        ['PUT', `/partner-access/${id}/people/${carrier.owner.person.id}`, { roles: ['loader'] }],
        ['POST', '/roles', { key: 'extra', name: 'Extra', scopes: ['harbour:dock:load'] }],
        ['POST', `/members/${dispatcher.person.id}/assignments`, { role: 'loader', on: uriOf(dock) }],
        ['POST', '/service-accounts', { name: 'Robot', roles: ['loader'] }],
        ['GET', '/audit-events', undefined],
        ['GET', '/roles', undefined],
        ['GET', '/things', undefined],
        ['PUT', `/things/freight/orders/${ulid()}`, { parents: [uriOf(dock)] }],
        ['POST', '/things/bulk', { things: [] }],
      ] as const;
      for (const [method, path, body] of attempts)
        expect({ path, status: (await shipper.call(method, path, body, token)).status }).toEqual({
          path,
          status: 403,
        });
      const key = await app.call(
        'POST',
        '/api/v1/iam/me/keys',
        { tenantId: shipper.id, name: 'Robot', expiresInDays: 1 },
        { token },
      );
      expect(key.status).toBe(400);
    });

    it('gives no permission of this service, but to read the organization and its members', () => {
      const scopes = [...app.app.get(AbilityRegistry, { strict: false }).all.values()];
      const forPartners = scopes.filter(
        ({ audience, scope }) => audience === 'tenant' && isForPartners(scope),
      );
      expect(forPartners.map(({ scope }) => scope).toSorted()).toEqual([
        LOAD,
        'iam:member:read',
        'iam:tenant:read',
      ]);
    });

    it('does not tell its people what members may do', async () => {
      const { token } = await working({ roles: ['admin', 'loader'] }, { roles: ['admin', 'loader'] });
      const { status } = await app.call(
        'POST',
        '/api/auth/can',
        { scopes: [LOAD], userId: shipper.owner.person.id },
        { token },
      );
      expect(status).toBe(403);
    });

    it('is changed in nothing by an admin of the host who could not give its roles', async () => {
      const { id, token } = await working({ on: [uriOf(dock)] });
      const admin = await shipper.join('admin');
      const until = new Date(Date.now() + 3_600_000).toISOString();
      for (const change of [{ on: null }, { on: [uriOf(otherDock)] }, { until }, { maxPeople: 50 }])
        expect(await shipper.call('PATCH', `/partnerships/${id}`, change, admin.token)).toMatchObject({
          status: 403,
          body: { code: 'state_forbids' },
        });
      expect(await allowedDocks(token)).toEqual([dock]);
      const narrowed = await shipper.call('PATCH', `/partnerships/${id}`, { roles: ['member'] }, admin.token);
      expect(narrowed.status).toBe(200);
      expect((await shipper.call('PATCH', `/partnerships/${id}`, { until }, admin.token)).status).toBe(200);
      expect(await allowedDocks(token)).toEqual([]);
    });

    it('cannot be passed on by a partner of the partner', async () => {
      const { id } = await working();
      const third = await Organization.found(app);
      const outsider = await third.join('member');
      const slug = `third-${ulid().toLowerCase()}`;
      await third.call('PATCH', '', { name: 'Third', slug });
      const second = await carrier.call('POST', '/partnerships', { tenantSlug: slug, roles: ['member'] });
      const secondId = String(second.body['id']);
      await third.call('POST', `/partner-access/${secondId}/accept`);
      const path = `/partner-access/${secondId}/people/${outsider.person.id}`;
      expect((await third.call('PUT', path, { roles: ['member'] })).status).toBe(200);
      expect(await selecting(outsider.person, carrier.id)).toBe(200);
      expect((await put(id, {}, outsider.person.id)).status).toBe(404);
      await app.sql(
        `INSERT INTO partner_people (partnership_id, user_id, tenant_id, role_ids, created_by)
         SELECT partnership_id, $2, tenant_id, role_ids, created_by FROM partner_people WHERE partnership_id = $1`,
        [id, outsider.person.id],
      );
      expect(await selecting(outsider.person)).toBe(403);
      const directory = app.app.get(MembershipDirectory, { strict: false });
      const found = await directory.findPartnership(outsider.person.id as UserId, shipper.id as TenantId);
      expect(found).toBeNull();
    });

    it('cannot be widened by the partner', async () => {
      const id = await started({ on: [uriOf(dock)] });
      await shipper.call('POST', '/roles', { key: 'boss', name: 'Boss', scopes: [LOAD] });
      expect((await put(id, { roles: ['boss'] })).body).toMatchObject({
        violations: [{ propertyPath: 'roles[0]' }],
      });
      expect((await put(id, { on: [uriOf(otherDock)] })).body).toMatchObject({
        violations: [{ propertyPath: 'on[0]' }],
      });
      for (const method of ['PATCH', 'DELETE', 'GET'])
        expect((await carrier.call(method, `/partnerships/${id}`)).status).toBe(404);
      await put(id);
      const token = await dispatcher.person.select(shipper.id);
      expect(await allowedDocks(token)).toEqual([dock]);
    });

    it('is known to its two sides only, and does not enumerate members', async () => {
      const { id, token } = await working({ on: [uriOf(depot)] });
      const third = await Organization.found(app);
      expect((await third.call('GET', `/partner-access/${id}`)).status).toBe(404);
      expect((await third.call('POST', `/partner-access/${id}/leave`)).status).toBe(404);
      expect((await put(id, {}, third.owner.person.id)).status).toBe(404);
      expect((await put(id, {}, ulid())).status).toBe(404);
      const keeper = await shipper.join('member');
      const seen = async () =>
        itemsOf<{ userId: string }>(await shipper.call('GET', '/members', undefined, token)).map(
          ({ userId }) => userId,
        );
      const read = async (userId: string) =>
        (await shipper.call('GET', `/members/${userId}`, undefined, token)).status;
      expect(await read(keeper.person.id)).toBe(403);
      await shipper.call('PATCH', `/partnerships/${id}`, { on: null });
      expect([await seen(), await read(keeper.person.id), await read(dispatcher.person.id)]).toEqual([
        [],
        404,
        200,
      ]);
      const assignments = `/members/${keeper.person.id}/assignments`;
      const assigned = await shipper.call('POST', assignments, { role: 'loader', on: uriOf(dock) });
      expect(itemsOf(await shipper.call('GET', '/assignments', undefined, token))).toEqual([]);
      const byId = `${assignments}/${String(assigned.body['id'])}`;
      expect((await shipper.call('GET', byId, undefined, token)).status).toBe(404);
      const members = itemsOf<{ userId: string }>(await shipper.call('GET', '/members'));
      expect(members.map(({ userId }) => userId)).not.toContain(dispatcher.person.id);
    });

    it('does not let its people act in a third organization, or in third-party apps', async () => {
      const { token } = await working();
      const third = await Organization.found(app);
      expect(await selecting(dispatcher.person, third.id)).toBe(403);
      expect((await third.call('GET', '', undefined, token)).status).toBe(403);
      await signUpOperator(app);
      const satellite = await TestSatellite.withScopes(app, LOAD);
      const { accessToken } = await satellite.signIn(token);
      expect(claimsOf(accessToken)).not.toHaveProperty('tid');
    });

    it.each([
      ['the partner leaves', (id: string) => carrier.call('POST', `/partner-access/${id}/leave`)],
      ['the host ends it', (id: string) => shipper.call('DELETE', `/partnerships/${id}`)],
      [
        'the person is taken off',
        (id: string) => carrier.call('DELETE', `/partner-access/${id}/people/${dispatcher.person.id}`),
      ],
      ['the partner removes the person', () => carrier.call('DELETE', `/members/${dispatcher.person.id}`)],
      [
        'the partner suspends the person',
        () => carrier.call('POST', `/members/${dispatcher.person.id}/suspend`),
      ],
      ['the person leaves', () => carrier.call('POST', '/leave', undefined, dispatcher.token)],
      ['the partner is archived', () => carrier.call('POST', '/archive')],
    ])('refuses a token within a second on another replica once %s', async (_, end) => {
      const { id, token } = await working();
      const settings = { ROOT_SECRET, DATABASE_URL: app.databaseUrl };
      const replica = await TestApp.start(settings, false, [HarbourModule]);
      const use = async (service: TestApp) =>
        (await service.call('GET', '/api/v1/harbour/docks', undefined, { token })).status;
      expect([await use(app), await use(replica)]).toEqual([200, 200]);
      expect((await end(id)).status).toBeLessThan(300);
      expect(await use(app)).toBe(401);
      await eventually('the other replica refuses', async () => (await use(replica)) === 401, 1_000);
      expect(await selecting(dispatcher.person)).toBe(403);
      await replica.stop();
    });

    it('does not give a person back what they had before a new membership of the partner', async () => {
      await working();
      await carrier.call('DELETE', `/members/${dispatcher.person.id}`);
      await carrier.admit(dispatcher.person, 'member');
      expect(await selecting(dispatcher.person)).toBe(403);
    });

    it('gives nothing back either where a replica of an earlier build has removed the person', async () => {
      const { id, token } = await working();
      await app.sql('DELETE FROM member_roles WHERE tenant_id = $1 AND user_id = $2', [
        carrier.id,
        dispatcher.person.id,
      ]);
      await app.sql('DELETE FROM members WHERE tenant_id = $1 AND user_id = $2', [
        carrier.id,
        dispatcher.person.id,
      ]);
      expect((await load(dock, token)).status).not.toBe(204);
      await carrier.admit(dispatcher.person, 'member');
      expect(await selecting(dispatcher.person)).toBe(403);
      expect((await shipper.call('GET', `/partnerships/${id}`)).body['people']).toEqual([]);
      expect(await put(id)).toMatchObject({ status: 200 });
      expect(await selecting(dispatcher.person)).toBe(200);
    });

    it('does not bring back whom the host has suspended', async () => {
      const { token } = await working();
      await shipper.admit(dispatcher.person, 'member');
      expect((await list(token)) as unknown).toBe(401);
      await shipper.call('POST', `/members/${dispatcher.person.id}/suspend`);
      expect(await selecting(dispatcher.person)).toBe(403);
      await shipper.call('DELETE', `/members/${dispatcher.person.id}`);
      expect(await selecting(dispatcher.person)).toBe(200);
    });
  });

  it('ends on time, of the partnership, the person and the membership', async () => {
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    const { id, token } = await working({ until: soon }, { until: soon });
    const expire = (table: string, key: string, where: string, value: string) =>
      app.sql(`UPDATE ${table} SET until = now() ${value} WHERE ${key} = $1`, [where]);
    for (const [table, key, of] of [
      ['partnerships', 'id', id],
      ['partner_people', 'partnership_id', id],
      ['members', 'user_id', dispatcher.person.id],
    ] as const) {
      expect(await load(dock, token)).toMatchObject({ status: 204 });
      await expire(table, key, of, "- interval '1 second'");
      expect((await load(dock, token)).status).not.toBe(204);
      await expire(table, key, of, "+ interval '1 hour'");
    }
    await expire('partner_people', 'partnership_id', id, "- interval '1 second'");
    await app.app.get(PartnershipCleanup, { strict: false }).removeEndedPeople();
    expect((await shipper.call('GET', `/partnerships/${id}`)).body['people']).toEqual([]);
    await expire('partnerships', 'id', id, "- interval '31 days'");
    await app.app.get(PartnershipCleanup, { strict: false }).removeOver();
    expect((await shipper.call('GET', `/partnerships/${id}`)).status).toBe(404);
  });

  it('stands in both trails, which name person, organization and partnership, and no other person', async () => {
    const { id } = await working();
    const [ofHost, ofPartner] = [await trail(shipper), await trail(carrier)];
    const subjects = [`iam/partnerships/${id}/people/${dispatcher.person.id}`, `iam/partnerships/${id}`];
    expect(ofHost).toMatchObject([
      { action: 'partnership.person-added', subject: subjects[0], actorId: carrier.id, actorKind: 'partner' },
      { action: 'partnership.accepted', subject: subjects[1], actorId: carrier.id },
      { action: 'partnership.offered', subject: subjects[1], actorId: shipper.owner.person.id },
    ]);
    expect(ofHost[0]?.subjectName).toContain('Bolt Carriers');
    expect(ofPartner).toMatchObject([
      { action: 'partnership.person-added', subject: subjects[0], actorId: carrier.owner.person.id },
      { action: 'partnership.accepted', subject: subjects[1] },
    ]);
    expect(ofPartner[0]?.subjectName).toContain('Lovelace Logistics');
    await shipper.call('DELETE', `/partnerships/${id}`);
    expect((await trail(carrier))[0]).toMatchObject({ action: 'partnership.withdrawn', actorId: shipper.id });
  });

  it('is what the trail of the host says and finds the acts of its people by', async () => {
    const { id, token } = await working();
    await load(dock, token);
    const acts = async (query: string) =>
      itemsOf<{ by: object }>(await shipper.call('GET', `/audit-events?action=dock.loaded${query}`));
    const act = {
      actorId: dispatcher.person.id,
      by: { role: 'loader', on: null, via: id, partnerName: 'Bolt Carriers' },
    };
    expect(await acts('')).toMatchObject([act]);
    expect(await acts(`&by=iam/partnerships/${id}`)).toMatchObject([act]);
    expect(await acts(`&by=iam/partnerships/${ulid()}`)).toEqual([]);
    await shipper.call('PATCH', `/partnerships/${id}`, { on: [uriOf(depot)] });
    await load(dock, token);
    expect(await acts(`&by=harbour/docks/${depot}`)).toMatchObject([
      { by: { role: 'loader', on: `harbour/docks/${depot}`, via: id } },
    ]);
    expect(await acts(`&by=iam/partnerships/${id}`)).toHaveLength(2);
  });

  describe('whose time is over', () => {
    const END = "now() - interval '1 second'";
    const eventsOf = async (id: string, person = '') =>
      (
        await app.sql<{ type: string; tenants: string[] }>(
          'SELECT type, tenant_ids AS tenants FROM events WHERE subject = $1 AND actor_id IS NULL ORDER BY id',
          [`iam/partnerships/${id}${person}`],
        )
      ).map(({ type, tenants }) => ({ type, tenants: tenants.toSorted() }));
    const both = () => [shipper.id, carrier.id].toSorted();

    it('is followed by another one, whether or not the cleanup has run', async () => {
      const { id, token } = await working({ until: new Date(Date.now() + 3_600_000).toISOString() });
      await app.sql(`UPDATE partnerships SET until = ${END} WHERE id = $1`, [id]);
      const next = await started();
      expect((await shipper.call('GET', `/partnerships/${id}`)).body).toMatchObject({
        status: 'ended',
        people: [],
      });
      expect(await eventsOf(id)).toEqual([{ type: 'iam.partnership.ended', tenants: both() }]);
      expect((await load(dock, token)).status).not.toBe(204);
      await put(next);
      expect((await load(dock, await dispatcher.person.select(shipper.id))).status).toBe(204);
    });

    it('is told to both sides once by the cleanup, and so is a person on it', async () => {
      const until = new Date(Date.now() + 3_600_000).toISOString();
      const { id } = await working({ until }, { until });
      const cleanup = app.app.get(PartnershipCleanup, { strict: false });
      const cleanUp = async () => {
        while (await cleanup.removeEndedPeople());
        while (await cleanup.endOver());
      };
      await cleanUp();
      expect(await eventsOf(id)).toEqual([]);
      await app.sql(`UPDATE partner_people SET until = ${END} WHERE partnership_id = $1`, [id]);
      await cleanUp();
      await app.sql(`UPDATE partnerships SET until = ${END} WHERE id = $1`, [id]);
      await cleanUp();
      await cleanUp();
      const person = `/people/${dispatcher.person.id}`;
      expect(await eventsOf(id, person)).toEqual([
        { type: 'iam.partnership.person-removed', tenants: both() },
      ]);
      expect(await eventsOf(id)).toEqual([{ type: 'iam.partnership.ended', tenants: both() }]);
      expect((await shipper.call('GET', `/partnerships/${id}`)).body['status']).toBe('ended');
    });
  });

  describe('that has ended or changed, where no cache knows it yet,', () => {
    /** Puts the dispatcher on a partnership of another partner, too. @returns its id */
    const another = async (): Promise<string> => {
      const other = await Organization.found(app);
      await other.call('PATCH', '', { name: 'Nut Carriers', slug: `nut-${ulid().toLowerCase()}` });
      await other.admit(dispatcher.person, 'member');
      const id = await offered({ tenantSlug: await slugOf(other) });
      await accept(id, other);
      const path = `/partner-access/${id}/people/${dispatcher.person.id}`;
      expect((await other.call('PUT', path, { roles: ['loader'] })).status).toBe(200);
      return id;
    };
    const tryLoad = async (token: string) => {
      const { status, body } = await load(dock, token);
      return [status, body['code']];
    };
    const REFUSED = [403, 'scope_not_held'];
    const loaded = async () =>
      itemsOf<{ by: object }>(await shipper.call('GET', '/audit-events?action=dock.loaded')).map(
        ({ by }) => by,
      );
    const announce = () =>
      app.app.get(AccessCache, { strict: false }).announceMemberships({
        tenantId: shipper.id as TenantId,
        userId: dispatcher.person.id as UserId,
      });

    it.each([[{}], [{ things: true }]])(
      'allows a command of its people by no other partnership (%p)',
      async ({ things = false }: { things?: boolean }) => {
        const { id, token } = await working(things ? { on: [uriOf(depot)] } : {});
        const other = await another();
        expect((await load(dock, token)).status).toBe(204);
        await app.sql("UPDATE partnerships SET status = 'ended', over_at = now() WHERE id = $1", [id]);
        expect(await tryLoad(token)).toEqual(REFUSED);
        expect(await loaded()).toMatchObject([{ via: id }]);
        await announce();
        await eventually('the token is refused', async () => (await load(dock, token)).status === 401);
        await load(dock, await dispatcher.person.select(shipper.id));
        expect(await loaded()).toMatchObject([{ via: other }, { via: id }]);
      },
    );

    it('allows no command of a former member instead of the membership', async () => {
      await another();
      const token = await shipper.admit(dispatcher.person, 'loader');
      expect((await load(dock, token)).status).toBe(204);
      await app.sql('DELETE FROM members WHERE tenant_id = $1 AND user_id = $2', [
        shipper.id,
        dispatcher.person.id,
      ]);
      // On a slow machine, the cache has read the membership once more, and the token has ended.
      expect([REFUSED, [401, undefined]]).toContainEqual(await tryLoad(token));
    });

    it('allows no command of a new member', async () => {
      const { token } = await working();
      expect((await load(dock, token)).status).toBe(204);
      await app.sql(
        `WITH m AS (INSERT INTO members (tenant_id, user_id) VALUES ($1, $2) RETURNING *)
         INSERT INTO member_roles (tenant_id, user_id, role_id) SELECT $1, $2, id FROM roles WHERE tenant_id = $1 AND key = 'loader'`,
        [shipper.id, dispatcher.person.id],
      );
      expect(await tryLoad(token)).toEqual(REFUSED);
    });

    it('is trailed by the role that allowed the command', async () => {
      await shipper.call('POST', '/roles', { key: 'stevedore', name: 'Stevedore', scopes: [LOAD] });
      const { id, token } = await working();
      expect((await load(dock, token)).status).toBe(204);
      const role = "(SELECT id FROM roles WHERE tenant_id = $1 AND key = 'stevedore')";
      for (const [table, key] of [
        ['partnerships', 'id'],
        ['partner_people', 'partnership_id'],
      ] as const)
        await app.sql(`UPDATE ${table} SET role_ids = ARRAY[${role}] WHERE ${key} = $2`, [shipper.id, id]);
      expect((await load(dock, token)).status).toBe(204);
      expect(await loaded()).toMatchObject([
        { role: 'stevedore', via: id },
        { role: 'loader', via: id },
      ]);
    });
  });

  it('is listed and ended by commands of the operators, in the name of the organization', async () => {
    const { id, token } = await working();
    const host = ['--organization', shipper.id];
    expect(await app.command('partnership:list', ...host)).toMatchObject({
      items: expect.arrayContaining([
        expect.objectContaining({ partnershipId: id, partnerId: carrier.id, status: 'active', people: 1 }),
      ]),
    });
    await expect(
      app.command('partnership:end', '--organization', carrier.id, '--partnership', id),
    ).rejects.toThrow(`--partnership ${id}: does not exist`);
    await app.command('partnership:end', ...host, '--partnership', id);
    await eventually('the access has ended', async () => (await load(depot, token)).status === 401);
    expect((await trail(shipper))[0]).toMatchObject({ action: 'partnership.withdrawn', actorId: shipper.id });
    expect((await trail(carrier))[0]).toMatchObject({ action: 'partnership.withdrawn', actorId: shipper.id });
  });

  it('asks of the person what the host asks of sign-ins', async () => {
    const { token } = await working();
    await app.sql(
      `UPDATE tenants SET sign_in_policy = '{"secondFactor": "required", "sso": "optional", "graceDays": 0}' WHERE id = $1`,
      [shipper.id],
    );
    await app.app.get(AccessCache, { strict: false }).announceTenants(shipper.id as TenantId);
    await eventually('the policy counts', async () => (await load(dock, token)).status === 401);
    expect((await load(dock, token)).body).toMatchObject({
      type: '/errors/insufficient-user-authentication',
    });
    expect(await selecting(dispatcher.person)).toBe(401);
  });

  describe('in races', () => {
    it('is accepted once', async () => {
      const id = await offered();
      const statuses = (await Promise.all(Array.from({ length: 5 }, () => accept(id)))).map(
        ({ status }) => status,
      );
      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 403, 403, 403, 403]);
    });

    it('is one of the pair: a second one of the same host is refused', async () => {
      const [one, two] = [await offered(), await offered()];
      const statuses = (await Promise.all([accept(one), accept(two)])).map(({ status }) => status);
      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409]);
    });

    it('is either accepted or withdrawn', async () => {
      for (let n = 0; n < 5; n += 1) {
        const id = await offered();
        const [accepted, withdrawn] = await Promise.all([
          accept(id),
          shipper.call('DELETE', `/partnerships/${id}`),
        ]);
        expect([200, 404]).toContain(accepted.status);
        expect(withdrawn.status).toBe(204);
        expect((await put(id)).status).toBe(404);
        expect(await app.sql('SELECT 1 FROM partnerships WHERE id = $1', [id])).toEqual([]);
      }
    });

    it('has no people on it after it was left', async () => {
      for (let n = 0; n < 5; n += 1) {
        const id = await started();
        await Promise.all([put(id), carrier.call('POST', `/partner-access/${id}/leave`)]);
        expect(await app.sql('SELECT 1 FROM partner_people WHERE partnership_id = $1', [id])).toEqual([]);
        expect(await selecting(dispatcher.person)).toBe(403);
      }
    });

    it('takes its number of people, of twenty at once', async () => {
      const id = await started({ maxPeople: 3 });
      const people = [dispatcher.person.id];
      for (let n = 1; n < 20; n += 1) {
        const userId = (await Person.signUp(app)).id;
        await app.sql('INSERT INTO members (tenant_id, user_id) VALUES ($1, $2)', [carrier.id, userId]);
        people.push(userId);
      }
      const answers = await Promise.all(people.map((userId) => put(id, {}, userId)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(17);
      const on = answers.findIndex(({ status }) => status === 200);
      expect((await put(id, {}, people[on])).status).toBe(200);
    });
  });

  it('is no longer offered, nor told of, once the deletion of the host has begun', async () => {
    const third = await Organization.found(app);
    const slug = `third-${ulid().toLowerCase()}`;
    await third.call('PATCH', '', { name: 'Third', slug });
    const id = await offered({ tenantSlug: slug });
    const offers = async () => itemsOf(await third.call('GET', '/partner-access')).length;
    expect(await offers()).toBe(1);
    await startDeletion(app, shipper.id);
    expect([await offers(), (await accept(id, third)).status]).toEqual([0, 404]);
    const cleanup = app.app.get(PartnershipCleanup, { strict: false });
    const deleting = { tenantId: shipper.id as TenantId, batch: 100, repeat: () => undefined };
    await app.app.get(Database, { strict: false }).transaction(() => cleanup.removeOfTenant(deleting));
    expect(await app.sql('SELECT 1 FROM partnerships WHERE id = $1', [id])).toEqual([]);
    expect(await trail(third)).toEqual([]);
  });

  it('is one of at most two hundred of a host', async () => {
    await app.sql(
      `INSERT INTO partnerships (tenant_id, id, slug, role_ids, created_by, expires_at)
       SELECT $1::text, $1 || n, 'someone', '{}', $2, 'infinity' FROM generate_series(1, 199) n`,
      [shipper.id, shipper.owner.person.id],
    );
    await offered();
    expect((await offer()).status).toBe(409);
  });

  it('goes with each of its organizations, and an offer with the address', async () => {
    const { id, token } = await working();
    const address = `${ulid().toLowerCase()}@example.com`;
    await offered({ tenantSlug: undefined, email: address });
    const cleanup = app.app.get(PartnershipCleanup, { strict: false });
    await cleanup.deleteOfAddress({ emailKey: address });
    expect(await app.sql('SELECT 1 FROM partnerships WHERE email_key = $1', [address])).toEqual([]);
    const deleting = { tenantId: carrier.id as TenantId, batch: 100, repeat: () => undefined };
    const database = app.app.get(Database, { strict: false });
    await database.transaction(() => cleanup.removeOfTenant(deleting));
    expect(await app.sql('SELECT 1 FROM partnerships WHERE id = $1', [id])).toEqual([]);
    expect((await trail(shipper))[0]).toMatchObject({
      action: 'partnership.withdrawn',
      actorId: carrier.id,
    });
    await eventually('the token is refused', async () => (await load(dock, token)).status === 401);
  });
});
