import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { ulid } from 'ulid';
import { IdTokens } from '../../../src/openid/token/id-tokens.js';
import { DpopNonces } from '../../../src/session/index.js';
import { Organization } from '../../support/organization.js';
import { ProofKey } from '../../support/proof-key.js';
import { RelyingParty } from '../../support/relying-party.js';
import { withApp } from '../../support/test-app.js';

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';
const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token';
const REFRESH_TOKEN = 'urn:ietf:params:oauth:token-type:refresh_token';
const ISSUER = 'http://gatehouse.test';
const PARTNER = 'https://login.partner.example';
const CHAT = 'https://api.partner.example/';
const REDIRECT_URI = 'https://wiki.example/callback';

type Form = Readonly<Record<string, string>>;

/** Draft-ietf-oauth-identity-assertion-authz-grant, as the provider of the organization. */
describe('A client of an organization', () => {
  let organization: Organization;
  let client: RelyingParty;
  let partner: RelyingParty;
  const app = withApp();
  beforeAll(async () => {
    organization = await Organization.found(app);
    partner = await clientOf(organization, 'Chat');
    client = await clientOf(organization, 'Wiki');
    await allow({});
  });

  const clientOf = async (owner: Organization, name: string, more: object = {}) => {
    const { body } = await owner.call('POST', '/clients', { name, redirectUris: [REDIRECT_URI], ...more });
    const [clientId, clientSecret] = [String(body['clientId']), String(body['clientSecret'])];
    return RelyingParty.of(app, { clientId, clientSecret, redirectUri: REDIRECT_URI });
  };
  const allow = async (more: object, to = client) => {
    const audience = {
      audience: PARTNER,
      clientId: 'wiki-at-partner',
      resources: [CHAT],
      scopes: ['chat:read', 'chat:write'],
      relyingParty: partner.clientId,
      ...more,
    };
    return organization.call('PATCH', `/clients/${to.clientId}`, { assertionAudiences: [audience] });
  };
  const exchange = (form: Form, by = client) =>
    by.post('/oauth2/token', {
      grant_type: TOKEN_EXCHANGE,
      requested_token_type: ID_JAG,
      audience: PARTNER,
      subject_token_type: ID_TOKEN,
      ...form,
    });
  const signIn = (by = client, token = organization.owner.token) => by.signIn(token);
  const idTokenOf = async (by = client) => (await signIn(by)).id_token ?? '';
  const verify = async (token: unknown) => {
    const keys = createRemoteJWKSet(new URL(`${app.url}/.well-known/jwks.json`));
    return (
      await jwtVerify(String(token), keys, { typ: 'oauth-id-jag+jwt', issuer: ISSUER, audience: PARTNER })
    ).payload;
  };

  it('gets an assertion for an ID token: of the person, for the audience that is allowed', async () => {
    const subject_token = await idTokenOf();
    const { status, body } = await exchange({ subject_token, resource: CHAT, scope: 'chat:read admin' });
    expect([status, body]).toEqual([
      200,
      {
        issued_token_type: ID_JAG,
        access_token: expect.any(String),
        token_type: 'N_A',
        expires_in: 300,
        scope: 'chat:read',
        resource: CHAT,
      },
    ]);
    const claims = await verify(body['access_token']);
    expect(claims).toEqual({
      iss: ISSUER,
      aud: PARTNER,
      sub: expect.any(String),
      client_id: 'wiki-at-partner',
      jti: expect.any(String),
      iat: expect.any(Number),
      exp: Number(claims.iat) + 300,
      tenant: organization.id,
      resource: CHAT,
      scope: 'chat:read',
      auth_time: expect.any(Number),
      acr: 'aal1',
      amr: ['pwd'],
      email: organization.owner.person.email,
      email_verified: true,
    });
    // As an ID token for the partner names the person, and not as one for the client.
    const { sub } = (await partner.signIn(organization.owner.token)).claims() ?? {};
    expect(claims.sub).toBe(sub);
    expect(claims.sub).not.toBe((await signIn()).claims()?.sub);
  });

  it('gets one for a refresh token, which stays as it is', async () => {
    const tokens = await signIn();
    const refresh = String(tokens.refresh_token);
    const form = { subject_token: refresh, subject_token_type: REFRESH_TOKEN };
    const { body } = await exchange(form);
    expect(await verify(body['access_token'])).toMatchObject({ aud: PARTNER });
    expect((await exchange(form)).status).toBe(200);
    expect(
      (await client.post('/oauth2/token', { grant_type: 'refresh_token', refresh_token: refresh })).status,
    ).toBe(200);
  });

  it('gets no more by asking for nothing: one without a limit would have none at the audience', async () => {
    const given = async (form: Form = {}) => {
      const { body } = await exchange({ subject_token: await idTokenOf(), ...form });
      if (body['error'] !== undefined) return body['error'];
      const { scope, resource } = await verify(body['access_token']);
      expect([body['scope'], body['resource']]).toEqual([scope, resource]);
      return { scope, resource };
    };
    expect(await given()).toEqual({ scope: 'chat:read chat:write', resource: CHAT });
    expect(await given({ scope: 'admin' })).toBe('invalid_scope');
    expect((await allow({ resources: [CHAT, 'https://files.partner.example/'] })).status).toBe(200);
    expect(await given()).toBe('invalid_target');
    expect(await given({ resource: CHAT })).toMatchObject({ resource: CHAT });
    expect((await allow({ resources: [], scopes: [] })).status).toBe(200);
    expect(await given()).toEqual({ scope: undefined, resource: undefined });
    expect(await given({ resource: CHAT })).toBe('invalid_target');
    expect((await allow({})).status).toBe(200);
  });

  it.each<[string, Form, string]>([
    ['another audience', { audience: 'https://other.example' }, 'invalid_target'],
    ['this service', { audience: ISSUER }, 'invalid_target'],
    ['an API of another server', { resource: 'https://other.example/' }, 'invalid_target'],
    [
      'a token of another type',
      { subject_token_type: 'urn:ietf:params:oauth:token-type:saml2' },
      'invalid_request',
    ],
    ['an actor', { actor_token: 'x' }, 'invalid_request'],
    ['no token', { subject_token: '' }, 'invalid_grant'],
  ])('gets none for %s', async (_, form, error) => {
    const subject_token = await idTokenOf();
    expect(await exchange({ subject_token, ...form })).toMatchObject({ status: 400, body: { error } });
  });

  it('gets none for the token of another client, another kind, or another session', async () => {
    const refused = { status: 400, body: { error: 'invalid_grant' } };
    const tokens = await signIn();
    expect(await exchange({ subject_token: await idTokenOf(partner) })).toMatchObject(refused);
    expect(await exchange({ subject_token: tokens.access_token })).toMatchObject(refused);
    const theirs = String((await signIn(partner)).refresh_token);
    expect(await exchange({ subject_token: theirs, subject_token_type: REFRESH_TOKEN })).toMatchObject(
      refused,
    );
    const { body } = await exchange({ subject_token: tokens.id_token ?? '' });
    expect(await exchange({ subject_token: String(body['access_token']) })).toMatchObject(refused);
  });

  it('gets none after the end of the session, the membership and the ID token', async () => {
    const refused = { status: 400, body: { error: 'invalid_grant' } };
    const { person, token } = await organization.join('member');
    const subject_token = (await signIn(client, token)).id_token ?? '';
    expect((await exchange({ subject_token })).status).toBe(200);
    const { aud: _aud, iss: _iss, iat: _iat, exp: _exp, ...claims } = decodeJwt(subject_token);
    const signer = app.app.get(IdTokens, { strict: false });
    const signed = { clientId: client.clientId, idTokenAlg: 'RS256' } as const;
    expect((await exchange({ subject_token: await signer.signClaims(signed, claims) })).status).toBe(200);
    const expired = await signer.signClaims(signed, claims, { seconds: -1 });
    expect(await exchange({ subject_token: expired })).toMatchObject(refused);
    expect((await organization.call('DELETE', `/members/${person.id}`)).status).toBe(204);
    expect(await exchange({ subject_token })).toMatchObject(refused);
    // Its session has no other grant of the client.
    const again = await organization.join('member');
    const tokens = await signIn(client, again.token);
    expect((await client.post('/oauth2/revoke', { token: String(tokens.refresh_token) })).status).toBe(200);
    expect(await exchange({ subject_token: tokens.id_token ?? '' })).toMatchObject(refused);
  });

  it('gets none without a registration for it, and its organization allows it none of others', async () => {
    const subject_token = await idTokenOf(partner);
    expect(await exchange({ subject_token }, partner)).toMatchObject({
      body: { error: 'unauthorized_client' },
    });
    const form = { grant_type: TOKEN_EXCHANGE, requested_token_type: ID_JAG, subject_token };
    expect((await client.post('/oauth2/token', form, null)).status).toBe(401);
    // A relying party of another organization would tell its name of the person.
    const globex = await Organization.found(app);
    const foreign = await clientOf(globex, 'Foreign');
    expect((await allow({ relyingParty: foreign.clientId })).status).toBe(200);
    expect(await exchange({ subject_token: await idTokenOf() })).toMatchObject({
      body: { error: 'invalid_target' },
    });
    await allow({});
  });

  /** Exchanges a token, or whatever the form says, with the proof of a key. */
  const exchangeWithProof = async (key: ProofKey, form: Form) => {
    const nonce = app.app.get(DpopNonces, { strict: false }).current();
    const response = await fetch(`${app.url}/oauth2/token`, {
      method: 'POST',
      headers: {
        authorization: client.authorization,
        dpop: await key.prove({ htm: 'POST', htu: `${ISSUER}/oauth2/token`, nonce }),
      },
      body: new URLSearchParams({
        grant_type: TOKEN_EXCHANGE,
        requested_token_type: ID_JAG,
        audience: PARTNER,
        subject_token_type: ID_TOKEN,
        ...form,
      }),
    });
    return (await response.json()) as Record<string, unknown>;
  };

  it('is bound to the key that the client proves', async () => {
    const key = await ProofKey.create();
    const { access_token: token } = await exchangeWithProof(key, { subject_token: await idTokenOf() });
    expect(await verify(token)).toMatchObject({ cnf: { jkt: key.jkt } });
  });

  it('gets none for a refresh token that is bound to a key, without its proof', async () => {
    const key = await ProofKey.create();
    const request = await client.request();
    const approved = await client.approve(request.id, organization.owner.token);
    const code = new URL(String(approved.body['redirectTo'])).searchParams.get('code') ?? '';
    const redirect = { redirect_uri: REDIRECT_URI, code_verifier: request.verifier };
    const signedIn = { grant_type: 'authorization_code', code, ...redirect };
    const { refresh_token: bound } = await exchangeWithProof(key, signedIn);
    const form = { subject_token: String(bound), subject_token_type: REFRESH_TOKEN };
    expect(await exchange(form)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await exchangeWithProof(await ProofKey.create(), form)).toMatchObject({ error: 'invalid_grant' });
    expect(await exchangeWithProof(key, form)).toMatchObject({ token_type: 'N_A' });
  });

  it('gets none once the organization has withdrawn the consent of its members', async () => {
    const wiki = await clientOf(organization, 'Wiki of members');
    await allow({}, wiki);
    const path = `/clients/${wiki.clientId}/consent`;
    expect((await organization.call('PUT', path)).status).toBe(200);
    const { id_token: idToken = '', refresh_token: refresh } = await signIn(wiki);
    const forms: Form[] = [
      { subject_token: idToken },
      { subject_token: String(refresh), subject_token_type: REFRESH_TOKEN },
    ];
    for (const form of forms) expect((await exchange(form, wiki)).status).toBe(200);
    expect((await organization.call('DELETE', path)).status).toBe(204);
    for (const form of forms)
      expect(await exchange(form, wiki)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('is registered with audiences that differ, of an organization, and confidential', async () => {
    const audience = { audience: PARTNER, clientId: 'x', resources: [], scopes: [] };
    const set = (assertionAudiences: object[], path = `/clients/${client.clientId}`) =>
      organization.call('PATCH', path, { assertionAudiences });
    expect(await set([audience, audience])).toMatchObject({
      status: 400,
      body: { violations: [{ propertyPath: 'assertionAudiences[1].audience' }] },
    });
    expect((await set([{ ...audience, audience: 'partner' }])).status).toBe(400);
    const open = {
      name: 'Open',
      type: 'public',
      redirectUris: [REDIRECT_URI],
      assertionAudiences: [audience],
    };
    expect((await organization.call('POST', '/clients', open)).status).toBe(400);
    await expect(
      RelyingParty.register(app, { assertionAudiences: [audience], clientId: `rp-${ulid().toLowerCase()}` }),
    ).rejects.toThrow();
  });
});
