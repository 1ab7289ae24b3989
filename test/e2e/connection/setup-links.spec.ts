import { RouteManifest } from '../../../src/access/index.js';
import { DomainLookup } from '../../../src/connection/domains/domain-lookup.js';
import { LabKey, SamlStandIn } from '../../lab/saml-stand-in.js';
import { BuiltService } from '../../support/built-service.js';
import { LabConnection, samlSettings } from '../../support/connection.js';
import { type Member, Organization } from '../../support/organization.js';
import { type Answer, eventually, itemsOf, TestApp, withApp } from '../../support/test-app.js';

const SETUP = '/api/v1/iam/setup';
const SECRET = 'canary-of-the-client-secret';
const OIDC = {
  kind: 'oidc',
  name: 'Okta',
  settings: { issuer: 'https://idp.example.com', clientId: 'gatehouse', clientSecret: SECRET },
};
const ALL = ['sso', 'domain', 'directory', 'certificate'];

interface Link {
  readonly id: string;
  readonly token: string;
}

describe('A set-up link', () => {
  const lab = new SamlStandIn();
  let acme: Organization;
  let other: Organization;
  const app = withApp({ APP_URL: 'https://app.example', CONNECTION_TRUSTED_HOSTS: '127.0.0.1' });
  beforeAll(async () => {
    acme = await Organization.found(app);
    other = await Organization.found(app);
  });
  afterEach(() => jest.restoreAllMocks());

  const create = async (intents: readonly string[], more: object = {}, of = acme): Promise<Link> => {
    const { status, body } = await of.call('POST', '/setup-links', { intents, ...more });
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(String),
        url: expect.stringMatching(/^https:\/\/app\.example\/setup\/gh_setup_\w+$/),
        expiresAt: expect.any(String),
      },
    ]);
    return { id: String(body['id']), token: String(body['url']).split('/').at(-1) ?? '' };
  };
  const use = ({ token }: Link, method: string, below = '', body?: object): Promise<Answer> =>
    app.call(method, `${SETUP}${below}`, body, { token });
  const statusOf = async (link: Link, method = 'GET', below = '', body?: object): Promise<number> =>
    (await use(link, method, below, body)).status;
  const actionsBy = async ({ id }: Link): Promise<string[]> =>
    itemsOf<{ action: string }>(await acme.call('GET', `/audit-events?actorId=${id}`)).map(
      ({ action }) => action,
    );
  const connectionOf = async (of = acme) => LabConnection.create(of, samlSettings(lab));
  const stateOf = async ({ id }: Link): Promise<unknown> =>
    itemsOf<{ id: string; status: string }>(await acme.call('GET', '/setup-links')).find(
      (one) => one.id === id,
    )?.status;

  it('is for seven days, is listed without its address, and is stored as a hash', async () => {
    const { id, token } = await create(['domain', 'sso', 'domain']);
    const [listed] = itemsOf<{ id: string }>(await acme.call('GET', '/setup-links')).filter(
      (one) => one.id === id,
    );
    expect(listed).toEqual({
      id,
      intents: ['domain', 'sso'],
      connectionId: null,
      status: 'active',
      createdBy: acme.owner.person.id,
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
      lastUsedAt: null,
    });
    const [row] = await app.sql<{ days: number; all: string }>(
      'SELECT round(extract(epoch FROM expires_at - now()) / 86400)::int AS days, row_to_json(l)::text AS all FROM setup_links l WHERE id = $1',
      [id],
    );
    expect([row?.days, row?.all]).toEqual([7, expect.not.stringContaining(token.split('_')[3] ?? '')]);
    expect(await use({ id, token }, 'GET')).toMatchObject({
      status: 200,
      body: { organization: { name: 'Lovelace Logistics' }, intents: ['domain', 'sso'], connection: null },
    });
  });

  it('shows the look of its organization, if that has one', async () => {
    const of = await Organization.found(app);
    const link = await create(['domain'], {}, of);
    expect((await use(link, 'GET')).body).not.toHaveProperty('branding');
    await of.call('PUT', '/branding', { accentColor: '#7a1fa2' });
    expect((await use(link, 'GET')).body['branding']).toMatchObject({
      name: 'Lovelace Logistics',
      accentColor: '#7a1fa2',
    });
  });

  it('is refused by every route that is not for links, as no token is', async () => {
    const link = await create(ALL);
    const routes = app.app.get(RouteManifest).routes.filter(({ path }) => path.startsWith('/api/'));
    const closed = routes.filter(
      ({ declared }) => !['public', 'setup-link', 'directory'].includes(declared.kind), // the last: e2e/directory/scim.spec.ts
    );
    expect(closed.length).toBeGreaterThan(150);
    for (const { method, path } of closed) {
      const filled = path.replace(/:(\w+)/g, (_, name: string) => (name === 'id' ? acme.id : link.id));
      const { status } = await app.call(method, filled, method === 'GET' ? undefined : {}, link);
      expect({ method, path, status }).toEqual({ method, path, status: 401 });
    }
    const open = routes.filter(({ declared }) => declared.kind === 'setup-link');
    expect(open.map(({ path }) => path).filter((path) => !path.startsWith(SETUP))).toEqual([]);
  });

  it('is the only caller of its routes', async () => {
    const routes = app.app.get(RouteManifest).routes.filter(({ path }) => path.startsWith(SETUP));
    for (const { method, path } of routes)
      for (const token of [
        undefined,
        acme.owner.token,
        'gh_setup_x',
        (await create(ALL)).token.slice(0, -1),
      ]) {
        const filled = path.replace(/:\w+/g, acme.id);
        const body = method === 'GET' ? undefined : {};
        const { status } = await app.call(method, filled, body, token === undefined ? {} : { token });
        expect({ method, path, token, status }).toEqual({ method, path, token, status: 401 });
      }
  });

  it.each([
    [
      'sso',
      ['GET /domains', 'GET /connection', 'POST /connection', 'PATCH /connection', 'POST /connection/tests'],
    ],
    ['domain', ['GET /domains', 'POST /domains']],
    ['directory', ['GET /directory', 'POST /directory', 'POST /directory/tokens']],
    [
      'certificate',
      ['GET /connection', 'POST /connection/certificates', 'POST /connection/refresh-metadata'],
    ],
  ])('for %s reaches nothing of the other intents', async (intent, own) => {
    const { id: connectionId } = await connectionOf();
    const link = await create([intent], { connectionId });
    const below = [
      'GET /domains',
      'POST /domains',
      'GET /connection',
      'POST /connection',
      'PATCH /connection',
      'POST /connection/certificates',
      'POST /connection/refresh-metadata',
      'POST /connection/tests',
      'GET /directory',
      'POST /directory',
      'POST /directory/tokens',
    ];
    const refused: string[] = [];
    for (const line of below) {
      const [method = '', path = ''] = line.split(' ');
      if ((await statusOf(link, method, path, method === 'GET' ? undefined : {})) === 403) refused.push(line);
    }
    expect(refused).toEqual(below.filter((line) => !own.includes(line)));
  });

  it('is noted once a minute, also after more than one space', async () => {
    const { id, token } = await create(['domain']);
    const headers = { authorization: `Bearer  ${token}` };
    const lastUse = async () => {
      expect((await app.call('GET', SETUP, undefined, { headers })).status).toBe(200);
      const sql = 'SELECT last_used_at AS at FROM setup_links WHERE id = $1';
      return (await app.sql<{ at: Date }>(sql, [id]))[0]?.at.getTime();
    };
    const first = await lastUse();
    expect(first).toBeGreaterThan(0);
    expect(await lastUse()).toBe(first);
    await app.sql("UPDATE setup_links SET last_used_at = now() - interval '1 hour' WHERE id = $1", [id]);
    expect(await lastUse()).toBeGreaterThan(first ?? 0);
  });

  it('ends with its revocation, its expiry, and the archive of the organization', async () => {
    const [revoked, expired] = [await create(['domain']), await create(['domain'])];
    expect(await statusOf(revoked)).toBe(200);
    expect((await acme.call('DELETE', `/setup-links/${revoked.id}`)).status).toBe(204);
    expect(await statusOf(revoked)).toBe(401);
    expect((await acme.call('DELETE', `/setup-links/${revoked.id}`)).status).toBe(204);
    await app.sql('UPDATE setup_links SET expires_at = now() WHERE id = $1', [expired.id]);
    expect(await statusOf(expired)).toBe(401);
    expect([await stateOf(revoked), await stateOf(expired)]).toEqual(['revoked', 'expired']);
    const third = await Organization.found(app);
    const link = await create(['domain'], {}, third);
    expect((await third.call('POST', '/archive')).status).toBe(200);
    expect(await statusOf(link)).toBe(401);
    expect(await statusOf(link, 'POST', '/domains', { name: 'third.example' })).toBe(401);
  });

  it('ends when it is found in public, and its owners are told', async () => {
    const link = await create(['domain']);
    const { length: before } = await app.mails(acme.owner.person.email);
    const key = link.token;
    expect((await app.call('POST', '/api/v1/iam/leaked-keys', { key })).status).toBe(202);
    expect(await statusOf(link)).toBe(401);
    expect(await actionsBy(link)).toEqual(['setup-link.revoked']);
    expect((await app.mails(acme.owner.person.email, before + 1)).at(-1)).toContain('set-up link');
  });

  it('adds and verifies domains of its organization alone, and the audit trail names it', async () => {
    jest.spyOn(DomainLookup.prototype, 'check').mockResolvedValue({ verdict: 'found', others: [] });
    const link = await create(['domain']);
    const added = await use(link, 'POST', '/domains', { name: 'set-up.example' });
    expect(added).toMatchObject({ status: 201, body: { status: 'pending', record: { type: 'TXT' } } });
    const id = String(added.body['id']);
    expect(await use(link, 'POST', `/domains/${id}/verify`)).toMatchObject({
      status: 200,
      body: { status: 'verified' },
    });
    const foreign = await other.call('POST', '/domains', { name: 'foreign.example' });
    expect(await statusOf(link, 'POST', `/domains/${String(foreign.body['id'])}/verify`)).toBe(404);
    const names = itemsOf<{ name: string }>(await use(link, 'GET', '/domains')).map(({ name }) => name);
    expect([names.includes('set-up.example'), names.includes('foreign.example')]).toEqual([true, false]);
    expect(await actionsBy(link)).toEqual(['domain.verified', 'domain.added']);
    const events = await acme.call('GET', `/audit-events?subject=iam/domains/${id}`);
    expect(itemsOf<{ actorId: string }>(events).map(({ actorId }) => actorId)).toEqual([link.id, link.id]);
  });

  it('creates one connection as a draft, changes it, and never shows the secret', async () => {
    const link = await create(['sso']);
    const created = await use(link, 'POST', '/connection', OIDC);
    expect(created).toMatchObject({ status: 201, body: { kind: 'oidc', status: 'draft' } });
    expect(Object.keys(created.body).toSorted()).toEqual(
      ['domainIds', 'id', 'kind', 'name', 'serviceProvider', 'settings', 'status', 'waiting'].toSorted(),
    );
    expect(await statusOf(link, 'POST', '/connection', OIDC)).toBe(409);
    const changed = await use(link, 'PATCH', '/connection', { settings: { clientId: 'other' } });
    expect(changed).toMatchObject({ status: 200, body: { settings: { clientId: 'other' } } });
    const shown = await use(link, 'GET');
    expect(shown.body['connection']).toEqual(changed.body);
    for (const { body } of [created, changed, shown])
      expect(JSON.stringify(body)).not.toMatch(new RegExp(`${SECRET}|roles|members|provisioning`));
    expect(await actionsBy(link)).toEqual(['connection.updated', 'connection.created']);
  });

  it('creates one connection and one directory by requests that are sent again at once', async () => {
    const link = await create(['sso', 'directory']);
    const again = (below: string, body: object) =>
      Promise.all(Array.from({ length: 6 }, () => statusOf(link, 'POST', below, body)));
    const once = [201, 409, 409, 409, 409, 409];
    expect((await again('/connection', OIDC)).toSorted()).toEqual(once);
    expect((await again('/directory', { name: 'Entra ID' })).toSorted()).toEqual(once);
  });

  it('cannot have a stored secret sent to another issuer', async () => {
    const link = await create(['sso']);
    await use(link, 'POST', '/connection', OIDC);
    const issuer = 'https://other.example.com';
    expect(await use(link, 'PATCH', '/connection', { settings: { issuer } })).toMatchObject({
      status: 400,
      body: { violations: [{ propertyPath: 'settings.clientSecret' }] },
    });
    for (const settings of [
      { issuer, clientSecret: 'of-the-other' },
      { issuer, scopes: ['groups'] },
    ])
      expect(await statusOf(link, 'PATCH', '/connection', { settings })).toBe(200);
  });

  it('sets no roles, consents or state of a connection', async () => {
    const more = {
      provisioning: { justInTime: true, defaultRoles: ['admin'] },
      idpInitiated: true,
      trustsSecondFactor: true,
      status: 'active',
    };
    const link = await create(['sso']);
    const saml = { name: 'ADFS', ...samlSettings(lab) };
    const { status, body } = await use(link, 'POST', '/connection', { ...saml, ...more });
    expect(status).toBe(201);
    expect(await statusOf(link, 'PATCH', '/connection', { name: 'AD FS', ...more })).toBe(200);
    const [row] = await app.sql(
      `SELECT status, idp_initiated, trusts_second_factor, provisioning->'justInTime' AS just_in_time
       FROM connections WHERE id = $1`,
      [body['id']],
    );
    expect(row).toEqual({
      status: 'draft',
      idp_initiated: false,
      trusts_second_factor: false,
      just_in_time: false,
    });
  });

  it('reaches no connection and no domain of another organization', async () => {
    const foreign = await connectionOf(other);
    const { status, body } = await acme.call('POST', '/setup-links', {
      intents: ['sso'],
      connectionId: foreign.id,
    });
    expect([status, body]).toMatchObject([400, { violations: [{ propertyPath: 'connectionId' }] }]);
    const [domain] = itemsOf<{ id: string }>(await other.call('GET', '/domains'));
    const link = await create(['sso']);
    expect(await use(link, 'POST', '/connection', { ...OIDC, domainIds: [domain?.id] })).toMatchObject({
      status: 400,
      body: { violations: [{ propertyPath: 'domainIds[0]' }] },
    });
  });

  it('gives an active connection no domains, and other settings only once an owner confirms', async () => {
    const connection = await LabConnection.active(acme, samlSettings(lab));
    const link = await create(['sso'], { connectionId: connection.id });
    expect(await statusOf(link, 'PATCH', '/connection', { domainIds: [] })).toBe(409);
    expect((await connection.call('GET')).body['domainIds']).toHaveLength(1);
    const settings = { ssoUrl: 'https://idp.example.com/sso' };
    expect(await use(link, 'PATCH', '/connection', { settings })).toMatchObject({
      status: 200,
      body: {
        status: 'active',
        settings: { ssoUrl: lab.entryPoint },
        waiting: [{ kind: 'settings', sha256: [] }],
      },
    });
  });

  it('for certificates adds and deletes those of its connection', async () => {
    const connection = await LabConnection.create(acme, samlSettings(lab));
    const link = await create(['certificate'], { connectionId: connection.id });
    const { certificate } = new LabKey('renewed');
    const { status, body } = await use(link, 'POST', '/connection/certificates', { certificate });
    expect([status, body]).toMatchObject([201, { sha256: expect.any(String) }]);
    const path = `/connection/certificates/${String(body['sha256'])}`;
    expect(await statusOf(link, 'DELETE', path)).toBe(204);
    expect(await statusOf(link, 'DELETE', path)).toBe(404);
    expect(await statusOf(link, 'POST', '/connection/refresh-metadata')).toBe(409);
    expect(await actionsBy(link)).toEqual(['connection.certificate-removed', 'connection.certificate-added']);
    const { status: refused, body: problem } = await acme.call('POST', '/setup-links', {
      intents: ['certificate'],
    });
    expect([refused, problem]).toMatchObject([400, { violations: [{ propertyPath: 'connectionId' }] }]);
  });

  it('tests its connection, and does not see the tests of members', async () => {
    const connection = await connectionOf();
    const link = await create(['sso'], { connectionId: connection.id });
    const started = await use(link, 'POST', '/connection/tests');
    expect(started.status).toBe(201);
    const words = { attributes: { email: `ada@${connection.domain}`, groups: 'Engineering' } };
    await connection.bring(lab.answer(String(started.body['authorizationUrl']), 'ada', { words }));
    const result = await use(link, 'GET', `/connection/tests/${String(started.body['testId'])}`);
    expect(result).toMatchObject({ status: 200, body: { status: 'passed' } });
    expect(Object.keys(result.body).toSorted()).toEqual(['attributes', 'status', 'steps']);
    const names = (result.body['steps'] as unknown as { name: string }[]).map(({ name }) => name);
    expect([names.includes('signature'), names.includes('roles')]).toEqual([true, false]);
    expect(await actionsBy(link)).toEqual(['connection.test-started']);
    const ofMember = await connection.call('POST', '/tests');
    expect(await statusOf(link, 'GET', `/connection/tests/${String(ofMember.body['testId'])}`)).toBe(404);
    expect((await connection.call('POST', '/activate')).status).toBe(200);
    // The test of a link is none of the person who requires the connection.
    const [row] = await app.sql('SELECT tested_by FROM connections WHERE id = $1', [connection.id]);
    expect(row).toEqual({ tested_by: null });
  });

  it('creates one directory and its tokens, each shown once', async () => {
    const connection = await connectionOf();
    const link = await create(['directory'], { connectionId: connection.id });
    expect(await statusOf(link, 'GET', '/directory')).toBe(404);
    expect(await statusOf(link, 'POST', '/directory/tokens', { name: 'First' })).toBe(404);
    const { status, body } = await use(link, 'POST', '/directory', { name: 'Entra ID' });
    expect([status, Object.keys(body).toSorted()]).toEqual([201, ['baseUrl', 'id', 'name']]);
    expect(await statusOf(link, 'POST', '/directory', { name: 'Second' })).toBe(409);
    const token = await use(link, 'POST', '/directory/tokens', { name: 'First' });
    expect(token).toMatchObject({ status: 201, body: { token: expect.stringMatching(/^gh_scim_/) } });
    expect((await use(link, 'GET', '/directory')).body).toEqual(body);
    const directory = (await acme.call('GET', `/directories/${String(body['id'])}`)).body;
    expect(directory).toMatchObject({ connectionId: connection.id, onDelete: 'suspend' });
    expect(await actionsBy(link)).toEqual(['directory.token-created', 'directory.created']);
    expect((await use(link, 'GET')).body['connection']).toBeNull();
  });

  it('creates no token of a directory that gives more than the creator of the link could', async () => {
    const admin = await acme.join('admin');
    const created = await acme.call('POST', '/setup-links', { intents: ['directory'] }, admin.token);
    const link = {
      id: String(created.body['id']),
      token: String(created.body['url']).split('/').at(-1) ?? '',
    };
    const { body } = await use(link, 'POST', '/directory', { name: 'Entra ID' });
    const rules = `/directories/${String(body['id'])}/rules`;
    const setRoles = (role: string) =>
      acme.call('PUT', rules, { rules: [{ group: 'Staff', roles: [role] }] });
    expect((await setRoles('owner')).status).toBe(200);
    expect(await statusOf(link, 'POST', '/directory/tokens', { name: 'First' })).toBe(409);
    expect((await setRoles('member')).status).toBe(200);
    expect(await statusOf(link, 'POST', '/directory/tokens', { name: 'First' })).toBe(201);
    expect((await setRoles('owner')).status).toBe(409);
    expect((await setRoles('admin')).status).toBe(200); // as the creator of the link could
  });

  it('is mailed in the language of the member, at most ten times an hour to one address', async () => {
    const email = 'it@customer.example';
    await create(['domain'], { email });
    expect((await app.mails(email)).at(-1)).toMatch(/\/setup\/gh_setup_/);
    const body = { intents: ['domain'], email };
    const headers = { 'accept-language': 'de' };
    const { token } = acme.owner;
    await app.call('POST', `${acme.path}/setup-links`, body, { token, headers });
    expect((await app.mails(email, 2)).at(-1)).toContain('Sie brauchen kein Konto.');
    let status = 0;
    for (let n = 2; n <= 10 && status !== 429; n++)
      ({ status } = await acme.call('POST', '/setup-links', body));
    expect(status).toBe(429);
  });

  it('gives no more than its creator has', async () => {
    const scopes = ['iam:setup-link:create', 'iam:domain:create'];
    const role = await acme.call('POST', '/roles', { key: 'helper', name: 'Helper', scopes });
    expect(role.status).toBe(201);
    const helper: Member = await acme.join('helper');
    const ask = (intents: string[]) => acme.call('POST', '/setup-links', { intents }, helper.token);
    const { status, body } = await ask(['sso', 'domain']);
    expect([status, body]).toMatchObject([
      400,
      { violations: [{ propertyPath: 'intents[0]' }, { propertyPath: 'intents[1]' }] },
    ]);
    const change = { scopes: [...scopes, 'iam:domain:verify'] };
    expect((await acme.call('PATCH', `/roles/${String(role.body['id'])}`, change)).status).toBe(200);
    expect((await ask(['domain'])).status).toBe(201);
  });

  it('is bounded in number, without those that have expired', async () => {
    const third = await Organization.found(app);
    await app.sql(
      `INSERT INTO setup_links (tenant_id, id, token_hash, intents, created_by, expires_at)
       SELECT $1, 'link-' || n, decode(md5($1 || n), 'hex'), '{domain}', $1, now() + interval '1 day' FROM generate_series(1, 50) n`,
      [third.id],
    );
    expect((await third.call('POST', '/setup-links', { intents: ['domain'] })).status).toBe(409);
    await app.sql("UPDATE setup_links SET expires_at = now() WHERE tenant_id = $1 AND id = 'link-1'", [
      third.id,
    ]);
    expect((await third.call('POST', '/setup-links', { intents: ['domain'] })).status).toBe(201);
  });

  it('has a rate limit of its own', async () => {
    const limited = await TestApp.start({ RATE_SETUP: '2', PORTAL: 'off' }, true);
    try {
      const organization = await Organization.found(limited);
      const { body } = await organization.call('POST', '/setup-links', { intents: ['domain'] });
      const token = String(body['url']).split('/').at(-1) ?? '';
      const answers = [];
      for (let n = 0; n < 3; n++) answers.push((await limited.get(SETUP, token)).status);
      expect(answers).toEqual([200, 200, 429]);
    } finally {
      await limited.stop();
    }
  });

  it('is in no log', async () => {
    const service = await BuiltService.start({ LOG_LEVEL: 'debug' });
    try {
      const organization = await Organization.found(service);
      const email = 'it@customer.example';
      const { body } = await organization.call('POST', '/setup-links', { intents: ALL, email });
      const token = String(body['url']).split('/').at(-1) ?? '';
      expect((await service.get(SETUP, token)).status).toBe(200);
      expect((await fetch(`${service.url}/setup/${token}`)).status).toBe(200); // a page
      expect((await service.call('POST', `${SETUP}/domains`, { name: 1 }, { token })).status).toBe(400);
      expect((await service.get(`/api/v1/iam/me`, token)).status).toBe(401);
      await service.mails(email);
      await eventually('the log is written', () => service.output.includes('"/api/v1/iam/setup"'));
      expect(service.output).not.toContain(token.split('_')[3]);
    } finally {
      await service.stop();
    }
  });
});
