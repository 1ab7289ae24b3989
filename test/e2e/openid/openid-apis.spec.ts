import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { ulid } from 'ulid';
import { signedInAgo } from '../../support/aged.js';
import { age } from '../../support/ageing.js';
import { byTwoFactors } from '../../support/factors.js';
import { TokenSigner } from '../../../src/session/index.js';
import { Organization, Person, setSignInPolicy } from '../../support/organization.js';
import { RelyingParty } from '../../support/relying-party.js';
import { signUpOperator } from '../../support/satellite.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { eventually, TestApp, withApp } from '../../support/test-app.js';

const APIS = '/api/v1/iam/apis';
const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';
const REDIRECT_URI = 'https://foreign.example/callback';
const ORDERS = 'https://orders.example/api';
const INVALID_TARGET = { status: 400, body: { error: 'invalid_target' } };
const SCOPES = [
  { name: 'read', title: 'Read orders' },
  { name: 'orders:write', title: 'Change orders' },
  { name: 'admin', title: 'Manage orders', roles: ['owner', 'admin'] },
];

describe('APIs of others', () => {
  let operator: Person;
  let ada: Person;
  let organization: Organization;
  let orders: Record<string, unknown>;
  let credential: string;
  let client: RelyingParty;
  let stranger: RelyingParty;
  const app = withApp();
  beforeAll(async () => {
    operator = await signUpOperator(app);
    organization = await Organization.found(app);
    ada = await Person.signUp(app);
    orders = await registerApi({ identifier: ORDERS, name: 'Orders', scopes: SCOPES });
    credential = await credentialOf(orders);
    client = await partyOf();
    stranger = await RelyingParty.register(app, { firstParty: false });
    await reach(client, orders, ['read', 'orders:write', 'admin']);
  });

  const call = (method: string, path: string, body?: unknown) =>
    app.call(method, path, body, { token: operator.token });
  const registerApi = async (data: object): Promise<Record<string, unknown>> => {
    const { status, body } = await call('POST', APIS, data);
    expect([status, body]).toEqual([201, expect.anything()]);
    return body;
  };
  const credentialOf = async ({ id }: Record<string, unknown>): Promise<string> => {
    const { status, body } = await call('POST', `${APIS}/${String(id)}/credentials`);
    expect([status, body['clientId']]).toEqual([201, id]);
    return `Basic ${Buffer.from(`${String(id)}:${String(body['clientSecret'])}`).toString('base64')}`;
  };
  const reach = async (party: RelyingParty, { id }: Record<string, unknown>, scopes: string[]) => {
    const path = `/api/v1/iam/satellites/${party.clientId}/apis/${String(id)}`;
    expect(await call('PUT', path, { scopes })).toMatchObject({ status: 200, body: { scopes } });
  };
  const partyOf = (data: object = {}): Promise<RelyingParty> =>
    RelyingParty.register(app, {
      firstParty: false,
      grantTypes: ['authorization_code', 'refresh_token', DEVICE_CODE],
      ...data,
    });
  type Form = Readonly<Record<string, string>>;
  /** Signs in, as an OAuth client that knows no ID token. @returns the token response */
  const signIn = async (party: RelyingParty, parameters: Form, more: Form = {}, token = ada.token) => {
    const { id, verifier } = await party.request({ resource: ORDERS, ...parameters });
    const { body } = await party.approve(id, token);
    const code = new URL(String(body['redirectTo'])).searchParams.get('code') ?? '';
    const form = { grant_type: 'authorization_code', code, redirect_uri: party.redirectUri };
    return party.post('/oauth2/token', { ...form, code_verifier: verifier, ...more });
  };
  const refresh = (party: RelyingParty, tokens: Record<string, unknown>, more: Form = {}) =>
    party.post('/oauth2/token', {
      grant_type: 'refresh_token',
      refresh_token: String(tokens['refresh_token']),
      ...more,
    });
  const introspect = async (token: unknown, authorization = credential) =>
    (await client.post('/oauth2/introspect', { token: String(token) }, authorization)).body;
  const claimsOf = (tokens: Record<string, unknown>) => decodeJwt(String(tokens['access_token']));

  it('get tokens of one audience, by RFC 9068, with the scopes that were asked for', async () => {
    const { status, body } = await signIn(client, { scope: 'read' });
    expect([status, body]).toEqual([
      200,
      {
        access_token: expect.any(String),
        token_type: 'Bearer',
        expires_in: 600,
        refresh_token: expect.any(String),
        scope: 'read',
      },
    ]);
    const keys = createRemoteJWKSet(new URL(`${app.url}/.well-known/jwks.json`));
    const { payload } = await jwtVerify(String(body['access_token']), keys, {
      typ: 'at+jwt',
      audience: ORDERS,
      issuer: 'http://gatehouse.test',
    });
    expect(payload).toMatchObject({ aud: ORDERS, client_id: client.clientId, scope: 'read' });
    expect(payload.sub).not.toBe(ada.id);
    expect(JSON.stringify(payload)).not.toContain(ada.id);
  });

  it('are asked for at the token endpoint too, and cannot be changed there', async () => {
    const form = { scope: 'read' };
    expect((await signIn(client, form, { resource: ORDERS })).status).toBe(200);
    expect(await signIn(client, form, { resource: 'http://gatehouse.test' })).toMatchObject(INVALID_TARGET);
    const other = await registerApi({ identifier: 'https://other.example', name: 'Other', scopes: SCOPES });
    await reach(client, other, ['read']);
    expect(await signIn(client, form, { resource: 'https://other.example/' })).toMatchObject(INVALID_TARGET);
    expect(claimsOf((await signIn(client, { ...form, resource: 'https://other.example/' })).body).aud).toBe(
      'https://other.example',
    );
  });

  it('are found by any spelling of scheme and host, and get their own as the audience', async () => {
    const shop = await registerApi({ identifier: 'https://shop.example', name: 'Shop', scopes: SCOPES });
    await reach(client, shop, ['read']);
    for (const [resource, aud] of [
      [ORDERS.replace('https://orders', 'HTTPS://Orders'), ORDERS],
      ['https://SHOP.example/', 'https://shop.example'],
    ] as const)
      expect(claimsOf((await signIn(client, { resource, scope: 'read' })).body)).toMatchObject({ aud });
    for (const resource of [ORDERS.replace('/api', '/API'), `${ORDERS}/`, `${ORDERS}#x`, `${ORDERS}?x`]) {
      const back = await client.open((await client.depart({ resource, scope: 'read' })).url);
      expect([resource, back.searchParams.get('error')]).toEqual([resource, 'invalid_target']);
    }
  });

  it('are unknown alike if they do not exist, are not reached, or belong to others', async () => {
    const { status, body: own } = await organization.call('POST', '/apis', {
      identifier: 'https://own.example',
      name: 'Own',
      scopes: SCOPES,
    });
    expect(status).toBe(201);
    const answers = [];
    for (const [party, resource] of [
      [stranger, ORDERS],
      [client, 'https://unknown.example'],
      [client, String(orders['id'])],
      [client, 'https://own.example'],
    ] as const) {
      const url = (await party.depart({ resource, scope: 'read' })).url;
      const back = await party.open(url);
      answers.push([back.searchParams.get('error'), back.searchParams.get('error_description')]);
      const pushed = await party.post('/oauth2/par', Object.fromEntries(url.searchParams));
      answers.push([pushed.body['error'], pushed.body['error_description']]);
      const refreshed = await party.post('/oauth2/token', {
        grant_type: 'refresh_token',
        refresh_token: 'ghr_none',
        resource,
      });
      answers.push([refreshed.body['error'], refreshed.body['error_description']]);
    }
    expect(new Set(answers.map(String))).toEqual(new Set([String(answers[0])]));
    expect(answers[0]?.[0]).toBe('invalid_target');
    // Nor does it show to a caller who has not authenticated.
    for (const resource of [ORDERS, 'https://unknown.example']) {
      const form = { grant_type: 'refresh_token', refresh_token: 'x', resource };
      expect((await client.post('/oauth2/token', form, 'Basic YTpi')).body['error']).toBe('invalid_client');
      const credentials = { ...form, grant_type: 'client_credentials' };
      expect((await client.post('/oauth2/token', credentials, 'Basic YTpi')).body['error']).toBe(
        'invalid_client',
      );
    }
    expect(own['tenantId']).toBe(organization.id);
  });

  it('are refused by each other, by this service, and by introspection but their own', async () => {
    const other = await registerApi({ identifier: 'https://second.example', name: 'Second' });
    const ofOther = await credentialOf(other);
    const ours = await client.signIn(ada.token);
    const { body: theirs } = await signIn(client, { scope: 'openid read' });
    const { body: foreign } = await signIn(await secondParty(other), { resource: 'https://second.example' });
    const tokens = {
      ours: ours.access_token,
      theirs: theirs['access_token'],
      foreign: foreign['access_token'],
    };
    for (const [name, token] of Object.entries(tokens)) {
      const verdicts = {
        ours: (await app.get('/oauth2/userinfo', String(token))).status === 200,
        theirs: (await introspect(token))['active'],
        foreign: (await introspect(token, ofOther))['active'],
        byClient: (await introspect(token, client.authorization))['active'],
        me: (await app.get('/api/v1/iam/me', String(token))).status !== 401,
      };
      expect([name, verdicts]).toEqual([
        name,
        {
          ours: name === 'ours',
          theirs: name === 'theirs',
          foreign: name === 'foreign',
          byClient: name === 'ours',
          me: name === 'ours',
        },
      ]);
    }
    // An ID token is no access token of an API, nor is a refresh token.
    for (const token of [theirs['id_token'], theirs['refresh_token']])
      expect(await introspect(token)).toEqual({ active: false });
  });
  const secondParty = async (api: Record<string, unknown>) => {
    const { status } = await call('PATCH', `${APIS}/${String(api['id'])}`, { scopes: SCOPES });
    expect(status).toBe(200);
    const party = await partyOf({ firstParty: true });
    await reach(party, api, ['read']);
    return party;
  };

  it('give scopes that are registered for the client, consented, and held by the person', async () => {
    const { body } = await signIn(client, { scope: 'read admin orders:write unknown iam:tenant:read' });
    expect(body['scope']).toBe('read orders:write');
    const { id } = await client.request({ resource: ORDERS, scope: 'admin' });
    expect((await client.read(id)).body).toMatchObject({
      scopes: [],
      api: { identifier: ORDERS, name: 'Orders', scopes: [{ name: 'admin', title: 'Manage orders' }] },
      needsConsent: true,
    });
  });

  it('follow the roles of the person at each refresh, and the reach of the client', async () => {
    const member = await organization.join('admin');
    const party = await partyOf();
    await reach(party, orders, ['read', 'admin']);
    const { body } = await signIn(party, { scope: 'read admin' }, {}, member.token);
    expect([body['scope'], claimsOf(body)['tid']]).toEqual(['read admin', organization.id]);
    expect((await introspect(body['access_token']))['scope']).toBe('read admin');
    const roles = await organization.call('PATCH', `/members/${member.person.id}`, { roles: ['member'] });
    expect([roles.status, roles.body]).toEqual([200, expect.anything()]);
    await eventually('the scope is gone', async () => (await refresh(party, body)).body['scope'] === 'read');
    expect((await introspect(body['access_token']))['scope']).toBe('read');
    await reach(party, orders, []);
    await eventually(
      'the token is inactive',
      async () => (await introspect(body['access_token']))['active'] === false,
      1_000,
    );
    expect(await refresh(party, body)).toMatchObject(INVALID_TARGET);
  });

  it('ask for a role of the whole organization, until it ends', async () => {
    const member = await organization.join('member');
    const path = `/members/${member.person.id}`;
    const party = await partyOf();
    await reach(party, orders, ['read', 'admin']);
    const on = `gatehouse:///freight/depots/${ulid()}`;
    const held = await organization.call('POST', `${path}/assignments`, { role: 'admin', on });
    expect(held).toMatchObject({ status: 201 });
    expect((await signIn(party, { scope: 'read admin' }, {}, member.token)).body['scope']).toBe('read');
    const until = new Date(Date.now() + 2_000).toISOString();
    const roles = ['member', { key: 'admin', until }];
    expect((await organization.call('PATCH', path, { roles })).status).toBe(200);
    const { body } = await signIn(party, { scope: 'read admin' }, {}, member.token);
    expect(body['scope']).toBe('read admin');
    await eventually(
      'the scope has ended with the role',
      async () => (await introspect(body['access_token']))['scope'] === 'read',
    );
    expect((await refresh(party, body)).body['scope']).toBe('read');
  });

  it('do not know people of a partner in the host, who enter by its own app only', async () => {
    const partner = await Organization.found(app);
    const { person } = await partner.join('member');
    const offer = { email: partner.owner.person.email, roles: ['admin'] };
    const { id } = (await organization.call('POST', '/partnerships', offer)).body;
    await partner.call('POST', `/partner-access/${String(id)}/accept`);
    await partner.call('PUT', `/partner-access/${String(id)}/people/${person.id}`, { roles: ['admin'] });
    const party = await partyOf();
    await reach(party, orders, ['read', 'admin']);
    const { id: asked } = await party.request({ resource: ORDERS, scope: 'read admin' });
    const inHost = await party.approve(asked, await person.select(organization.id));
    expect(inHost).toMatchObject({ status: 403, body: { type: '/errors/not-a-member' } });
    const { body } = await signIn(party, { scope: 'read admin' }, {}, person.token);
    expect([body['scope'], claimsOf(body)['tid']]).toEqual(['read', undefined]);
  });

  it('lose a scope at the next refresh once the client does not reach it any more', async () => {
    const party = await partyOf();
    await reach(party, orders, ['read', 'orders:write']);
    const { body } = await signIn(party, { scope: 'read orders:write' });
    await reach(party, orders, ['read']);
    await eventually(
      'the scope is gone',
      async () => (await refresh(party, body)).body['scope'] === 'read',
      1_000,
    );
    await reach(party, orders, ['read', 'orders:write']);
    await eventually(
      'the scope is back, to which the person has consented',
      async () => (await refresh(party, body)).body['scope'] === 'read orders:write',
      1_000,
    );
  });

  it('that a public client has lost for a while end neither its grant nor the session', async () => {
    const spa = await partyOf({ type: 'public' });
    await reach(spa, orders, ['read']);
    const visitor = await Person.signUp(app);
    const { body } = await signIn(spa, { scope: 'read' }, {}, visitor.token);
    await reach(spa, orders, []);
    expect(await refresh(spa, body)).toMatchObject(INVALID_TARGET);
    await reach(spa, orders, ['read']);
    await age(app, 'grants', 60, 'client_id = $1', [spa.clientId]);
    expect((await refresh(spa, body)).status).toBe(200);
    expect((await app.get('/api/v1/iam/me', visitor.token)).status).toBe(200);
  });

  it('are told of access tokens only: a token of another type is none, whatever it names', async () => {
    const { body } = await signIn(client, { scope: 'read' });
    const { jti: _jti, ...claims } = claimsOf(body);
    const signer = app.app.get(TokenSigner, { strict: false });
    for (const alg of ['ES256', 'RS256'] as const)
      for (const [typ, active] of [
        ['at+jwt', true],
        ['JWT', false],
        ['oauth-id-jag+jwt', false],
        ['logout+jwt', false],
      ] as const) {
        const state = await introspect(await signer.signJwtBy(alg, typ, claims));
        expect([alg, typ, state['active']]).toEqual([alg, typ, active]);
      }
  });

  it('are narrowed by a refresh, and exchanged for another one that was consented', async () => {
    const party = await partyOf();
    const second = await registerApi({ identifier: 'https://third.example', name: 'Third', scopes: SCOPES });
    await reach(party, orders, ['read', 'orders:write']);
    await reach(party, second, ['read']);
    const { body } = await signIn(party, { scope: 'read orders:write' });
    expect((await refresh(party, body, { scope: 'read' })).body['scope']).toBe('read');
    expect((await refresh(party, body)).body['scope']).toBe('read orders:write');
    expect((await refresh(party, body, { scope: 'read admin' })).body['error']).toBe('invalid_scope');
    const resource = 'https://third.example';
    expect(await refresh(party, body, { resource })).toMatchObject(INVALID_TARGET);
    expect((await signIn(party, { resource, scope: 'read' })).status).toBe(200);
    const { body: moved } = await refresh(party, body, { resource });
    expect([claimsOf(moved).aud, moved['scope']]).toEqual([resource, 'read']);
    // Our own API was never asked for.
    expect(await refresh(party, body, { resource: 'http://gatehouse.test' })).toMatchObject(INVALID_TARGET);
  });

  it('end with the grant, the consent, the session and the client, within a second', async () => {
    const party = await partyOf();
    await reach(party, orders, ['read']);
    const inactive = (token: unknown) =>
      eventually('the token is inactive', async () => !(await introspect(token))['active'], 1_000);
    const { body: revoked } = await signIn(party, { scope: 'read' });
    expect(await introspect(revoked['access_token'])).toMatchObject({
      active: true,
      aud: ORDERS,
      client_id: party.clientId,
      scope: 'read',
      token_type: 'Bearer',
    });
    // Another client's revocation ends nothing.
    await stranger.post('/oauth2/revoke', { token: String(revoked['access_token']) });
    expect((await introspect(revoked['access_token']))['active']).toBe(true);
    await party.post('/oauth2/revoke', { token: String(revoked['access_token']) });
    await inactive(revoked['access_token']);
    expect((await refresh(party, revoked)).body['error']).toBe('invalid_grant');

    const { body: withdrawn } = await signIn(party, { scope: 'read' });
    const apps = (await app.get('/api/v1/iam/me/authorized-apps', ada.token)).body['items'];
    expect(apps).toContainEqual(
      expect.objectContaining({
        clientId: party.clientId,
        scopes: [],
        apis: [{ identifier: ORDERS, name: 'Orders', scopes: [{ name: 'read', title: 'Read orders' }] }],
      }),
    );
    const mine = `/api/v1/iam/me/authorized-apps/${party.clientId}`;
    expect((await app.call('DELETE', mine, undefined, { token: ada.token })).status).toBe(204);
    await inactive(withdrawn['access_token']);

    const eve = await Person.signUp(app);
    const { body: ended } = await signIn(party, { scope: 'read' }, {}, eve.token);
    await app.post('logout', {}, { token: eve.token });
    await inactive(ended['access_token']);
  });

  it('of an organization are for its members, and their tokens name it', async () => {
    const { body: api } = await organization.call('POST', '/apis', {
      identifier: 'https://fleet.example',
      name: 'Fleet',
      scopes: SCOPES,
    });
    const { body: registered } = await organization.call('POST', '/clients', {
      name: 'Fleet app',
      redirectUris: ['https://fleet.example/callback'],
    });
    const [clientId, clientSecret] = [String(registered['clientId']), String(registered['clientSecret'])];
    const party = await RelyingParty.of(app, {
      clientId,
      clientSecret,
      redirectUri: 'https://fleet.example/callback',
    });
    const path = `/clients/${clientId}/apis/${String(api['id'])}`;
    expect((await organization.call('PUT', path, { scopes: ['read', 'unknown'] })).status).toBe(400);
    expect((await organization.call('PUT', path, { scopes: ['read'] })).status).toBe(200);
    const resource = 'https://fleet.example';
    const { body } = await signIn(party, { resource, scope: 'read' }, {}, organization.owner.token);
    expect(claimsOf(body)).toMatchObject({ aud: resource, tid: organization.id, scope: 'read' });
    const outsider = await Person.signUp(app);
    const { id } = await party.request({ resource, scope: 'read' });
    expect((await party.approve(id, outsider.token)).status).toBe(403);
    // Another organization neither finds nor reaches it.
    const globex = await Organization.found(app);
    for (const method of ['GET', 'DELETE'])
      expect((await globex.call(method, `/apis/${String(api['id'])}`)).status).toBe(404);
    expect(
      (
        await call('PUT', `/api/v1/iam/satellites/${client.clientId}/apis/${String(api['id'])}`, {
          scopes: [],
        })
      ).status,
    ).toBe(404);
    // Not even a client that was given scopes of it past the rules.
    const { body: foreign } = await globex.call('POST', '/clients', {
      name: 'Foreign',
      redirectUris: [REDIRECT_URI],
    });
    const [foreignId, foreignSecret] = [String(foreign['clientId']), String(foreign['clientSecret'])];
    await app.sql("INSERT INTO api_clients VALUES ($1, $2, '{read}')", [String(api['id']), foreignId]);
    const thief = await RelyingParty.of(app, {
      clientId: foreignId,
      clientSecret: foreignSecret,
      redirectUri: REDIRECT_URI,
    });
    const asked = await thief.open((await thief.depart({ resource, scope: 'read' })).url);
    expect(asked.searchParams.get('error')).toBe('invalid_target');
    const again = { identifier: resource, name: 'Mine' };
    expect((await globex.call('POST', '/apis', again)).status).toBe(409);
  });

  it('are reached by service accounts that are given scopes', async () => {
    const { body: api } = await organization.call('POST', '/apis', {
      identifier: 'https://jobs.example',
      name: 'Jobs',
      scopes: [...SCOPES, { name: 'fresh', title: 'Fresh', maxAge: 60 }],
    });
    const account = { name: 'Export', roles: ['admin'] };
    const { body: created } = await organization.call('POST', '/service-accounts', account);
    const accountId = String(created['id']);
    const { body: key } = await organization.call('POST', `/service-accounts/${accountId}/keys`, {
      name: 'N',
    });
    const exchange = (more: Form = {}) =>
      client.post(
        '/oauth2/token',
        {
          grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
          subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
          subject_token: String(key['key']),
          resource: 'https://jobs.example',
          ...more,
        },
        null,
      );
    expect(await exchange()).toMatchObject(INVALID_TARGET);
    const path = `/clients/${accountId}/apis/${String(api['id'])}`;
    const scopes = ['read', 'orders:write', 'admin', 'fresh'];
    expect((await organization.call('PUT', path, { scopes })).status).toBe(200);
    const { body } = await exchange();
    expect(claimsOf(body)).toMatchObject({
      aud: 'https://jobs.example',
      sub: accountId,
      tid: organization.id,
    });
    // Roles and the age of a sign-in are of people.
    expect(body['scope']).toBe('read orders:write');
    expect((await exchange({ scope: 'read admin' })).body['error']).toBe('invalid_scope');
    expect((await exchange({ audience: 'http://gatehouse.test' })).body['error']).toBe('invalid_target');
    expect(
      (await app.get(`/api/v1/iam/tenants/${organization.id}`, String(body['access_token']))).status,
    ).toBe(401);
    const { body: made } = await organization.call('POST', `/apis/${String(api['id'])}/credentials`);
    const basic = `Basic ${Buffer.from(`${String(api['id'])}:${String(made['clientSecret'])}`).toString('base64')}`;
    expect(await introspect(body['access_token'], basic)).toMatchObject({ active: true, sub: accountId });
    await organization.call('DELETE', `/service-accounts/${accountId}/keys/${String(key['id'])}`);
    await eventually(
      'the token is inactive',
      async () => !(await introspect(body['access_token'], basic))['active'],
      1_000,
    );
  });

  it('ask for the strength and the age of the sign-in that their scopes need', async () => {
    const strict = await registerApi({
      identifier: 'https://strict.example',
      name: 'Strict',
      scopes: [
        { name: 'read', title: 'Read' },
        { name: 'pay', title: 'Pay', maxAge: 900 },
        { name: 'strong', title: 'Strong', acr: 'aal2' },
      ],
    });
    const party = await partyOf({ firstParty: true });
    await reach(party, strict, ['read', 'pay', 'strong']);
    const resource = 'https://strict.example';
    const late = await Person.signUp(app);
    const { accessToken } = await signedInAgo(app, late, 3_600);
    const approve = async (scope: string) => {
      const { id } = await party.request({ resource, scope });
      return (await party.approve(id, accessToken)).status;
    };
    expect([await approve('read'), await approve('read pay'), await approve('read strong')]).toEqual([
      200, 401, 401,
    ]);
    const silent = await party.request({ resource, scope: 'pay', prompt: 'none' });
    const { body } = await party.approve(silent.id, accessToken);
    expect(new URL(String(body['redirectTo'])).searchParams.get('error')).toBe('login_required');

    // Of a consent to all of them, a token has what the sign-in of its session satisfies.
    const fresh = await Person.signUp(app);
    const strong = byTwoFactors(app, fresh.token);
    const given = await signIn(party, { resource, scope: 'read pay strong' }, {}, strong);
    expect(given.body['scope']).toBe('read pay');
    const basic = await credentialOf(strict);
    expect((await introspect(given.body['access_token'], basic))['scope']).toBe('read pay');
    await signedInAgo(app, fresh, 1_000);
    const older = await refresh(party, given.body);
    expect([older.status, older.body['scope']]).toEqual([200, 'read']);
  });

  it('are reached by devices', async () => {
    const started = await client.post('/oauth2/device_authorization', { scope: 'read', resource: ORDERS });
    expect(started.status).toBe(200);
    const userCode = { userCode: started.body['user_code'] };
    const devices = '/api/v1/iam/auth/devices';
    const found = await app.call('POST', `${devices}/find`, userCode, { token: ada.token });
    expect(found.body).toMatchObject({ scopes: [], api: { name: 'Orders' } });
    expect((await app.call('POST', `${devices}/approve`, userCode, { token: ada.token })).status).toBe(204);
    const form = { grant_type: DEVICE_CODE, device_code: String(started.body['device_code']) };
    const { body } = await client.post('/oauth2/token', form);
    expect(claimsOf(body)).toMatchObject({ aud: ORDERS, scope: 'read' });
  });

  it('get tokens by RS256 with their own lifetime, if they ask for that', async () => {
    const api = await registerApi({
      identifier: 'https://rsa.example',
      name: 'RSA',
      scopes: SCOPES,
      accessTokenAlg: 'RS256',
      accessTokenSeconds: 3_600,
    });
    await reach(client, api, ['read']);
    const { body } = await signIn(client, { resource: 'https://rsa.example', scope: 'openid read' });
    expect([body['expires_in'], body['id_token']]).toEqual([3_600, expect.any(String)]);
    expect(decodeProtectedHeader(String(body['access_token']))).toMatchObject({
      alg: 'RS256',
      typ: 'at+jwt',
    });
    const keys = createRemoteJWKSet(new URL(`${app.url}/.well-known/jwks.json`));
    await jwtVerify(String(body['access_token']), keys, { audience: 'https://rsa.example' });
    expect((await introspect(body['access_token'], await credentialOf(api)))['active']).toBe(true);
  });

  it('of an organization say inactive when its policy refuses the sign-in', async () => {
    const member = await organization.join('member');
    const party = await partyOf({ firstParty: true });
    await reach(party, orders, ['read']);
    const { body } = await signIn(party, { scope: 'read' }, {}, member.token);
    expect(await introspect(body['access_token'])).toMatchObject({ active: true, tid: organization.id });
    await setSignInPolicy(organization, { secondFactor: 'required' });
    await eventually(
      'the token is inactive',
      async () => (await introspect(body['access_token']))['active'] === false,
      1_000,
    );
    await setSignInPolicy(organization, null);
  });

  it('bind the code by PKCE where no ID token does', async () => {
    const party = await partyOf({ requirePkce: false, firstParty: true });
    await reach(party, orders, ['read']);
    const { url } = await party.depart({ resource: ORDERS, scope: 'read' });
    url.searchParams.delete('code_challenge');
    url.searchParams.delete('code_challenge_method');
    expect((await party.open(url)).searchParams.get('error')).toBe('invalid_request');
  });

  it('keep a credential for a day after its successor, and none of another API', async () => {
    const { body } = await signIn(client, { scope: 'read' });
    const next = await credentialOf(orders);
    for (const authorization of [credential, next])
      expect((await introspect(body['access_token'], authorization))['active']).toBe(true);
    const wrong = `Basic ${Buffer.from(`${String(orders['id'])}:ghs_wrong`).toString('base64')}`;
    expect(await client.post('/oauth2/introspect', { token: 'x' }, wrong)).toMatchObject({ status: 401 });
    // Its user is the id, and not the identifier, which others choose.
    const [, secret = ''] = Buffer.from(next.slice(6), 'base64').toString().split(':');
    const named = `Basic ${Buffer.from(`${encodeURIComponent(ORDERS)}:${secret}`).toString('base64')}`;
    expect(await client.post('/oauth2/introspect', { token: 'x' }, named)).toMatchObject({ status: 401 });
    await app.sql('UPDATE apis SET previous_secret_until = now() WHERE id = $1', [String(orders['id'])]);
    await app.sql("SELECT pg_notify('gatehouse_apis_changed', $1)", [String(orders['id'])]);
    await eventually(
      'the old one is refused',
      async () => (await client.post('/oauth2/introspect', { token: 'x' }, credential)).status === 401,
    );
    credential = next;
  });

  it.each([
    ['https://a.example/', 'a slash without a path'],
    ['https://a.example/api#part', 'a fragment'],
    ['http://a.example', 'http'],
    ['https://user@a.example', 'a user'],
    ['http://gatehouse.test', 'this service'],
    ['http://gatehouse.test/api/scim/v2', 'its directories'],
    ['urn:api', 'no address'],
  ])('cannot be named %s: %s', async (identifier) => {
    expect((await call('POST', APIS, { identifier, name: 'X' })).status).toBe(400);
  });

  it('cannot be named as this service, by its address or its audience', async () => {
    const other = await TestApp.start({
      PORTAL: 'off',
      PUBLIC_URL: 'https://login.example',
      TOKEN_AUDIENCE: 'https://services.example',
    });
    try {
      const { token } = await signUpOperator(other);
      const register = async (identifier: string) =>
        (await other.call('POST', APIS, { identifier, name: 'X' }, { token })).status;
      for (const identifier of [
        'https://login.example',
        'https://login.example/api/scim/v2',
        'https://services.example',
      ])
        expect([identifier, await register(identifier)]).toEqual([identifier, 400]);
      expect(await register('https://login.example.net')).toBe(201);
    } finally {
      await other.stop();
    }
  });

  it('are listed by the client that reaches them', async () => {
    const party = await partyOf();
    const all = async () =>
      (await call('GET', `/api/v1/iam/satellites/${party.clientId}/apis`)).body['items'];
    expect(await all()).toEqual([]);
    await reach(party, orders, ['read']);
    const reached = { apiId: orders['id'], identifier: ORDERS, name: 'Orders', scopes: ['read'] };
    expect(await all()).toEqual([reached]);
    // A client of an organization shows it APIs of the platform, and none of another one.
    const { body: own } = await organization.call('POST', '/clients', {
      name: 'Own',
      redirectUris: [REDIRECT_URI],
    });
    const clientId = String(own['clientId']);
    const path = `/clients/${clientId}/apis`;
    const { body: api } = await organization.call('POST', '/apis', {
      identifier: 'https://listed.example',
      name: 'Listed',
      scopes: SCOPES,
    });
    await organization.call('PUT', `${path}/${String(api['id'])}`, { scopes: ['admin'] });
    await call('PUT', `/api/v1/iam/satellites/${clientId}/apis/${String(orders['id'])}`, {
      scopes: ['read'],
    });
    const globex = await Organization.found(app);
    const { body: foreign } = await globex.call('POST', '/apis', {
      identifier: 'https://foreign-listed.example',
      name: 'Foreign',
    });
    await app.sql("INSERT INTO api_clients VALUES ($1, $2, '{read}')", [String(foreign['id']), clientId]);
    const listed = {
      apiId: api['id'],
      identifier: 'https://listed.example',
      name: 'Listed',
      scopes: ['admin'],
    };
    expect((await organization.call('GET', path)).body['items']).toEqual([reached, listed]);
    expect((await organization.call('GET', `${path}?limit=1`)).body).toMatchObject({
      items: [reached],
      nextCursor: expect.any(String),
    });
    expect((await globex.call('GET', path)).status).toBe(404);
  });

  it('are managed by the command line', async () => {
    const party = await partyOf();
    const file = join(temporaryFolder('api'), 'api.json');
    await writeFile(file, JSON.stringify({ identifier: 'https://cli.example', name: 'CLI', scopes: SCOPES }));
    const { id } = (await app.command('api:register', '--file', file)) as { id: string };
    const { items } = (await app.command('api:list')) as { items: object[] };
    expect(items).toContainEqual(expect.objectContaining({ id, identifier: 'https://cli.example' }));
    const named = ['--client-id', party.clientId, '--api', id];
    await expect(app.command('api:set-reach', ...named, '--scope', 'unknown')).rejects.toThrow('scope');
    await app.command('api:set-reach', ...named, '--scope', 'read', '--scope', 'admin');
    const reached = { apiId: id, identifier: 'https://cli.example', name: 'CLI', scopes: ['read', 'admin'] };
    const list = () => app.command('api:list-reach', '--client-id', party.clientId);
    expect(await list()).toMatchObject({ items: [reached] });
    const { clientId, clientSecret } = (await app.command('api:create-credential', '--api', id)) as Record<
      string,
      string
    >;
    const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
    expect(await introspect('none', basic)).toEqual({ active: false });
    await app.command('api:set-reach', ...named);
    expect(await list()).toMatchObject({ items: [] });
    await app.command('api:delete', '--api', id);
    await expect(app.command('api:delete', '--api', id)).rejects.toThrow();
  });

  it('cannot name scopes of OpenID Connect, repeat them, or one with a space', async () => {
    const names = [['openid'], ['a', 'a'], ['a b'], ['a"']];
    for (const scopes of names.map((list) => list.map((name) => ({ name, title: name }))))
      expect((await call('POST', APIS, { identifier: 'https://b.example', name: 'B', scopes })).status).toBe(
        400,
      );
    const path = 'http://gatehouse.test/api';
    expect((await organization.call('POST', '/apis', { identifier: path, name: 'B' })).status).toBe(400);
  });

  it('give no further tokens once they are deleted', async () => {
    const api = await registerApi({ identifier: 'https://gone.example', name: 'Gone', scopes: SCOPES });
    await reach(client, api, ['read']);
    const { body } = await signIn(client, { resource: 'https://gone.example', scope: 'read' });
    expect((await call('DELETE', `${APIS}/${String(api['id'])}`)).status).toBe(204);
    expect(await refresh(client, body)).toMatchObject(INVALID_TARGET);
    const { url } = await client.depart({ resource: 'https://gone.example' });
    expect((await client.open(url)).searchParams.get('error')).toBe('invalid_target');
  });

  it('that are deleted leave nothing to who registers their identifier next', async () => {
    const resource = 'https://next.example';
    const api = await registerApi({ identifier: resource, name: 'First', scopes: SCOPES });
    await reach(client, api, ['read']);
    const first = await credentialOf(api);
    const { body } = await signIn(client, { resource, scope: 'read' });
    expect(await introspect(body['access_token'], first)).toMatchObject({ active: true });
    expect((await call('DELETE', `${APIS}/${String(api['id'])}`)).status).toBe(204);
    const again = { identifier: resource, name: 'Second', scopes: SCOPES };
    const { body: second } = await organization.call('POST', '/apis', again);
    const { body: created } = await organization.call('POST', `/apis/${String(second['id'])}/credentials`);
    const secret = `${String(second['id'])}:${String(created['clientSecret'])}`;
    const theirs = `Basic ${Buffer.from(secret).toString('base64')}`;
    expect(await introspect(body['access_token'], theirs)).toEqual({ active: false });
    expect(await introspect(body['access_token'], first)).toMatchObject({ error: 'invalid_client' });
    for (const more of [{}, { resource }] as Form[])
      expect(await refresh(client, body, more)).toMatchObject(INVALID_TARGET);
  });
});
