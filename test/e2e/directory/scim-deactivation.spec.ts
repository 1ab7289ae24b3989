import { refreshTokenGrant } from 'openid-client';
import { ulid } from 'ulid';
import { Organization, Person } from '../../support/organization.js';
import { RelyingParty } from '../../support/relying-party.js';
import { Replicas } from '../../support/replicas.js';
import { TestSatellite } from '../../support/satellite.js';
import { ScimDirectory, verifyDomain } from '../../support/scim-directory.js';
import { eventually } from '../../support/test-app.js';

const REFRESHES = 20;

describe('A deactivation by a directory', () => {
  let replicas: Replicas;
  let acme: Organization;
  let directory: ScimDirectory;
  let domain: string;
  beforeAll(async () => {
    replicas = await Replicas.start();
    acme = await Organization.found(replicas.app);
    directory = await ScimDirectory.create(acme);
    domain = `${ulid().toLowerCase()}.example`;
    await verifyDomain(acme, domain);
  });
  afterAll(() => replicas.stop());

  const members = `/api/v1/iam/tenants`;
  const readAt = async (replica: 'app' | 'other', token: string): Promise<number> => {
    const { status } = await replicas[replica].call('GET', `${members}/${acme.id}/members`, undefined, {
      token,
    });
    return status;
  };
  const join = async () => {
    const person = await Person.signUp(replicas.app, `${ulid().toLowerCase()}@${domain}`);
    await acme.admit(person, 'member');
    return { person, id: await directory.create(person.email) };
  };

  it('ends three sessions here with its answer, and on another replica within a second', async () => {
    const { person, id } = await join();
    const sessions = [person, await Person.again(person), await Person.again(person)];
    const tokens = await Promise.all(sessions.map((session) => session.select(acme.id)));
    for (const replica of ['app', 'other'] as const)
      expect(await Promise.all(tokens.map((token) => readAt(replica, token)))).toEqual([200, 200, 200]);
    expect(
      (await directory.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' })).status,
    ).toBe(200);
    expect(await Promise.all(tokens.map((token) => readAt('app', token)))).toEqual([401, 401, 401]);
    await eventually('the other replica refuses them', async () =>
      (await Promise.all(tokens.map((token) => readAt('other', token)))).every((status) => status === 401),
    );
  });

  it('leaves nothing to refreshes in flight', async () => {
    const { person, id } = await join();
    await person.select(acme.id);
    const refreshes = replicas.parallel(REFRESHES, (app) =>
      app.post('refresh', { refreshToken: person.refreshToken, tenantId: acme.id }),
    );
    const [answers, deactivated] = await Promise.all([
      refreshes,
      directory.patch(`/Users/${id}`, { op: 'replace', value: { active: false } }),
    ]);
    expect(deactivated.status).toBe(200);
    for (const { status, body } of answers)
      if (status === 200) expect(await readAt('app', String(body['accessToken']))).not.toBe(200);
    const again = await replicas.app.post('select-tenant', { tenantId: acme.id }, { token: person.token });
    expect(again.status).toBe(403);
  });

  it('ends keys, satellites and clients of the person for the organization', async () => {
    const { person, id } = await join();
    const token = await person.select(acme.id);
    const path = `${members}/${acme.id}`;
    const created = await replicas.app.call(
      'POST',
      '/api/v1/iam/me/keys',
      { tenantId: acme.id, name: 'Laptop' },
      { token: person.token },
    );
    const key = String(created.body['key']);
    const satellite = await TestSatellite.withScopes(replicas.app, 'iam:tenant:read');
    const visitor = await satellite.signIn(token);
    const redirectUri = 'https://grafana.example/callback';
    const { body: client } = await acme.call('POST', '/clients', {
      name: 'Dashboards',
      redirectUris: [redirectUri],
    });
    const [clientId, clientSecret] = [String(client['clientId']), String(client['clientSecret'])];
    const grafana = await RelyingParty.of(replicas.app, { clientId, clientSecret, redirectUri });
    const tokens = await grafana.signIn(token, { scope: 'openid' });
    const works = async (replica: 'app' | 'other') =>
      Promise.all([
        replicas[replica].get(`${path}/members`, key),
        replicas[replica].get(path, visitor.accessToken),
        replicas[replica].get('/oauth2/userinfo', tokens.access_token),
      ]).then((answers) => answers.map(({ status }) => status === 200));
    for (const replica of ['app', 'other'] as const) expect(await works(replica)).toEqual([true, true, true]);
    await directory.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' });
    expect(await works('app')).toEqual([false, false, false]);
    await eventually('the other replica refuses them', async () =>
      (await works('other')).every((one) => !one),
    );
    const refreshed = refreshTokenGrant(grafana.config, String(tokens.refresh_token));
    await expect(refreshed).rejects.toMatchObject({ error: 'invalid_grant' });
    await directory.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'True' });
    expect((await replicas.app.get(`${path}/members`, key)).status).toBe(401);
    expect((await replicas.app.get(`${path}/members`, await person.select(acme.id))).status).toBe(200);
  });

  it('is not undone by a group, whose roles are in force here at once and there soon', async () => {
    const { person, id } = await join();
    const token = await person.select(acme.id);
    const { body: group } = await directory.call('POST', '/Groups', { displayName: 'Admins' });
    const path = `/Groups/${String(group['id'])}`;
    const rules = { rules: [{ group: 'Admins', roles: ['admin'] }] };
    expect((await acme.call('PUT', `/directories/${directory.id}/rules`, rules)).status).toBe(200);
    const statusAt = async (replica: 'app' | 'other') =>
      (await replicas[replica].get(`${members}/${acme.id}/service-accounts`, token)).status;
    const holds = async (status: number) => {
      expect(await statusAt('app')).toBe(status);
      await eventually('the other replica knows it', async () => (await statusAt('other')) === status);
    };
    await holds(403);
    const value = [{ value: id }];
    await directory.patch(path, { op: 'Add', path: 'members', value });
    await holds(200);
    await directory.patch(path, { op: 'Remove', path: 'members', value });
    await holds(403);
    await directory.patch(`/Users/${id}`, { op: 'replace', value: { active: false } });
    await directory.patch(path, { op: 'Add', path: 'members', value });
    await holds(401);
    expect(
      (await replicas.app.post('select-tenant', { tenantId: acme.id }, { token: person.token })).status,
    ).toBe(403);
    expect((await directory.call('DELETE', path)).status).toBe(204);
  });

  it('ends sessions by the connection of the organization everywhere', async () => {
    const { person, id } = await join();
    const connectionId = ulid();
    await replicas.app.sql(
      "INSERT INTO connections (tenant_id, id, kind, name, provisioning) VALUES ($1, $2, 'oidc', 'P', '{}')",
      [acme.id, connectionId],
    );
    await replicas.app.sql(
      "INSERT INTO session_evidence (session_id, method, connection_id, acr, proven_at) VALUES ($1, 'ext', $2, 'aal1', now())",
      [person.sessionId, connectionId],
    );
    const other = await Person.again(person);
    await directory.patch(`/Users/${id}`, { op: 'replace', value: { active: false } });
    expect((await replicas.app.get('/api/v1/iam/me', person.token)).status).toBe(401);
    expect((await replicas.app.get('/api/v1/iam/me', other.token)).status).toBe(200);
  });

  it('is an event of its own, as is each change that a directory makes of a person', async () => {
    const { person, id } = await join();
    await directory.patch(`/Users/${id}`, { op: 'replace', value: { displayName: 'Ada' } });
    await directory.patch(`/Users/${id}`, { op: 'replace', value: { active: false } });
    await directory.patch(`/Users/${id}`, { op: 'replace', value: { active: true } });
    expect((await directory.call('DELETE', `/Users/${id}`)).status).toBe(204);
    const events = await replicas.app.sql<{ type: string; data: object; tenants: string[] }>(
      'SELECT type, data, tenant_ids AS tenants FROM events WHERE subject = $1 ORDER BY xid, seq',
      [`iam/directory-users/${id}`],
    );
    const data = { directoryId: directory.id, directoryUserId: id, userId: person.id };
    expect(events).toEqual(
      ['created', 'updated', 'deactivated', 'reactivated', 'deleted'].map((what) => ({
        type: `iam.directory.user-${what}`,
        data,
        tenants: [acme.id],
      })),
    );
  });

  it('holds if two removals of the last two owners race', async () => {
    const owners = await Promise.all(
      [0, 1].map(() => Person.signUp(replicas.app, `${ulid().toLowerCase()}@${domain}`)),
    );
    const organization = await Organization.found(replicas.app, owners[0]!);
    await organization.admit(owners[1]!, 'owner');
    const own = `${ulid().toLowerCase()}.example`;
    await verifyDomain(organization, own);
    for (const [n, { id }] of owners.entries()) {
      const email = `owner-${n}@${own}`;
      await replicas.app.sql('UPDATE accounts SET email = $2, email_key = $2 WHERE id = $1', [id, email]);
    }
    const source = await ScimDirectory.create(organization);
    const ids = [await source.create(`owner-0@${own}`), await source.create(`owner-1@${own}`)];
    const answers = await Promise.all(ids.map((id) => source.call('DELETE', `/Users/${id}`)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 409]);
  });
});
