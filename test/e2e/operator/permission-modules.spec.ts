import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { AbilityRegistry } from '../../../src/ability/index.js';
import { OperatorService } from '../../../src/iam/index.js';
import type { OperatorRole } from '../../../src/kernel/index.js';
import { byTwoFactors } from '../../support/factors.js';
import { Organization, Person } from '../../support/organization.js';
import { Replicas } from '../../support/replicas.js';
import { TestSatellite } from '../../support/satellite.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { eventually, itemsOf, type TestApp } from '../../support/test-app.js';

const PERMISSIONS = '/api/v1/iam/permissions';
const CANCEL = 'freight:order:cancel';
const READ = 'freight:order:read';
const FREIGHT = {
  title: 'Freight',
  permissions: [
    { scope: CANCEL, title: 'Cancel orders', description: 'Those without a driver.' },
    { scope: READ, title: 'View orders', roles: ['admin', 'member'], allowedWhenArchived: true },
  ],
};

describe('Permissions of another service', () => {
  let replicas: Replicas;
  let app: TestApp;
  let admin: string;
  let organization: Organization;
  beforeAll(async () => {
    replicas = await Replicas.start({ RATE_WRITE: 'off', RATE_REFRESH: 'off' });
    ({ app } = replicas);
    admin = await signUp('admin');
    organization = await Organization.found(app);
  });
  afterAll(() => replicas.stop());
  beforeEach(async () => {
    expect((await register()).status).toBe(200);
  });

  const signUp = async (role: OperatorRole) => {
    const person = await Person.signUp(app);
    await app.app.get(OperatorService, { strict: false }).grant(person.email, role);
    return byTwoFactors(app, person.token);
  };
  const register = (body: object = FREIGHT, module = 'freight', token = admin) =>
    app.call('PUT', `${PERMISSIONS}/${module}`, body, { token });
  const remove = (module = 'freight', token = admin) =>
    app.call('DELETE', `${PERMISSIONS}/${module}`, undefined, { token });
  const probe = async (token: string, scope: string, subject?: string) =>
    (await app.call('POST', '/api/auth/can', { scopes: [scope], ...(subject && { subject }) }, { token }))
      .body[scope];

  it('are registered, listed, replaced and removed, and the trail has it', async () => {
    const [module] = itemsOf<{ id: string }>(await app.get(PERMISSIONS, admin));
    expect(module).toEqual({
      id: expect.any(String),
      module: 'freight',
      title: 'Freight',
      permissions: [
        { ...FREIGHT.permissions[0], roles: ['admin'], allowedWhenArchived: false },
        { ...FREIGHT.permissions[1], description: null },
      ],
      updatedAt: expect.any(String),
    });
    const fewer = await register({ title: 'Loads', permissions: [FREIGHT.permissions[1]] });
    expect(fewer.body).toMatchObject({ id: module?.id, title: 'Loads' });
    expect(await probe(organization.owner.token, CANCEL)).toMatchObject({ code: 'unknown_scope' });
    expect((await remove()).status).toBe(204);
    expect(itemsOf(await app.get(PERMISSIONS, admin))).toEqual([]);
    const trail = await app.sql<{ action: string }>(
      'SELECT action FROM audit_events WHERE subject = $1 ORDER BY id DESC LIMIT 2',
      [`platform/permissions/${module?.id}`],
    );
    expect(trail.map(({ action }) => action)).toEqual([
      'operator.permissions-removed',
      'operator.permissions-registered',
    ]);
  });

  it('are held, given, probed and named by tokens as those of modules are', async () => {
    const { owner } = organization;
    const member = await organization.join('member');
    expect(await probe(owner.token, CANCEL)).toEqual({ allowed: true });
    expect(await probe(member.token, READ)).toEqual({ allowed: true });
    expect(await probe(member.token, CANCEL)).toMatchObject({ code: 'scope_not_held' });
    const listed = itemsOf<{ scope: string }>(await organization.call('GET', '/permissions'));
    expect(listed.find(({ scope }) => scope === CANCEL)).toEqual({
      scope: CANCEL,
      title: 'Cancel orders',
      description: 'Those without a driver.',
      group: 'Freight',
      givable: true,
    });
    const role = { key: 'clerk', name: 'Clerk', scopes: [CANCEL] };
    expect((await organization.call('POST', '/roles', role)).status).toBe(201);
    const clerk = await organization.join('clerk');
    expect(await probe(clerk.token, CANCEL)).toEqual({ allowed: true });
    expect(String(decodeJwt(clerk.token)['scope'])).toBe(CANCEL);
    // A member who does not hold it cannot give it.
    const more = { key: 'more', name: 'More', scopes: [CANCEL] };
    expect((await organization.call('POST', '/roles', more, member.token)).status).toBe(403);
    expect((await remove()).status).toBe(204);
    expect(await probe(clerk.token, CANCEL)).toMatchObject({ code: 'unknown_scope' });
    await register();
    expect(await probe(clerk.token, CANCEL)).toEqual({ allowed: true });
  });

  it('are in the tokens of service accounts and satellites, by their scopes', async () => {
    const account = { name: 'Carrier', roles: ['member'] };
    const { id } = (await organization.call('POST', '/service-accounts', account)).body;
    const path = `/service-accounts/${String(id)}/credentials`;
    const { clientSecret } = (await organization.call('POST', path, { kind: 'secret' })).body;
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: String(id),
      client_secret: String(clientSecret),
    });
    const issue = async () => {
      const issued = await fetch(`${app.url}/oauth2/token`, { method: 'POST', body });
      return String(((await issued.json()) as { scope: string }).scope).split(' ');
    };
    expect(await issue()).toContain(READ);
    const satellite = await TestSatellite.withScopes(app, CANCEL);
    const { accessToken } = await satellite.signIn(organization.owner.token);
    expect(await probe(accessToken, CANCEL)).toEqual({ allowed: true });
    expect(await probe(accessToken, READ)).toMatchObject({ code: 'scope_not_held' });
    await remove();
    expect(await issue()).not.toContain(READ);
  });

  it('know no state: that of their entities stays with the other service', async () => {
    const subject = `gatehouse:///freight/orders/${organization.id}`;
    const member = await organization.join('member');
    expect(await probe(organization.owner.token, CANCEL, subject)).toEqual({ allowed: true });
    expect(await probe(member.token, CANCEL, subject)).toMatchObject({ code: 'scope_not_held' });
    const other = `gatehouse:///iam/tenants/${organization.id}`;
    expect(await probe(organization.owner.token, CANCEL, other)).toMatchObject({ code: 'subject_mismatch' });
    const archived = await Organization.found(app);
    await archived.call('POST', '/archive');
    expect(await probe(archived.owner.token, CANCEL)).toMatchObject({ code: 'state_forbids' });
    expect(await probe(archived.owner.token, READ)).toEqual({ allowed: true });
  });

  it.each<[string, string, object, number, object]>([
    ['a name of a module of the service', 'iam', { title: 'X', permissions: [] }, 409, {}],
    ['a name that is none', 'Freight', FREIGHT, 404, {}],
    [
      'a scope of another module',
      'freight',
      { title: 'X', permissions: [{ scope: 'iam:tenant:archive', title: 'X' }] },
      400,
      { violations: [{ propertyPath: 'permissions[0].scope', message: 'must begin with freight:' }] },
    ],
    [
      'a scope that is named twice',
      'freight',
      { title: 'X', permissions: [FREIGHT.permissions[0], FREIGHT.permissions[0]] },
      400,
      { violations: [{ propertyPath: 'permissions[1].scope', message: 'is in the list already' }] },
    ],
    [
      'the role of an owner',
      'freight',
      { title: 'X', permissions: [{ scope: CANCEL, title: 'X', roles: ['owner'] }] },
      400,
      {},
    ],
  ])('cannot have %s', async (_what, module, body, status, problem) => {
    expect(await register(body, module)).toMatchObject({ status, body: problem });
    expect(await probe(organization.owner.token, CANCEL)).toEqual({ allowed: true });
    expect(await probe(organization.owner.token, 'iam:tenant:read')).toEqual({ allowed: true });
  });

  it('have at most fifty modules', async () => {
    await app.sql(
      "INSERT INTO permission_modules (module, id, title, permissions) SELECT 'm' || n, 'm' || n, 'M', '[]' FROM generate_series(1, 49) n",
    );
    expect((await register({ title: 'X', permissions: [] }, 'one-more')).status).toBe(409);
    expect((await register()).status).toBe(200);
    await app.sql("DELETE FROM permission_modules WHERE title = 'M'");
  });

  it('are for operators, and the permission check of these agrees', async () => {
    const support = await signUp('support');
    const [module] = itemsOf<{ id: string }>(await app.get(PERMISSIONS, support));
    const subject = `gatehouse:///platform/permissions/${module?.id}`;
    for (const scope of ['platform:permission:register', 'platform:permission:remove']) {
      expect(await probe(support, scope, subject)).toMatchObject({ code: 'scope_not_held' });
      expect(await probe(admin, scope, subject)).toEqual({ allowed: true });
    }
    expect((await register(FREIGHT, 'freight', support)).status).toBe(403);
    expect((await remove('freight', support)).status).toBe(403);
    expect((await remove('freight', organization.owner.token)).status).toBe(403);
    await remove();
    expect(await probe(admin, 'platform:permission:remove', subject)).toMatchObject({
      code: 'subject_not_found',
    });
    expect((await remove()).status).toBe(409);
  });

  it('are known to every replica within a second, also what it has missed', async () => {
    const registry = replicas.other.app.get(AbilityRegistry, { strict: false });
    await eventually('it knows them', async () => registry.find(CANCEL) !== undefined);
    await remove();
    await eventually('it has heard', async () => registry.find(CANCEL) === undefined);
    // A change of which no notification comes, while the connection of the feed is replaced.
    await app.sql(
      "INSERT INTO permission_modules (module, id, title, permissions) VALUES ('freight', $1, 'F', $2)",
      [
        organization.id,
        JSON.stringify([{ ...FREIGHT.permissions[0], roles: [], allowedWhenArchived: false }]),
      ],
    );
    await app.sql(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'gatehouse-feed'",
    );
    await eventually('it has caught up', async () => registry.find(CANCEL) !== undefined);
  });

  it('are registered by the command line', async () => {
    const file = join(temporaryFolder('freight'), 'freight.json');
    writeFileSync(file, JSON.stringify({ title: 'Loads', permissions: FREIGHT.permissions }));
    const made = await app.command('permissions:register', '--module', 'freight', '--file', file);
    expect(made).toMatchObject({ module: 'freight', title: 'Loads' });
    await eventually(
      'the service knows them',
      async () =>
        itemsOf<{ title: string }>(await app.get(PERMISSIONS, admin))[0]?.title === 'Loads' &&
        itemsOf<{ group: string }>(await organization.call('GET', '/permissions')).some(
          ({ group }) => group === 'Loads',
        ),
    );
    expect(await app.command('permissions:list')).toMatchObject({ items: [{ module: 'freight' }] });
    await app.command('permissions:remove', '--module', 'freight');
    await eventually(
      'no role holds them',
      async () =>
        !itemsOf<{ scope: string }>(await organization.call('GET', '/permissions')).some(
          ({ scope }) => scope === CANCEL,
        ),
    );
    await expect(app.command('permissions:remove', '--module', 'freight')).rejects.toThrow(/--module/);
    await expect(
      app.command('permissions:register', '--module', 'freight', '--file', '/nowhere.json'),
    ).rejects.toThrow('--file: there is no file /nowhere.json that can be read');
  });
});
