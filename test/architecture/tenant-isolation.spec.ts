import { ulid } from 'ulid';
import { RouteManifest, type Route } from '../../src/access/index.js';
import { AbilityRegistry } from '../../src/ability/index.js';
import { DomainLookup } from '../../src/connection/domains/domain-lookup.js';
import { MetadataFetcher } from '../../src/connection/metadata/metadata-fetcher.js';
import { newId } from '../../src/kernel/index.js';
import { ULID_PATTERN } from '../../src/kernel/patterns.js';
import { byTwoFactors } from '../support/factors.js';
import { footprintOf } from '../support/footprint.js';
import { OpenApi, type Json } from '../support/openapi.js';
import { Organization, Person } from '../support/organization.js';
import { RelyingParty } from '../support/relying-party.js';
import { ScimDirectory, userOf } from '../support/scim-directory.js';
import { pkce, TestSatellite } from '../support/satellite.js';
import { TestApp, type Answer } from '../support/test-app.js';
import { namedThingsOf, Things } from '../support/things.js';

const AUTH = '/api/v1/iam/auth';
const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';
const PROBE = '/api/auth/can';
/** Maximum number of scopes of a permission check. */
const SCOPES_AT_ONCE = 50;
/** Number of commands after which the footprints are compared: each takes 30 ms. */
const COMMANDS_AT_ONCE = 10;

jest.setTimeout(120_000); // some hundred routes, each asked several times

/** Creates what its path names, whatever the names: e2e/organizations/things.spec.ts. */
const NAMED_BY_CALLER = ['PUT /api/v1/iam/tenants/:id/things/:module/:collection/:thingId'];

const OWNER_OF_B = 'the owner of B';

/** Returns the id to put in place of a path parameter. */
type IdOf = (parameter: string) => string | Promise<string>;

/**
 * Requests every route of the manifest and every declared scope by B with entities of A. New routes
 * are included automatically; for a new path parameter or collection, the test fails until
 * test/support/things.ts can create such an entity.
 */
describe('An entity of organization A', () => {
  let app: TestApp;
  let api: OpenApi;
  let routes: readonly Route[];
  let a: Things;
  let b: Things;
  let tokens: Record<string, string>;

  beforeAll(async () => {
    jest.spyOn(DomainLookup.prototype, 'check').mockResolvedValue({ verdict: 'found', others: [] });
    jest.spyOn(MetadataFetcher.prototype, 'fetch').mockResolvedValue({
      entityId: 'idp',
      ssoUrl: 'https://idp.example',
      ssoBinding: 'redirect',
      sloUrl: null,
      certificates: [{ sha256: 'x', certificate: '', notAfter: new Date() }],
      validUntil: null,
    });
    app = await TestApp.start();
    api = new OpenApi((await app.get('/api/docs/openapi.json')).body);
    routes = app.app.get(RouteManifest).routes;
    a = new Things(await Organization.found(app));
    b = new Things(await Organization.found(app));
    const satellite = await TestSatellite.register(app);
    const client = await RelyingParty.register(app, {
      grantTypes: ['authorization_code', DEVICE_CODE],
    });
    for (const things of [a, b]) {
      await things.all();
      await app.sql(
        'INSERT INTO audit_details (event_id, account_id, tenant_id, details) VALUES ($1, $2, $3, $4)',
        [newId(), things.organization.owner.person.id, things.organization.id, {}],
      );
      await app.sql(
        `INSERT INTO bulk_actions (id, operator_id, kind, tenant_id, total, state) VALUES ($1, $1, 'end-sessions', $2, 1, 'finished')`,
        [newId(), things.organization.id],
      );
      await satellite.issue(things.organization.owner.token, pkce().codeChallenge);
      const { id } = await client.request({ scope: 'openid tenant' });
      await client.approve(id, things.organization.owner.token);
      const { body } = await client.post('/oauth2/device_authorization', { scope: 'openid tenant' });
      const device = { userCode: body['user_code'] };
      const { token } = things.organization.owner;
      await app.call('POST', `${AUTH}/devices/approve`, device, { token });
    }
    const both = await Person.signUp(app);
    await a.organization.admit(both, 'owner');
    tokens = {
      [OWNER_OF_B]: b.organization.owner.token,
      'an owner of both who works in B': await b.organization.admit(both, 'owner'),
    };
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await app.stop();
  });

  /** Returns the documented example of the body, with which the request succeeds. */
  const bodyOf = ({ method, path }: Route): unknown =>
    api.document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]?.requestBody?.content[
      'application/json'
    ].example;

  const ask = async (route: Route, token: string, idOf: IdOf, method = route.method) =>
    app.call(method, await fill(route.path, idOf), bodyOf(route), { token });

  it('is not found by B and is not changed, by any route and with the ids in any place of it', async () => {
    const footprints = () => Promise.all([a, b].map(({ organization }) => footprintOf(organization)));
    const before = await footprints();
    for (const tables of before)
      expect(Object.entries(tables).filter(([, { count }]) => count === 0)).toEqual([]);
    let [asked, nothingToName] = [0, 0];
    const commands: string[] = [];
    for (const route of routes) {
      const isNamedByCaller = NAMED_BY_CALLER.includes(`${route.method} ${route.path}`);
      const parameters = namedThingsOf(route.path).slice(0, isNamedByCaller ? 1 : undefined);
      for (const ofA of choicesOf(parameters)) {
        for (const [caller, token] of Object.entries(tokens)) {
          // Express answers HEAD by the handler of GET: one caller asks it, with ids of A only.
          const withHead =
            route.method === 'GET' && ofA.size === parameters.length && token === tokens[OWNER_OF_B];
          for (const method of withHead ? ['GET', 'HEAD'] : [route.method]) {
            const real = await ask(route, token, (name) => (ofA.has(name) ? a : b).named(name), method);
            const unknown = await ask(
              route,
              token,
              (name) => (ofA.has(name) ? ulid() : b.named(name)),
              method,
            );
            const request = `${method} ${route.path} by ${caller} with A's ${[...ofA].join(' and ')}`;
            expect({ request, ...visible(real) }).toEqual({ request, ...visible(unknown) });
            expect({ request, status: real.status }).toEqual({ request, status: 404 });
          }
        }
      }
      if (parameters.length === 0) nothingToName++;
      else asked++;
      if (parameters.length > 0 && route.method !== 'GET') commands.push(`${route.method} ${route.path}`);
      if (commands.length < COMMANDS_AT_ONCE && route !== routes.at(-1)) continue;
      expect([commands, await footprints()]).toEqual([commands, before]);
      commands.length = 0;
    }
    expect(asked).toBeGreaterThan(0);
    expect(asked + nothingToName).toBe(routes.length);
  });

  it('has to be creatable by the test for each path parameter', () => {
    const teach = 'Teach test/support/things.ts what /api/v1/logistics/orders/:id is.';
    expect(() => namedThingsOf('/api/v1/logistics/orders/:id/lines')).toThrow(teach);
  });

  it('is reached by the owner of A with the same requests', async () => {
    const { person } = a.organization.owner;
    const read = new Things(await Organization.found(app, person));
    for (const route of routes.filter(({ path }) => namedThingsOf(path).length > 0)) {
      // A command may end what the next one names.
      const own = route.method === 'GET' ? read : new Things(await Organization.found(app, person));
      await own.prepareFor(route);
      // One of the things is a second factor, which some routes then ask for.
      const token = byTwoFactors(app, own.organization.owner.token);
      const { status } = await ask(route, token, (name) => own.named(name));
      expect([route.method, route.path, Math.floor(status / 100)]).toEqual([route.method, route.path, 2]);
      await app.sql('DELETE FROM totp_authenticators'); // the next route may sign the owner in
    }
  });

  it('does not exist for the permission check of B, for every scope', async () => {
    const { all } = app.app.get(AbilityRegistry);
    const collections = new Set(
      [...all.values()].flatMap(({ own, judged }) =>
        [own, judged].map(({ module, name }) => `${module}/${name}`),
      ),
    );
    const before = await footprintOf(a.organization);
    for (const collection of collections) {
      for (const [caller, token] of Object.entries(tokens)) {
        const probe = async (id: string): Promise<object> => {
          const verdicts = {};
          for (let n = 0; n < all.size; n += SCOPES_AT_ONCE) {
            const scopes = [...all.keys()].slice(n, n + SCOPES_AT_ONCE);
            const body = { subject: `gatehouse:///${collection}/${id}`, scopes };
            Object.assign(verdicts, (await app.call('POST', PROBE, body, { token })).body);
          }
          return verdicts;
        };
        const verdicts = await probe(await a.in(collection));
        expect({ collection, caller, verdicts }).toEqual({
          collection,
          caller,
          verdicts: await probe(ulid()),
        });
        expect(Object.values(verdicts)).toEqual(
          Array.from(all, () => expect.objectContaining({ allowed: false })),
        );
      }
    }
    expect(await footprintOf(a.organization)).toEqual(before);
  });

  it('is in no list that B reads, even with a cursor of it', async () => {
    const owner = a.organization.owner.person;
    const ids = [...(await a.all()), owner.id, owner.sessionId];
    const pageAfter = (position: string) =>
      `?limit=100&cursor=${Buffer.from(position).toString('base64url')}`;
    const sortedIds = ids.filter((id) => id.length === 26).toSorted(); // a certificate has a fingerprint
    // All that A has is on one side or the other of the first and of the last one.
    const positions = [0, Math.floor(sortedIds.length / 2), -1].map((n) => sortedIds.at(n) ?? '');
    const cursors = positions.map(pageAfter);
    const orderOf = (path: string) => (path.endsWith('members') ? 'name' : 'createdAt');
    const sorted = (path: string) =>
      positions.map((id) => pageAfter(JSON.stringify([orderOf(path), id, id])));
    // Links and directories have other tokens: e2e/connection/setup-links.spec.ts, and below.
    const others = ['public', 'setup-link', 'directory'];
    const withToken = routes.filter(({ declared }) => !others.includes(declared.kind));
    const read = withToken.filter(({ method }) => method === 'GET');
    const { all } = app.app.get(AbilityRegistry);
    const forOperators = (access: Route['declared']) =>
      access.kind === 'scopes' && access.scopes.some((scope) => all.get(scope)?.audience === 'operator');
    for (const { path, declared, query: accepted } of read) {
      const own = await fill(path, (name) => b.named(name));
      const byPlace = path.endsWith('/webhooks/events') ? ['?cursor=MQ'] : cursors;
      const pages = accepted?.includes('sort') === true ? sorted(path) : byPlace;
      for (const query of accepted?.includes('cursor') === true ? ['?limit=100', ...pages] : ['']) {
        const { status, body } = await app.get(
          `${own}${query}`,
          byTwoFactors(app, b.organization.owner.token),
        );
        const text = JSON.stringify(body);
        const found = [...ids, owner.email].filter((mark) => text.includes(mark));
        // Claims are for clients of OpenID Connect.
        const wanted = forOperators(declared) || path === '/oauth2/userinfo' ? 403 : 200;
        expect({ path, query, status, found }).toEqual({ path, query, status: wanted, found: [] });
      }
    }
  });
});

/** Requests of a directory of B, by the routes that take tokens of directories only. */
describe('A directory of organization A', () => {
  it('is not found by a directory of B, nor are its records, by any route', async () => {
    const app = await TestApp.start();
    try {
      const [a, b] = [await Organization.found(app), await Organization.found(app)];
      const [ofA, ofB] = [await ScimDirectory.create(a), await ScimDirectory.create(b)];
      const intruder = ScimDirectory.of(b, ofA.id, ofB.token);
      const userId = await ofA.create('ada@a.example');
      const group = await ofA.call('POST', '/Groups', { displayName: 'A', members: [{ value: userId }] });
      const ids: Record<string, string> = { Users: userId, Groups: String(group.body['id']) };
      const before = await footprintOf(a);
      const bodyOf = (method: string) =>
        method === 'GET' || method === 'DELETE' ? undefined : userOf('e@b.example');
      const routes = app.app
        .get(RouteManifest)
        .routes.filter(({ declared }) => declared.kind === 'directory');
      expect(routes.length).toBeGreaterThan(20);
      for (const { method: declared, path } of routes) {
        const method = declared === 'ALL' ? 'GET' : declared;
        const [, type = '', id] = /:directoryId\/?(\w*)(?:\/(:id))?/.exec(path) ?? [];
        const filled = path
          .replace('/api/scim/v2/:directoryId', '')
          .replace(':id', ids[type] ?? 'User')
          .replace('*path', 'Users/x/y');
        const asked = [await intruder.call(method, filled, bodyOf(method))];
        if (id !== undefined && type in ids) asked.push(await ofB.call(method, filled, bodyOf(method)));
        for (const { status, body } of asked)
          expect([method, path, status, body['detail']]).toEqual([
            method,
            path,
            404,
            'The resource does not exist.',
          ]);
      }
      expect(await footprintOf(a)).toEqual(before);
    } finally {
      await app.stop();
    }
  });
});

/** Requests by which B names A in the body. */
describe('A body that names organization A', () => {
  let app: TestApp;
  let a: Organization;
  let b: Organization;
  let before: unknown;
  beforeAll(async () => {
    app = await TestApp.start();
    [a, b] = [await Organization.found(app), await Organization.found(app)];
    await a.call('POST', '/roles', { key: 'packer', name: 'Packer', scopes: [] });
  });
  beforeEach(async () => void (before = await footprintOf(a)));
  afterAll(() => app.stop());

  it('belongs to one of these operations, each with its test below', async () => {
    const api = new OpenApi((await app.get('/api/docs/openapi.json')).body);
    const fields = api.operations.flatMap(({ path, operation }) => {
      const schema = api.resolve(operation.requestBody?.content['application/json']?.schema);
      return Object.entries<Json>(schema?.properties ?? {})
        .filter(([, property]) => property.pattern === ULID_PATTERN)
        .map(([name]) => `${path} ${name}`);
    });
    expect(fields.toSorted()).toEqual([
      '/api/auth/can userId', // e2e/organizations/assignments.spec.ts
      '/api/iam/auth/external/{kind}/start connectionId', // public: e2e/connection/connection-sign-in.spec.ts
      `${AUTH}/authorizations/{id}/approve tenantId`,
      `${AUTH}/devices/approve tenantId`, // e2e/openid/openid-devices.spec.ts
      `${AUTH}/portal/session tenantId`,
      `${AUTH}/refresh tenantId`,
      `${AUTH}/select-tenant tenantId`,
      '/api/v1/iam/me/keys tenantId', // e2e/machine/api-keys.spec.ts
      '/api/v1/iam/satellites tenantId', // of operators: e2e/satellite/satellite-registry.spec.ts
      '/api/v1/iam/tenants/{id}/directories connectionId', // e2e/directory/directories.spec.ts
      '/api/v1/iam/tenants/{id}/directories/{directoryId} connectionId',
      '/api/v1/iam/tenants/{id}/ownership-transfer userId',
      '/api/v1/iam/tenants/{id}/setup-links connectionId', // e2e/connection/setup-links.spec.ts
      '/api/v1/operator/bulk-actions/end-sessions tenantId', // e2e/operator/bulk-actions.spec.ts
      '/api/v1/operator/bulk-actions/resend-mails tenantId',
      '/api/v1/operator/impersonations tenantId', // e2e/operator/impersonation.spec.ts
      '/api/v1/operator/impersonations userId',
      '/api/v1/signals/status stream_id', // of a client: e2e/extras/signals.spec.ts
      '/api/v1/signals/streams stream_id',
      '/api/v1/signals/streams stream_id',
      '/api/v1/signals/verification stream_id',
    ]);
  });

  it('transfers the ownership to members of the own organization only', async () => {
    const transfer = async (userId: string) =>
      visible(await b.call('POST', '/ownership-transfer', { userId }));
    expect(await transfer(a.owner.person.id)).toEqual(await transfer(ulid()));
    expect((await transfer(a.owner.person.id)).status).toBe(400);
    expect(await footprintOf(a)).toEqual(before);
  });

  it('selects the organization for its members only', async () => {
    const select = async (tenantId: string) =>
      visible(await app.post('select-tenant', { tenantId }, { token: b.owner.token }));
    expect(await select(a.id)).toEqual(await select(ulid()));
    expect((await select(a.id)).status).toBe(403);
    expect(await footprintOf(a)).toEqual(before);
  });

  it('gives a client of OpenID Connect a grant for it by its members only', async () => {
    const client = await RelyingParty.register(app);
    const { id } = await client.request({ scope: 'openid tenant' });
    const approve = async (tenantId: string) =>
      visible(await client.approve(id, b.owner.token, { tenantId }));
    expect(await approve(a.id)).toEqual(await approve(ulid()));
    expect((await approve(a.id)).status).toBe(403);
    expect((await approve(b.id)).status).toBe(200);
    expect(await footprintOf(a)).toEqual(before);
  });

  it.each(['refresh', 'portal/session'])(
    'selects it by a refresh for its members only, and keeps the refresh token valid: %s',
    async (path) => {
      const { refreshToken } = await app.login(b.owner.person);
      const headers = { 'sec-fetch-site': 'same-origin' };
      const refresh = (tenantId?: string) => app.post(path, { refreshToken, tenantId }, { headers });
      const refused = visible(await refresh(a.id));
      expect(refused).toEqual(visible(await refresh(ulid())));
      expect(refused.status).toBe(403);
      expect((await refresh(b.id)).status).toBe(200);
      expect(await footprintOf(a)).toEqual(before);
    },
  );

  it('with the token of an invitation works and reveals data for the invited person only', async () => {
    const guest = await Person.signUp(app);
    await a.call('POST', '/invitations', { email: guest.email, roles: ['member'] });
    const token = await app.mailedToken(guest.email, 2);
    const invited = await footprintOf(a);
    const answer = await app.post('accept-invitation', { token }, { token: b.owner.token });
    expect(answer.status).toBe(403);
    expect(JSON.stringify(answer.body)).not.toMatch(new RegExp(`${a.id}|${guest.email}|Lovelace`));
    expect(await footprintOf(a)).toEqual(invited);
    expect((await app.post('accept-invitation', { token }, { token: guest.token })).status).toBe(200);
  });

  it('finds none of its roles, neither for an invitation nor for a member of B', async () => {
    const member = await b.join('member');
    for (const [method, path] of [
      ['POST', '/invitations'],
      ['PATCH', `/members/${member.person.id}`],
    ] as const) {
      const answers = ['packer', 'unused'].map(async (role) => {
        const { status, body } = await b.call(method, path, { email: 'guest@example.com', roles: [role] });
        return { status, text: JSON.stringify({ ...body, instance: null }).replaceAll(role, 'x') };
      });
      const [real, unknown] = await Promise.all(answers);
      expect(real).toEqual(unknown);
      expect(real?.status).toBe(400);
    }
    expect(await footprintOf(a)).toEqual(before);
  });
});

/** Lists the non-empty subsets of the parameters: those that name an entity of A. */
function choicesOf(parameters: readonly string[]): ReadonlySet<string>[] {
  const choices = parameters.reduce<string[][]>(
    (some, name) => [...some, ...some.map((choice) => [...choice, name])],
    [[]],
  );
  return choices.filter(({ length }) => length > 0).map((choice) => new Set(choice));
}

async function fill(path: string, idOf: IdOf): Promise<string> {
  let filled = path;
  for (const parameter of namedThingsOf(path).toReversed())
    filled = filled.replace(parameter, parameter.replace(/:\w+$/, await idOf(parameter)));
  return filled;
}

const OF_THE_MOMENT = /^(?:date|x-request-id|x-ratelimit-reset)$/;

/** Returns what must not differ between two responses. */
function visible({ status, headers, body }: Answer) {
  const { instance: _, ...rest } = body;
  return {
    status,
    body: rest,
    headers: [...headers].filter(([name]) => !OF_THE_MOMENT.test(name)),
  };
}
