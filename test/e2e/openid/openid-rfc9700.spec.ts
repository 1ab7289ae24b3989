import { createHash } from 'node:crypto';
import { decodeJwt } from 'jose';
import { Organization, Person } from '../../support/organization.js';
import { RelyingParty } from '../../support/relying-party.js';
import { signUpOperator } from '../../support/satellite.js';
import { withApp } from '../../support/test-app.js';

/** An attack, by the section of RFC 9700 that asks for the defence. */
type Attack = readonly [section: string, it: string, attack: () => Promise<void>];

const ISSUER = 'http://gatehouse.test';
const ORDERS = 'https://orders.example/api';

/** What clients ask for, and what of it they ask for in vain at a refresh. */
const TARGETS = [
  { what: 'this service', asked: { scope: 'openid' }, more: 'openid email', granted: 'openid' },
  {
    what: 'an API of others',
    asked: { scope: 'openid read', resource: ORDERS },
    more: 'openid read write',
    granted: 'read',
  },
] as const;

/** The library makes none of a verifier that is empty. */
const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

describe.each(TARGETS)('The OpenID provider under the attacks of RFC 9700, for $what', (target) => {
  let ada: Person;
  let client: RelyingParty;
  let other: RelyingParty;
  let native: RelyingParty;
  let operator: Person;
  let apiId: string;
  const app = withApp();
  beforeAll(async () => {
    ada = await Person.signUp(app);
    client = await RelyingParty.register(app, { scopes: ['iam:tenant:read'] });
    other = await RelyingParty.register(app);
    native = await RelyingParty.register(app, { type: 'public' });
    const scopes = ['read', 'write'].map((name) => ({ name, title: name }));
    const api = { identifier: ORDERS, name: 'Orders', scopes };
    operator = await signUpOperator(app);
    const { body } = await app.call('POST', '/api/v1/iam/apis', api, { token: operator.token });
    apiId = String(body['id']);
    for (const party of [client, other, native]) await reach(party);
  });

  const reach = async ({ clientId }: RelyingParty) => {
    const path = `/api/v1/iam/satellites/${clientId}/apis/${apiId}`;
    const scopes = ['read', 'write'];
    expect((await app.call('PUT', path, { scopes }, { token: operator.token })).status).toBe(200);
  };
  const depart = (rp = client, parameters: Record<string, string> = {}) =>
    rp.depart({ ...target.asked, ...parameters });
  const signIn = (rp: RelyingParty, { token }: { token: string }) => rp.signIn(token, target.asked);

  const open = (url: URL) => fetch(url.href.replace(ISSUER, app.url), { redirect: 'manual' });
  const errorOf = async (parameters: Record<string, string>) =>
    (await client.open((await depart(client, parameters)).url)).searchParams.get('error');
  const codeFor = async (rp = client, parameters = {}) => {
    const request = await rp.request({ ...target.asked, ...parameters });
    const { body } = await rp.approve(request.id, ada.token);
    return { ...request, code: new URL(String(body['redirectTo'])).searchParams.get('code') ?? '' };
  };
  const redeem = (rp: RelyingParty, form: Record<string, string>) =>
    rp.post(
      '/oauth2/token',
      {
        grant_type: 'authorization_code',
        redirect_uri: rp.redirectUri,
        ...(rp === native && { client_id: rp.clientId }),
        ...form,
      },
      rp === native ? null : rp.authorization,
    );
  const refresh = (rp: RelyingParty, token: string, more: Record<string, string> = {}) =>
    rp.post(
      '/oauth2/token',
      {
        grant_type: 'refresh_token',
        refresh_token: token,
        ...(rp === native && { client_id: rp.clientId }),
        ...more,
      },
      rp === native ? null : rp.authorization,
    );
  const refused = { status: 400, body: { error: 'invalid_grant' } };

  const ATTACKS: readonly Attack[] = [
    [
      '2.1',
      'redirects to no address that is similar to a registered one',
      async () => {
        for (const uri of [`${client.redirectUri}x`, `${client.redirectUri}?a=b`, other.redirectUri]) {
          const response = await open((await depart(client, { redirect_uri: uri })).url);
          expect([response.status, response.headers.get('location')]).toEqual([400, null]);
        }
      },
    ],
    [
      '2.1.1',
      'demands PKCE by S256 of confidential and public clients',
      async () => {
        for (const rp of [client, native]) {
          const { url } = await depart(rp);
          url.searchParams.delete('code_challenge');
          expect((await rp.open(url)).searchParams.get('error')).toBe('invalid_request');
        }
        expect(await errorOf({ code_challenge_method: 'plain' })).toBe('invalid_request');
      },
    ],
    [
      '2.1.1',
      'takes no code without its verifier (downgrade)',
      async () => {
        const { code } = await codeFor();
        expect(await redeem(client, { code })).toMatchObject(refused);
        const whole = `${'aZ9-._~'.repeat(18)}xx`;
        const [least, most] = [whole.slice(0, 43), whole];
        for (const verifier of ['', whole.slice(0, 42), `${most}x`, `${least}+`, `${least}\n`]) {
          const code_challenge = challengeOf(verifier);
          const weak = await codeFor(client, { code_challenge });
          const form = { code: weak.code, ...(verifier !== '' && { code_verifier: verifier }) };
          expect([verifier, await redeem(client, form)]).toMatchObject([verifier, refused]);
        }
        for (const verifier of [least, most]) {
          const code_challenge = challengeOf(verifier);
          const good = await codeFor(client, { code_challenge });
          expect((await redeem(client, { code: good.code, code_verifier: verifier })).status).toBe(200);
        }
      },
    ],
    [
      '2.1.2',
      'issues no token in the front channel',
      async () => {
        for (const type of ['token', 'id_token', 'id_token token', 'code token', 'code id_token', 'none'])
          expect(await errorOf({ response_type: type })).toBe('unsupported_response_type');
      },
    ],
    [
      '2.2.1',
      'binds tokens to a key where the registration says so',
      async () => {
        const strict = await RelyingParty.register(app, { requireDpop: true });
        await reach(strict);
        const { code, verifier } = await codeFor(strict);
        expect(await redeem(strict, { code, code_verifier: verifier })).toMatchObject({
          status: 400,
          body: { error: 'invalid_dpop_proof' },
        });
      },
    ],
    [
      '2.3',
      'restricts an access token to its audience, client and scopes',
      async () => {
        const { owner, id } = await Organization.found(app);
        const asked = { scope: 'openid tenant iam:tenant:read' };
        const { access_token: token } = await client.signIn(owner.token, asked);
        expect(decodeJwt(token)).toMatchObject({ iss: ISSUER, client_id: client.clientId });
        expect(decodeJwt(token).aud).toBeDefined();
        expect((await app.get(`/api/v1/iam/tenants/${id}`, token)).status).toBe(200);
        expect((await app.get(`/api/v1/iam/tenants/${id}/members`, token)).status).toBe(403);
        expect((await app.get('/api/v1/iam/me', token)).status).toBe(403);
        const ofApi = (await client.signIn(owner.token, { scope: 'openid read', resource: ORDERS }))
          .access_token;
        expect(decodeJwt(ofApi)).toMatchObject({ aud: ORDERS, client_id: client.clientId, scope: 'read' });
        expect((await app.get('/api/v1/iam/me', ofApi)).status).toBe(401);
      },
    ],
    [
      '2.4',
      'knows no password grant',
      async () => {
        const form = { grant_type: 'password', username: ada.email, password: ada.password };
        expect(await client.post('/oauth2/token', form)).toMatchObject({
          body: { error: 'unsupported_grant_type' },
        });
        expect(
          (await app.get('/.well-known/openid-configuration')).body['grant_types_supported'],
        ).not.toContain('password');
      },
    ],
    [
      '4.2.4',
      'lets no page that saw a code leak it, and takes each code once',
      async () => {
        const { code, verifier, url } = await codeFor();
        expect((await open(url)).headers.get('referrer-policy')).toMatch(/no-referrer|same-origin/);
        expect((await redeem(client, { code, code_verifier: verifier })).status).toBe(200);
        expect(await redeem(client, { code, code_verifier: verifier })).toMatchObject(refused);
      },
    ],
    [
      '4.3.2',
      'takes no access token from an address',
      async () => {
        const { access_token: token } = await signIn(client, ada);
        const response = await fetch(`${app.url}/oauth2/userinfo?access_token=${token}`);
        expect(response.status).toBe(401);
      },
    ],
    [
      '4.4.2',
      'names the issuer in each answer (mix-up)',
      async () => {
        const { id } = await client.request(target.asked);
        const approved = await client.approve(id, ada.token);
        const denied = await client.deny((await client.request(target.asked)).id);
        const failed = await client.open((await depart(client, { prompt: 'x' })).url);
        for (const back of [approved.body['redirectTo'], denied.body['redirectTo'], failed.href])
          expect(new URL(String(back)).searchParams.get('iss')).toBe(ISSUER);
      },
    ],
    [
      '4.5.3',
      'takes no code that was injected into another sign-in or client',
      async () => {
        const [victim, attacker] = [await codeFor(), await codeFor()];
        expect(await redeem(client, { code: victim.code, code_verifier: attacker.verifier })).toMatchObject(
          refused,
        );
        const foreign = await codeFor();
        expect(await redeem(other, { code: foreign.code, code_verifier: foreign.verifier })).toMatchObject(
          refused,
        );
      },
    ],
    [
      '4.7.1',
      'lets no page of another origin decide, and returns the state as it is',
      async () => {
        const state = 'a b+c%26d&e=ü#';
        const { id } = await client.request({ ...target.asked, state });
        const forged = await fetch(`${app.url}/api/v1/iam/auth/authorizations/${id}/approve`, {
          method: 'POST',
          headers: { origin: 'https://attacker.example', 'content-type': 'application/json', cookie: 'x=1' },
          body: '{}',
        });
        expect(forged.status).toBe(401);
        expect(forged.headers.get('access-control-allow-origin')).not.toBe('https://attacker.example');
        const { body } = await client.approve(id, ada.token);
        expect(new URL(String(body['redirectTo'])).searchParams.get('state')).toBe(state);
      },
    ],
    [
      '4.9.2',
      'refuses a token of its own for another use',
      async () => {
        const { id_token: idToken = '', refresh_token: token = '' } = await signIn(client, ada);
        const { access_token: ofApi } = await client.signIn(ada.token, {
          scope: 'openid read',
          resource: ORDERS,
        });
        for (const wrong of [idToken, token, ofApi])
          expect((await app.get('/oauth2/userinfo', wrong)).status).toBe(401);
        expect(await refresh(client, idToken)).toMatchObject(refused);
      },
    ],
    [
      '4.11.2',
      'is no open redirector, neither at a logout',
      async () => {
        const attacker = 'https://attacker.example/';
        for (const path of [
          `/oauth2/authorize?client_id=unknown&redirect_uri=${attacker}`,
          `/oauth2/authorize?client_id=${client.clientId}&request_uri=${attacker}`,
          `/oauth2/logout?client_id=${client.clientId}&post_logout_redirect_uri=${attacker}`,
        ]) {
          const response = await fetch(app.url + path, { redirect: 'manual' });
          expect([path, response.status, response.headers.get('location')]).toEqual([path, 400, null]);
        }
        // The person may sign out, and stays here.
        const logout = `${app.url}/oauth2/logout?post_logout_redirect_uri=${attacker}`;
        const { headers } = await fetch(logout, { redirect: 'manual' });
        expect(headers.get('location')).toMatch(/\/sign-out$/);
      },
    ],
    [
      '4.12',
      'redirects by 303, so that no form is posted on',
      async () => {
        const { url } = await depart();
        const posted = await client.post('/oauth2/authorize', Object.fromEntries(url.searchParams), null);
        expect(posted.status).toBe(303);
      },
    ],
    [
      '4.14.2',
      'ends the refresh token of a public client that is used twice, and at a logout',
      async () => {
        const person = await Person.signUp(app);
        const { refresh_token: first = '' } = await signIn(native, person);
        const second = String((await refresh(native, first)).body['refresh_token']);
        const third = String((await refresh(native, second)).body['refresh_token']);
        expect(await refresh(native, first)).toMatchObject(refused);
        expect(await refresh(native, third)).toMatchObject(refused);
        const again = await Person.signUp(app);
        const { refresh_token: kept = '' } = await signIn(client, again);
        await app.post('logout', undefined, { token: again.token });
        expect(await refresh(client, kept)).toMatchObject(refused);
      },
    ],
    [
      '4.14.2',
      'gives no more scopes at a refresh, and nothing to another client',
      async () => {
        const { refresh_token: token = '' } = await signIn(client, ada);
        expect(await refresh(client, token, { scope: target.more })).toMatchObject({
          body: { error: 'invalid_scope' },
        });
        expect(await refresh(other, token)).toMatchObject(refused);
        const { scope } = target.asked;
        expect((await refresh(client, token, { scope })).body['scope']).toBe(target.granted);
      },
    ],
    [
      '4.15',
      'registers no client by the id of a person',
      async () => {
        await expect(RelyingParty.register(app, { clientId: 'gatehouse' })).rejects.toThrow();
        const { body } = await app.get('/.well-known/openid-configuration');
        expect(body).not.toHaveProperty('registration_endpoint');
        expect(ada.id).not.toMatch(/^[a-z][a-z0-9-]{1,62}[a-z0-9]$/); // the form of client ids
      },
    ],
    [
      '4.16',
      'lets no page frame the way to the decision',
      async () => {
        const { headers } = await open((await depart()).url);
        const policy = headers.get('content-security-policy') ?? '';
        expect(/frame-ancestors 'none'/.test(policy) || headers.get('x-frame-options') === 'DENY').toBe(true);
      },
    ],
    [
      '4.17',
      'answers by no message between windows',
      async () => {
        for (const mode of ['web_message', 'jwt'])
          expect(await errorOf({ response_mode: mode })).toBe('invalid_request');
      },
    ],
  ];

  // The table is read when the tests are declared: its attacks run later, with the app.
  it.each(ATTACKS)('section %s: %s', (_section, _it, attack) => attack());
});
