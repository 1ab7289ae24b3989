import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { CLI, runBuilt } from '../../support/built-service.js';
import { LONG } from '../../support/long.js';
import { Organization, Person } from '../../support/organization.js';
import { TestSatellite } from '../../support/satellite.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { NO_LIMITS, QUIET, TestApp, withApp } from '../../support/test-app.js';

const register = ['satellite:register', '--client-id', 'help-centre', '--name', 'Help centre'];
const uris = ['--redirect-uri', 'https://help.example.com/a', '--redirect-uri', 'https://help.example.com/b'];

/**
 * Runs the commands next to a running service, as operators do: in a long run each in a process of
 * its own, which takes a second of processor time; else most in the process of the service.
 */
describe('The command line', () => {
  let service: TestApp;
  let environment: Record<string, string>;
  beforeAll(async () => {
    const ROOT_SECRET = randomBytes(32).toString('base64');
    const DATA_DIR = temporaryFolder('command-line');
    service = await TestApp.start({ DATA_DIR, ROOT_SECRET });
    environment = { ...QUIET, ...NO_LIMITS, DATA_DIR, DATABASE_URL: service.databaseUrl, ROOT_SECRET };
  });
  afterAll(() => service.stop());

  const run = (...words: string[]) => runBuilt(CLI, words, environment);
  const printed = async (...words: string[]) => {
    const { code, stdout, stderr } = await run(...words);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  const resultOf = async (...words: string[]) =>
    LONG
      ? printed(...words)
      : (JSON.parse(JSON.stringify(await service.command(...words))) as Record<string, unknown>);
  const account = ({ email, password }: Person) => ({ email, password });

  it('registers a satellite and rotates its secret', async () => {
    const registered = await printed(...register, ...uris);
    expect(registered).toEqual({
      id: expect.any(String),
      clientId: 'help-centre',
      clientSecret: expect.stringMatching(/^ghs_[\w-]{43}$/),
      name: 'Help centre',
      satelliteCodes: true,
      redirectUris: ['https://help.example.com/a', 'https://help.example.com/b'],
      scopes: [],
    });
    const rotated = await resultOf('satellite:rotate-secret', '--client-id', 'help-centre');
    expect(rotated).toEqual({
      clientId: 'help-centre',
      clientSecret: expect.stringMatching(/^ghs_[\w-]{43}$/),
      previousValidUntil: expect.any(String),
    });
    expect(rotated['clientSecret']).not.toBe(registered['clientSecret']);
  });

  it('registers a satellite with scopes and replaces them', async () => {
    const careers = [
      '--client-id',
      'careers',
      '--name',
      'Careers',
      '--redirect-uri',
      'https://c.example.com/',
    ];
    const scopes = ['--scope', 'iam:tenant:read', '--scope', 'iam:member:read'];
    expect(await resultOf('satellite:register', ...careers, ...scopes)).toMatchObject({
      scopes: ['iam:tenant:read', 'iam:member:read'],
    });
    const name = ['--client-id', 'careers'];
    expect(await resultOf('satellite:set-scopes', ...name, '--scope', '*')).toEqual({
      clientId: 'careers',
      scopes: ['*'],
    });
    expect(await resultOf('satellite:set-scopes', ...name)).toEqual({ clientId: 'careers', scopes: [] });
  });

  it('registers a client of OpenID Connect with what it has beside a satellite', async () => {
    const board = ['--client-id', 'board', '--name', 'Board', '--redirect-uri', 'https://b.example.com/'];
    const traits = [
      '--first-party',
      '--grant-type',
      'authorization_code',
      '--auth-method',
      'client_secret_post',
      '--post-logout-redirect-uri',
      'https://b.example.com/bye',
      '--id-token-alg',
      'ES256',
      '--access-token-alg',
      'RS256',
      '--backchannel-logout-uri',
      'https://b.example.com/logout',
      '--require-par',
    ];
    await resultOf('satellite:register', ...board, ...traits);
    const [registered] = await service.sql(
      `SELECT first_party, grant_types, token_endpoint_auth_method, post_logout_redirect_uris, id_token_alg, access_token_alg,
         backchannel_logout_uri, require_par, require_dpop FROM satellites WHERE client_id = 'board'`,
    );
    expect(registered).toEqual({
      first_party: true,
      grant_types: ['authorization_code'],
      token_endpoint_auth_method: 'client_secret_post',
      post_logout_redirect_uris: ['https://b.example.com/bye'],
      id_token_alg: 'ES256',
      access_token_alg: 'RS256',
      backchannel_logout_uri: 'https://b.example.com/logout',
      require_par: true,
      require_dpop: false,
    });
    const kiosk = ['--client-id', 'kiosk', '--name', 'Kiosk', '--redirect-uri', 'https://k.example.com/'];
    const { clientSecret } = await resultOf('satellite:register', ...kiosk, '--type', 'public');
    expect(clientSecret).toBeUndefined();
  });

  it('registers a client for OpenID Connect, and makes one of satellite codes of it', async () => {
    const forms = ['--client-id', 'forms', '--name', 'Forms', '--redirect-uri', 'https://f.example.com/'];
    expect(await resultOf('satellite:register', ...forms, '--openid')).toMatchObject({
      satelliteCodes: false,
    });
    const name = ['--client-id', 'forms'];
    expect(await resultOf('satellite:use-codes', ...name)).toEqual({
      clientId: 'forms',
      satelliteCodes: true,
    });
    const list = { satelliteCodes: true, status: 'active' };
    expect(await resultOf('satellite:show', ...name)).toMatchObject(list);
    await expect(service.command('satellite:use-codes', '--client-id', 'board')).rejects.toThrow(
      /requirePar/,
    );
  });

  it('disables and enables a satellite', async () => {
    const uri = 'https://forum.example.com/callback';
    const forum = ['--client-id', 'forum', '--name', 'Forum', '--redirect-uri', uri];
    const { clientSecret } = await resultOf('satellite:register', ...forum);
    const satellite = new TestSatellite(service, 'forum', String(clientSecret), uri);
    const person = await Person.signUp(service);
    const { accessToken } = await satellite.signIn(person.token);
    const asked = async () => (await service.get('/api/v1/iam/me', accessToken)).status;
    const name = ['--client-id', 'forum'];
    expect(await asked()).toBe(200);
    expect(await resultOf('satellite:disable', ...name)).toEqual({ clientId: 'forum', status: 'disabled' });
    expect(await asked()).toBe(401);
    expect(await resultOf('satellite:enable', ...name)).toEqual({ clientId: 'forum', status: 'active' });
    expect(await asked()).toBe(200);
  });

  it('grants and revokes the role of an operator, effective at once', async () => {
    const person = await Person.signUp(service);
    const list = () => service.get('/api/v1/iam/satellites', person.token);
    expect((await list()).status).toBe(403);
    expect(await resultOf('operator:grant', '--account', person.email.toUpperCase())).toEqual({
      operatorId: person.id,
      role: 'admin',
      scopes: null,
    });
    expect((await list()).status).toBe(200);
    expect(await resultOf('operator:revoke', '--account', person.email)).toEqual({ operatorId: person.id });
    expect((await list()).status).toBe(403);
  });

  it('records the end of the role only of a person who had it', async () => {
    const { id, email } = await Person.signUp(service);
    const recorded = () =>
      service.sql('SELECT 1 FROM audit_events WHERE account_id = $1 AND action = $2', [
        id,
        'account.ceased-as-operator',
      ]);
    await resultOf('operator:revoke', '--account', email);
    expect(await recorded()).toHaveLength(0);
    await resultOf('operator:grant', '--account', email);
    await resultOf('operator:revoke', '--account', email);
    expect(await recorded()).toHaveLength(1);
  });

  it('suspends no operator, as the console does not: they are removed first', async () => {
    const { email, token } = await Person.signUp(service);
    await resultOf('operator:grant', '--account', email);
    await expect(resultOf('account:suspend', '--account', email)).rejects.toThrow(
      'Remove the operator first',
    );
    expect((await service.get('/api/v1/iam/me', token)).status).toBe(200);
    await resultOf('operator:revoke', '--account', email);
    await resultOf('account:suspend', '--account', email);
    expect((await service.get('/api/v1/iam/me', token)).status).toBe(401);
  });

  it('suspends a person at once, by address or id, and restores them', async () => {
    const person = await Person.signUp(service);
    const asked = async () => (await service.get('/api/v1/iam/me', person.token)).status;
    const byAddress = ['--account', person.email.toUpperCase()];
    const byId = ['--account', person.id];
    const suspended = { accountId: person.id, status: 'suspended' };
    expect(await asked()).toBe(200);
    expect(await resultOf('account:suspend', ...byAddress)).toEqual(suspended);
    expect(await asked()).toBe(401);
    expect(await resultOf('account:suspend', ...byId)).toEqual(suspended);
    expect((await service.post('login', account(person))).status).toBe(401);
    const active = { accountId: person.id, status: 'active' };
    expect(await resultOf('account:restore', ...byId)).toEqual(active);
    expect(await resultOf('account:restore', ...byAddress)).toEqual(active);
    expect((await service.post('login', account(person))).status).toBe(200);
    expect(await asked()).toBe(401);
  });

  it('ends the sessions of a person, who can sign in again', async () => {
    const person = await Person.signUp(service);
    const ended = (count: number) => ({ accountId: person.id, ended: count });
    expect(await resultOf('sessions:end', '--account', person.email)).toEqual(ended(1));
    expect((await service.get('/api/v1/iam/me', person.token)).status).toBe(401);
    expect(await resultOf('sessions:end', '--account', person.id)).toEqual(ended(0));
    await Person.again(person);
  });

  it('lists the satellites, operators and keys as JSON for programs', async () => {
    const person = await Person.signUp(service);
    await resultOf('operator:grant', '--account', person.email);
    expect(await resultOf('operator:list')).toEqual({
      items: [{ accountId: person.id, role: 'admin', scopes: null, since: expect.any(String) }],
      nextCursor: null,
    });
    expect(await resultOf('keys:list', '--json')).toEqual({
      items: [
        {
          kid: expect.any(String),
          status: 'signing',
          createdAt: expect.any(String),
          signsFrom: expect.any(String),
        },
      ],
      nextCursor: null,
    });
  });

  it('reports errors in one line and exits with status 1', async () => {
    const { code, stdout, stderr } = await run('operator:grant', '--account', 'eve@example.com');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe('--account: no account with this address or id; logs and audit trails have the id\n');
  });

  it('reports an unknown command in two lines and exits with status 2', async () => {
    const { code, stdout, stderr } = await run('satellite:lst');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe("unknown command 'satellite:lst'\n(Did you mean satellite:list?)\n");
  });

  it('prints help and exits with status 0', async () => {
    const { code, stdout, stderr } = await run('satellite:register', '--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/--redirect-uri <uri> +address that receives its codes; can be\s+repeated\n/);
  });
});

describe('The command line without a service', () => {
  let folder: string;
  beforeEach(async () => (folder = temporaryFolder('none')));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('creates no database in an empty folder', async () => {
    const { code, stdout, stderr } = await runBuilt(CLI, ['keys:rotate'], { DATA_DIR: folder });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^There is no database in .* create one by the command migrate\.\n$/);
    expect(await readdir(folder)).toEqual([]);
  });
});

/** Runs the commands in this process: each process of its own takes a second of processor time. */
describe('A command', () => {
  const app = withApp();
  beforeAll(async () => {
    await app.command(...register, ...uris);
  });

  it.each([
    [[...register, ...uris], 'A satellite with the client id help-centre already exists.'],
    [
      [...register, '--redirect-uri', 'http://help.example.com/a'],
      '--redirect-uri http://help.example.com/a: must be an https address',
    ],
    [['satellite:register', '--client-id', 'X', '--name', '', '--redirect-uri', 'x'], '--client-id: must be'],
    [['satellite:show', '--client-id', 'unknown'], '--client-id: no satellite with this client id'],
    [['satellite:rotate-secret', '--client-id', 'unknown'], '--client-id: no satellite with this client id'],
    [['satellite:set-scopes', '--client-id', 'unknown'], '--client-id: no satellite with this client id'],
    [
      [...register, ...uris, '--scope', 'iam:tenant:explode'],
      '--scope iam:tenant:explode: There is no such permission.',
    ],
    [['satellite:disable', '--client-id', 'unknown'], '--client-id: no satellite with this client id'],
    [['satellite:enable', '--client-id', 'unknown'], '--client-id: no satellite with this client id'],
    [['satellite:list', '--limit', '101'], '--limit: must be a number from 1 to 100'],
    [['satellite:list', '--cursor', 'x'], '--cursor: must be a nextCursor of this list'],
    [['operator:grant', '--account', 'unknown@example.com'], '--account: no account'],
    [['operator:revoke', '--account', 'unknown@example.com'], '--account: no account'],
    [['organization:lift-sso', '--organization', 'x'], '--organization: no organization with this id'],
    [['agent:list', '--organization', 'x'], '--organization: no organization with this id'],
    [['partnership:list', '--organization', 'x'], '--organization: no organization with this id'],
    [['access-request:list', '--organization', 'x'], '--organization: no organization with this id'],
    [['assignment:list', '--organization', 'x'], '--organization: no organization with this id'],
    [['station:list', '--organization', 'x'], '--organization: no organization with this id'],
    [['worker:list', '--organization', 'x'], '--organization: no organization with this id'],
    [['people:import', '--file', '/nowhere/people'], '--file /nowhere/people: does not exist'],
    [['api:delete', '--api', 'x'], '--api x: does not exist'],
    [
      ['account:suspend', '--account', 'unknown@example.com'],
      '--account: no account with this address or id; logs and audit trails have the id',
    ],
    [['account:restore', '--account', '01K3V9D7Q8Z4X5N6M7P8R9S0T1'], '--account: no account'],
    [['account:show', '--account', 'unknown@example.com'], '--account: no account'],
    [['sessions:end', '--account', ''], '--account: no account'],
  ])('reports what is wrong with %j', async (words, sentence) => {
    await expect(app.command(...words)).rejects.toThrow(sentence);
  });

  it('lists satellites page by page, and shows one', async () => {
    await app.command('satellite:register', '--client-id', 'wiki', '--name', 'Wiki', ...uris);
    const first = await list('satellite:list', '--limit', '1');
    expect(first.items).toEqual([
      {
        id: expect.any(String),
        clientId: 'help-centre',
        name: 'Help centre',
        status: 'active',
        satelliteCodes: true,
        redirectUris: ['https://help.example.com/a', 'https://help.example.com/b'],
        scopes: [],
        createdAt: expect.any(Date),
      },
    ]);
    const second = await list('satellite:list', '--limit', '1', '--cursor', String(first.nextCursor));
    expect(second).toMatchObject({ items: [{ clientId: 'wiki' }], nextCursor: null });
    await app.command('satellite:disable', '--client-id', 'wiki');
    expect(await app.command('satellite:show', '--client-id', 'wiki')).toMatchObject({ status: 'disabled' });
  });

  it('lists what became of the mails to an account, without the address', async () => {
    const { email } = await Person.again({ service: app, ...(await app.register()) });
    const { items, nextCursor } = await list('mail:list', '--account', email);
    expect(items).toEqual([expect.objectContaining({ kind: 'verification', state: 'sent', attempts: 1 })]);
    expect(nextCursor).toBeNull();
    expect(JSON.stringify(items)).not.toContain(email);
    await expect(app.command('mail:list', '--account', 'unknown@example.com')).rejects.toThrow('no account');
  });

  it('lists the webhooks of an organization, or of the platform, page by page', async () => {
    const organization = await Organization.found(app);
    const subscription = (name: string) => ({ url: `https://${name}.example.com/`, types: ['iam.role.*'] });
    for (const name of ['first', 'second'])
      await app.call('POST', '/api/v1/webhooks/subscriptions', subscription(name), organization.owner);
    const ofOrganization = ['webhook:list', '--organization', organization.id, '--limit', '1'];
    const first = await list(...ofOrganization);
    expect(first.items).toEqual([
      expect.objectContaining({ url: 'https://first.example.com/', status: 'active', reason: null }),
    ]);
    const second = await list(...ofOrganization, '--cursor', String(first.nextCursor));
    expect(second).toMatchObject({ items: [{ url: 'https://second.example.com/' }], nextCursor: null });
    expect(await list('webhook:list')).toEqual({ items: [], nextCursor: null });
    await expect(app.command('webhook:list', '--organization', 'x')).rejects.toThrow('no organization');
  });

  it('finds accounts by any part of their address in pages, without personal data', async () => {
    const people = await Promise.all(
      ['zoe.a', 'zoe.b', 'zoe.c', 'zo'].map((name) => Person.signUp(app, `${name}@find.example`)),
    );
    const ids = people.slice(0, 3).map(({ id }) => id);
    const newest = ids.toSorted().reverse();
    const first = await list('account:find', '--query', 'OE.', '--limit', '2');
    expect(first.items).toEqual([]); // too short for a part
    const page = await list('account:find', '--query', 'zoe.', '--limit', '2');
    expect(page.items).toEqual(
      newest.slice(0, 2).map((accountId) => ({ accountId, status: 'active', createdAt: expect.any(Date) })),
    );
    const next = ['account:find', '--query', 'zoe.', '--cursor', String(page.nextCursor)];
    expect(await list(...next, '--personal-data')).toMatchObject({
      items: [{ accountId: newest[2], firstName: expect.any(String) }],
      nextCursor: null,
    });
  });

  it('finds organizations by any part of their name or an id, newest first, in pages', async () => {
    const [first, second] = [await Organization.found(app), await Organization.found(app)];
    for (const { id, owner } of [first, second])
      await app.call('PATCH', `/api/v1/iam/tenants/${id}`, { name: `Quayside ${id}` }, owner);
    const page = await list('organization:find', '--query', 'quaysi', '--limit', '1');
    expect(page.items).toEqual([
      {
        organizationId: second.id,
        name: `Quayside ${second.id}`,
        slug: null,
        createdAt: expect.any(Date),
        archivedAt: null,
      },
    ]);
    const next = ['organization:find', '--query', 'quaysi', '--cursor', String(page.nextCursor)];
    expect(await list(...next)).toMatchObject({ items: [{ organizationId: first.id }], nextCursor: null });
    expect(await list('organization:find', '--query', first.id)).toMatchObject({
      items: [{ organizationId: first.id }],
    });
    expect(await list('organization:find')).toMatchObject({ items: expect.arrayContaining(page.items) });
  });

  it('finds accounts by a short beginning of their address, and not after one that is erased', async () => {
    const [a, b] = await Promise.all(
      ['qx@find.example', 'qx1@find.example'].map((email) => Person.signUp(app, email)),
    );
    const first = await list('account:find', '--query', 'QX', '--limit', '1');
    expect(first.items).toMatchObject([{ accountId: b?.id }]);
    const next = ['account:find', '--query', 'qx', '--cursor', String(first.nextCursor)];
    expect(await list(...next)).toMatchObject({ items: [{ accountId: a?.id }], nextCursor: null });
    await app.sql('UPDATE accounts SET email = NULL, email_key = NULL WHERE id = $1', [b?.id]);
    await expect(app.command(...next)).rejects.toThrow('--cursor: names an erased account');
  });

  it('finds an account by its whole address or id, and none by a wildcard', async () => {
    const { id, email } = await Person.signUp(app);
    const found = { items: [{ accountId: id }], nextCursor: null };
    expect(await list('account:find', '--query', email)).toMatchObject(found);
    expect(await list('account:find', '--query', id)).toMatchObject(found);
    expect(await list('account:find', '--query', '%')).toMatchObject({ items: [] });
    expect(await list('account:find', '--query', '01K3V9D7Q8Z4X5N6M7P8R9S0T1')).toMatchObject({ items: [] });
  });

  it('shows an account, with personal data where it is asked for', async () => {
    const { id, email } = await Person.signUp(app);
    await app.command('account:suspend', '--account', id);
    await app.command('operator:grant', '--account', email);
    const shown = {
      accountId: id,
      status: 'suspended',
      createdAt: expect.any(Date),
      suspendedAt: expect.any(Date),
      hasPassword: true,
      operator: true,
    };
    expect(await app.command('account:show', '--account', email)).toEqual(shown);
    const personal = { email, firstName: 'Ada', company: null, country: null, locale: expect.anything() };
    expect(await app.command('account:show', '--account', id, '--personal-data')).toMatchObject({
      ...shown,
      ...personal,
      locale: null,
    });
    await app.command('operator:revoke', '--account', email);
  });

  it('lists operators in pages, with addresses where it is asked for', async () => {
    const people = await Promise.all([Person.signUp(app), Person.signUp(app)]);
    for (const { email } of people) await app.command('operator:grant', '--account', email);
    const [first, second] = people.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const page = await list('operator:list', '--limit', '1', '--personal-data');
    expect(page.items).toEqual([
      {
        accountId: first?.id,
        role: 'admin',
        scopes: null,
        since: expect.any(Date),
        email: first?.email,
        firstName: 'Ada',
        lastName: null,
        displayName: null,
      },
    ]);
    const next = await list('operator:list', '--cursor', String(page.nextCursor));
    expect(next.items).toEqual([
      { accountId: second?.id, role: 'admin', scopes: null, since: expect.any(Date) },
    ]);
  });

  it('tells the signing key from its successor and its predecessors', async () => {
    await app.sql("UPDATE signing_keys SET signs_from = now() - interval '1 hour'");
    const { kid: next } = (await app.command('keys:rotate')) as { kid: string };
    await app.sql(
      "INSERT INTO signing_keys (kid, public_jwk, sealed_private_key, signs_from) SELECT 'older', public_jwk, sealed_private_key, signs_from - interval '1 hour' FROM signing_keys WHERE kid <> $1",
      [next],
    );
    const { items } = await list('keys:list');
    expect(items).toMatchObject([
      { kid: next, status: 'published' },
      { status: 'signing' },
      { kid: 'older', status: 'retired' },
    ]);
  });

  const list = (...words: string[]) =>
    app.command(...words) as Promise<{ items: unknown[]; nextCursor: string | null }>;
});
