import { decodeJwt } from 'jose';
import { Organization, Person } from '../../support/organization.js';
import { RelyingParty } from '../../support/relying-party.js';
import { withApp } from '../../support/test-app.js';

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';
const ISSUER = 'http://gatehouse.test';
const OTHERS = [
  'https://api.example',
  `${ISSUER}/other`,
  `${ISSUER}.attacker.example`,
  'http://gatehouse.test:80',
  'HTTP://GATEHOUSE.TEST',
  'api',
];
const INVALID_TARGET = { status: 400, body: { error: 'invalid_target' } };

describe('Resource indicators (RFC 8707)', () => {
  let ada: Person;
  let client: RelyingParty;
  const app = withApp();
  beforeAll(async () => {
    ada = await Person.signUp(app);
    client = await RelyingParty.register(app, {
      grantTypes: ['authorization_code', 'refresh_token', DEVICE_CODE],
    });
  });

  /** Approves a request. @returns what the client sends to the token endpoint */
  const codeForm = async (): Promise<Record<string, string>> => {
    const { id, verifier } = await client.request();
    const { body } = await client.approve(id, ada.token);
    const code = new URL(String(body['redirectTo'])).searchParams.get('code') ?? '';
    const form = { code, code_verifier: verifier, redirect_uri: client.redirectUri };
    return { grant_type: 'authorization_code', ...form };
  };

  it.each([ISSUER, `${ISSUER}/`])('take %s as the API, at each endpoint', async (resource) => {
    const tokens = await client.signIn(ada.token, { resource });
    expect(decodeJwt(tokens.access_token).aud).toBe(ISSUER);
    const { url } = await client.depart({ resource });
    expect((await client.post('/oauth2/par', Object.fromEntries(url.searchParams))).status).toBe(201);
    expect((await client.post('/oauth2/token', { ...(await codeForm()), resource })).status).toBe(200);
    const device = { scope: 'openid', resource };
    expect((await client.post('/oauth2/device_authorization', device)).status).toBe(200);
  });

  it.each(OTHERS)('of another service, %s, are refused with invalid_target', async (resource) => {
    const { url, state } = await client.depart({ resource });
    const back = await client.open(url);
    expect(back.href).toContain(client.redirectUri);
    expect(Object.fromEntries(back.searchParams)).toMatchObject({ error: 'invalid_target', state });
    expect(await client.post('/oauth2/par', Object.fromEntries(url.searchParams))).toMatchObject(
      INVALID_TARGET,
    );
    const device = { scope: 'openid', resource };
    expect(await client.post('/oauth2/device_authorization', device)).toMatchObject(INVALID_TARGET);
  });

  it('that are several are refused with invalid_target: a token has one audience', async () => {
    const { url, state } = await client.depart({ resource: ISSUER });
    url.searchParams.append('resource', 'https://api.example');
    const back = await client.open(url);
    expect(Object.fromEntries(back.searchParams)).toMatchObject({ error: 'invalid_target', state });
    const form = await codeForm();
    const send = async (path: string, more: Record<string, string>) => {
      const body = new URLSearchParams(more);
      for (const resource of [ISSUER, 'https://api.example']) body.append('resource', resource);
      const headers = { authorization: client.authorization };
      const response = await fetch(app.url + path, { method: 'POST', headers, body });
      return { status: response.status, body: await response.json() };
    };
    const pushed = Object.fromEntries((await client.depart()).url.searchParams);
    expect(await send('/oauth2/par', pushed)).toMatchObject(INVALID_TARGET);
    expect(await send('/oauth2/device_authorization', { scope: 'openid' })).toMatchObject(INVALID_TARGET);
    expect(await send('/oauth2/token', form)).toMatchObject(INVALID_TARGET);
    expect((await client.post('/oauth2/token', form)).status).toBe(200);
  });

  it('of another service use no code, and rotate no refresh token', async () => {
    const form = await codeForm();
    const resource = 'https://api.example';
    expect(await client.post('/oauth2/token', { ...form, resource })).toMatchObject(INVALID_TARGET);
    expect((await client.post('/oauth2/token', form)).status).toBe(200);

    const native = await RelyingParty.register(app, { type: 'public' });
    const tokens = await native.signIn(ada.token);
    const refresh = {
      grant_type: 'refresh_token',
      refresh_token: String(tokens.refresh_token),
      client_id: native.clientId,
    };
    const refused = await native.post('/oauth2/token', { ...refresh, resource }, null);
    expect(refused).toMatchObject(INVALID_TARGET);
    const { body } = await native.post('/oauth2/token', refresh, null);
    expect(body['refresh_token']).toMatch(/\.2\./);
  });

  it('apply to service accounts, with the audience of a token exchange', async () => {
    const organization = await Organization.found(app);
    const account = { name: 'Export', roles: ['admin'] };
    const { body: created } = await organization.call('POST', '/service-accounts', account);
    const keys = `/service-accounts/${String(created['id'])}/keys`;
    const { body } = await organization.call('POST', keys, { name: 'Nightly' });
    const exchange = {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      subject_token: String(body['key']),
    };
    for (const name of ['resource', 'audience']) {
      expect((await client.post('/oauth2/token', { ...exchange, [name]: ISSUER }, null)).status).toBe(200);
      for (const other of OTHERS) {
        const refused = await client.post('/oauth2/token', { ...exchange, [name]: other }, null);
        expect([name, other, refused]).toEqual([name, other, expect.objectContaining({ status: 400 })]);
        expect(refused).toMatchObject(INVALID_TARGET);
      }
    }
  });

  it('are the resource that discovery names, which names this server', async () => {
    const { body } = await app.get('/.well-known/openid-configuration');
    const { body: resource } = await app.get('/.well-known/oauth-protected-resource');
    expect(body['protected_resources']).toEqual([resource['resource']]);
    expect(resource['authorization_servers']).toEqual([body['issuer']]);
  });
});
