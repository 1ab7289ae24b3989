import { decodeJwt, decodeProtectedHeader } from 'jose';
import { ClientSecretBasic, randomPKCECodeVerifier } from 'openid-client';
import { ClientService } from '../../../src/client/index.js';
import { DpopNonces } from '../../../src/session/index.js';
import { Organization, Person } from '../../support/organization.js';
import { ProofKey } from '../../support/proof-key.js';
import { RelyingParty } from '../../support/relying-party.js';
import { pkce } from '../../support/satellite.js';
import { itemsOf, withApp } from '../../support/test-app.js';

type Registration = Parameters<ClientService['register']>[1];
type Changes = Partial<Registration>;

const ME = '/api/v1/iam/me';
const APPS = `${ME}/authorized-apps`;
const TOKEN = 'http://gatehouse.test/oauth2/token';
const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';
const ALL_GRANTS: Registration['grantTypes'] = ['authorization_code', 'refresh_token', DEVICE_CODE];
/** A client of the operator that may come by every way of OpenID Connect. */
const OPENID: Changes = { firstParty: true, grantTypes: ALL_GRANTS };
const SATELLITE: Changes = {
  satelliteCodes: true,
  firstParty: true,
  grantTypes: ['authorization_code', 'refresh_token'],
};

describe('Each way to a token', () => {
  let ada: Person;
  let organization: Organization;
  let key: ProofKey;
  const app = withApp();
  beforeAll(async () => {
    ada = await Person.signUp(app);
    organization = await Organization.found(app);
    key = await ProofKey.create();
  });

  const registry = () => app.app.get(ClientService, { strict: false });
  const change = async ({ clientId }: RelyingParty, changes: Changes) => {
    await registry().update(null, clientId, changes);
  };

  /** An access token, or null for a refusal; with the refresh token if there is one. */
  interface Outcome {
    readonly access: string | null;
    readonly refresh?: string | undefined;
  }
  /** What a client does to get a token. */
  interface Walk {
    readonly party: RelyingParty;
    readonly scope: string;
    /** Whether it sends proofs of a key. */
    readonly proves: boolean;
    /** Whether it authenticates by its secret; otherwise it names itself. */
    readonly isPublic: boolean;
  }
  /** A way; `begin` comes before properties are set that an operator sets later. */
  interface Way {
    readonly begin?: (walk: Walk) => Promise<string>;
    readonly begins?: Changes;
    readonly take: (walk: Walk, begun: string) => Promise<Outcome>;
  }

  const post = async ({ party, proves, isPublic }: Walk, path: string, form: Record<string, string>) => {
    const nonce = app.app.get(DpopNonces, { strict: false }).current();
    const proof = proves
      ? await key.prove({ htm: 'POST', htu: TOKEN.replace('/oauth2/token', path), nonce })
      : null;
    const response = await fetch(app.url + path, {
      method: 'POST',
      headers: {
        ...(!isPublic && { authorization: party.authorization }),
        ...(proof !== null && { dpop: proof }),
      },
      body: new URLSearchParams({ ...form, ...(isPublic && { client_id: party.clientId }) }),
    });
    return (await response.json()) as Record<string, unknown>;
  };
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  const outcomeOf = ({ access_token: access, refresh_token: refresh }: Record<string, unknown>): Outcome => ({
    access: text(access),
    refresh: text(refresh) ?? undefined,
  });

  /** Ends a sign-in at the page to which the browser was sent. */
  const decide = async (walk: Walk, location: string, verifier: string): Promise<Outcome> => {
    const request = new URL(location, app.url).searchParams.get('request');
    if (request === null) return { access: null };
    const { body } = await walk.party.approve(request, ada.token);
    const code = text(body['redirectTo']) && new URL(String(body['redirectTo'])).searchParams.get('code');
    if (typeof code !== 'string') return { access: null };
    const { redirectUri } = walk.party;
    const form = { code, redirect_uri: redirectUri, code_verifier: verifier };
    return outcomeOf(await post(walk, '/oauth2/token', { grant_type: 'authorization_code', ...form }));
  };
  const open = async (query: Record<string, string>): Promise<string> => {
    const url = `${app.url}/oauth2/authorize?${new URLSearchParams(query)}`;
    return (await fetch(url, { redirect: 'manual' })).headers.get('location') ?? app.url;
  };
  const requestOf = async ({ party, scope }: Walk) => {
    const { url, verifier } = await party.depart({ scope });
    return { query: Object.fromEntries(url.searchParams), verifier };
  };

  const byBrowser = async (walk: Walk): Promise<Outcome> => {
    const { query, verifier } = await requestOf(walk);
    return decide(walk, await open(query), verifier);
  };
  const pushed = async (walk: Walk): Promise<Outcome> => {
    const { query, verifier } = await requestOf(walk);
    const uri = text((await post(walk, '/oauth2/par', query))['request_uri']);
    if (uri === null) return { access: null };
    return decide(walk, await open({ client_id: walk.party.clientId, request_uri: uri }), verifier);
  };
  const bySatelliteCode = async ({ party }: Walk): Promise<Outcome> => {
    const { clientId, clientSecret, redirectUri } = party;
    const { codeVerifier, codeChallenge } = pkce();
    const request = { clientId, redirectUri, codeChallenge };
    const issued = await app.post('satellite/code', request, { token: ada.token });
    // A code of before the change, if none is issued now.
    const { code = randomPKCECodeVerifier() } = issued.body;
    const { body } = await app.post('satellite/token', { code, clientId, clientSecret, codeVerifier });
    return { access: text(body['accessToken']), refresh: text(body['refreshToken']) ?? undefined };
  };
  const byDevice = async (walk: Walk): Promise<Outcome> => {
    const started = await post(walk, '/oauth2/device_authorization', { scope: walk.scope });
    const body = { userCode: started['user_code'] };
    await app.call('POST', '/api/v1/iam/auth/devices/approve', body, { token: ada.token });
    const form = { grant_type: DEVICE_CODE, device_code: String(started['device_code']) };
    return outcomeOf(await post(walk, '/oauth2/token', form));
  };
  const refreshAtApi = async ({ party: { clientId, clientSecret } }: Walk, refreshToken: string) => {
    const { body } = await app.post('refresh', { refreshToken, clientId, clientSecret });
    return { access: text(body['accessToken']) };
  };
  /** A grant of before the property was set; of another client if this one cannot have it. */
  const refreshOf = async (outcome: Promise<Outcome>) => (await outcome).refresh ?? 'none';

  const WAYS: Readonly<Record<string, Way>> = {
    'the code by the browser': { take: byBrowser },
    'a pushed request': { take: pushed },
    'a satellite code': { take: bySatelliteCode },
    'a refresh at the token endpoint': {
      begin: (walk) => refreshOf(pushed(walk)),
      take: async (walk, token) =>
        outcomeOf(await post(walk, '/oauth2/token', { grant_type: 'refresh_token', refresh_token: token })),
    },
    'a refresh at the API': { begin: (walk) => refreshOf(pushed(walk)), take: refreshAtApi },
    'a refresh of a former satellite': {
      begins: SATELLITE,
      begin: (walk) => refreshOf(bySatelliteCode(walk)),
      take: refreshAtApi,
    },
    'the refresh of a former satellite at the token endpoint': {
      begins: SATELLITE,
      begin: (walk) => refreshOf(bySatelliteCode(walk)),
      take: async (walk, token) =>
        outcomeOf(await post(walk, '/oauth2/token', { grant_type: 'refresh_token', refresh_token: token })),
    },
    'a device': { take: byDevice },
    'an exchange of the token of the app': {
      take: async (walk) =>
        outcomeOf(
          await post(walk, '/oauth2/token', {
            grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
            subject_token: ada.token,
            subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
          }),
        ),
    },
    'client credentials': {
      take: async (walk) =>
        outcomeOf(await post(walk, '/oauth2/token', { grant_type: 'client_credentials' })),
    },
    'the sign-in page of the portal': {
      take: async ({ party: { redirectUri: returnTo } }) => {
        const { codeVerifier, codeChallenge } = pkce();
        const issued = await app.post('hosted/code', { returnTo, codeChallenge }, { token: ada.token });
        const at = text(issued.body['location']) ?? returnTo;
        const code = new URLSearchParams(new URL(at).hash.slice(1)).get('code') ?? randomPKCECodeVerifier();
        const { body } = await app.post('external/token', { code, codeVerifier });
        return { access: text(body['accessToken']) };
      },
    },
  };
  const OF_OPENID = [
    'the code by the browser',
    'a pushed request',
    'a refresh at the token endpoint',
    'a device',
  ];
  const SIGN_INS = ['the code by the browser', 'a pushed request'];

  /** A property of a client, the ways that serve it, and what holds of each token. */
  interface Property {
    readonly data: Changes;
    /** Whether an operator can set it for a client that has grants. */
    readonly later?: boolean;
    readonly set?: (party: RelyingParty) => Promise<unknown>;
    readonly walk?: Partial<Walk>;
    readonly serves: readonly string[];
    readonly holds?: (token: string, party: RelyingParty) => Promise<void> | void;
  }

  const isListed = async ({ clientId }: RelyingParty) =>
    itemsOf<{ clientId: string }>(await app.get(APPS, ada.token)).some((one) => one.clientId === clientId);

  const PROPERTIES: Readonly<Record<string, Property>> = {
    'a client of the operator': { data: {}, serves: OF_OPENID },
    'a third party': {
      data: { firstParty: false },
      serves: OF_OPENID,
      holds: async (token, party) => {
        expect(decodeJwt(token).sub).not.toBe(ada.id);
        expect((await app.get(ME, token)).status).toBe(403);
        expect(await isListed(party)).toBe(true);
        expect((await app.get('/oauth2/userinfo', token)).status).toBe(200);
        const withdrawn = `${APPS}/${party.clientId}`;
        expect((await app.call('DELETE', withdrawn, undefined, { token: ada.token })).status).toBe(204);
        expect((await app.get('/oauth2/userinfo', token)).status).toBe(401);
      },
    },
    'a client that is a third party from now on': {
      data: { firstParty: false, satelliteCodes: false },
      later: true,
      serves: OF_OPENID.filter((way) => way !== 'a refresh at the token endpoint'),
      holds: async (_, party) => expect(await isListed(party)).toBe(true),
    },
    'a client with pairwise subjects': {
      data: { subjectType: 'pairwise' },
      serves: OF_OPENID,
      holds: (token) => expect(decodeJwt(token).sub).not.toBe(ada.id),
    },
    'a client that must push its requests': {
      data: { requirePar: true },
      later: true,
      serves: OF_OPENID.filter((way) => way !== 'the code by the browser'),
    },
    'a client that must bind its tokens, and sends no proof': {
      data: { requireDpop: true },
      later: true,
      serves: [],
    },
    'a client that must bind its tokens, and sends a proof': {
      data: { requireDpop: true },
      walk: { proves: true },
      serves: OF_OPENID,
      holds: (token) => expect(decodeJwt(token)['cnf']).toEqual({ jkt: key.jkt }),
    },
    'a client that must bind its tokens from now on, and does': {
      data: { requireDpop: true },
      later: true,
      walk: { proves: true },
      serves: OF_OPENID,
      holds: (token) => expect(decodeJwt(token)['cnf']).toEqual({ jkt: key.jkt }),
    },
    'a client that need not use PKCE': { data: { requirePkce: false }, serves: OF_OPENID },
    'a client whose ID tokens have no claims of the person': {
      data: { idTokenClaims: 'none' },
      serves: OF_OPENID,
    },
    'a client whose access tokens are by RS256': {
      data: { accessTokenAlg: 'RS256' },
      later: true,
      serves: OF_OPENID,
      holds: (token) => expect(decodeProtectedHeader(token).alg).toBe('RS256'),
    },
    'a client without the grant of codes': {
      data: { grantTypes: ['refresh_token'] },
      later: true,
      serves: ['a refresh at the token endpoint'],
    },
    'a client without the grant of refreshes': {
      data: { grantTypes: ['authorization_code'] },
      later: true,
      serves: SIGN_INS,
    },
    'a client for devices': { data: { grantTypes: [DEVICE_CODE] }, later: true, serves: ['a device'] },
    'a client that must authenticate by another method': {
      data: { tokenEndpointAuthMethod: 'client_secret_post' },
      later: true,
      serves: [],
    },
    'a client that must authenticate by its key': {
      data: { tokenEndpointAuthMethod: 'private_key_jwt', jwksUri: 'https://rp.example/jwks.json' },
      later: true,
      serves: [],
    },
    'a public client': {
      data: { type: 'public', tokenEndpointAuthMethod: 'none' },
      walk: { isPublic: true },
      serves: OF_OPENID,
    },
    'a client that does not send its secret': { data: {}, walk: { isPublic: true }, serves: [] },
    'a client without permissions': {
      data: { scopes: [] },
      serves: OF_OPENID,
      holds: async (token) => {
        expect(String(decodeJwt(token)['scope']).split(' ')).not.toContain('iam:member:read');
        expect((await app.get(`${organization.path}/members`, token)).status).toBe(403);
      },
    },
    'a client of an organization that the person does not belong to': {
      data: {},
      set: async ({ clientId }) =>
        app.sql('UPDATE satellites SET satellite_codes = false, tenant_id = $2 WHERE client_id = $1', [
          clientId,
          organization.id,
        ]),
      later: true,
      serves: [],
    },
    'a disabled client': {
      data: {},
      set: ({ clientId }) => registry().disable(null, clientId),
      later: true,
      serves: [],
    },
    'a client with satellite codes': {
      data: SATELLITE,
      serves: ['a satellite code', 'a refresh of a former satellite'],
      holds: (token) => expect(decodeJwt(token)).toMatchObject({ sub: ada.id, sid: ada.sessionId }),
    },
  };

  const CASES = Object.entries(PROPERTIES).flatMap(([property, of]) =>
    Object.entries(WAYS)
      // A confidential client does not become a public one.
      .filter(([, to]) => of.data.type === undefined || to.begins === undefined)
      .map(([way, to]) => {
        const outcome = of.serves.includes(way) ? 'serves' : 'refuses';
        return { property, way, of, to, outcome };
      }),
  );

  it.each(CASES)('$outcome $property by $way', async ({ of, to, outcome }) => {
    const isBefore = to.begin !== undefined && (of.later === true || to.begins !== undefined);
    const early = to.begins ?? OPENID;
    const data = isBefore ? early : { ...OPENID, ...of.data };
    const method = data.tokenEndpointAuthMethod === 'private_key_jwt' ? ClientSecretBasic('none') : undefined;
    const party = await RelyingParty.register(app, data, method);
    const walk = { party, scope: 'openid profile', proves: false, isPublic: false, ...of.walk };
    const begun =
      to.begin === undefined
        ? ''
        : await to.begin(isBefore ? { ...walk, proves: false, isPublic: false } : walk);
    // What cannot be changed has been registered.
    const { type: _, ...changes } = of.data;
    if (isBefore) await change(party, to.begins ? { ...OPENID, satelliteCodes: false, ...changes } : changes);
    await of.set?.(party);
    const { access } = await to.take(walk, begun);
    expect(access === null ? 'refuses' : 'serves').toBe(outcome);
    if (access !== null) await of.holds?.(access, party);
  });

  describe('F3: a third-party client that takes the codes of satellites', () => {
    /** What the authorization page of the portal does, and then the server of the client. */
    const attack = async (changes: Changes) => {
      const party = await RelyingParty.register(app, changes, ClientSecretBasic('none'));
      const { clientId, redirectUri } = party;
      const hasSecret = party.clientSecret !== '';
      const clientSecret = hasSecret ? party.clientSecret : 'none';
      const { codeVerifier, codeChallenge } = pkce();
      const query = new URLSearchParams({ clientId, redirectUri });
      const page = await app.get(`/api/v1/iam/auth/satellite/request?${query}`);
      const request = { clientId, redirectUri, codeChallenge };
      const code = await app.post('satellite/code', request, { token: ada.token });
      const exchange = { clientId, clientSecret, codeVerifier, code: randomPKCECodeVerifier() };
      const token = await app.post('satellite/token', exchange);
      const late = await app.post('refresh', { clientId, clientSecret, refreshToken: ada.refreshToken });
      return { page, code, token, late, hasSecret };
    };

    it.each<[string, Changes]>([
      ['F3.1: without a consent, for every permission', { firstParty: false, scopes: ['*'] }],
      ['F3.2: although it must push its requests', { firstParty: false, requirePar: true }],
      ['F3.3: without the grant of codes', { firstParty: false, grantTypes: [DEVICE_CODE] }],
      [
        'F3.4: with another authentication than by the secret of a form',
        {
          firstParty: false,
          tokenEndpointAuthMethod: 'private_key_jwt',
          jwksUri: 'https://rp.example/jwks.json',
        },
      ],
      ['although it must bind its tokens', { requireDpop: true }],
      ['although it is a public client', { type: 'public' }],
      ['as a client of the operator with pairwise subjects', { subjectType: 'pairwise' }],
      ['as a client of the operator that speaks OpenID Connect', {}],
    ])('is refused, %s, and told why', async (_, changes) => {
      const { page, code, token, late, hasSecret } = await attack(changes);
      expect(page).toMatchObject({ status: 400, body: { violations: [{ propertyPath: 'redirectUri' }] } });
      const why = 'The client is registered for OpenID Connect. It signs people in at /oauth2/authorize.';
      expect(code).toMatchObject({
        status: 400,
        body: { violations: [{ propertyPath: 'clientId', message: why }] },
      });
      const detail = 'The client is registered for OpenID Connect. Use /oauth2/token, not satellite codes.';
      for (const answer of [token, late])
        expect(answer).toMatchObject({
          status: 401,
          body: { type: '/errors/invalid-client', ...(hasSecret && { detail }) },
        });
      expect((await app.get(ME, ada.token)).status).toBe(200);
    });

    it.each([
      'first_party = false',
      "subject_type = 'pairwise'",
      'require_par = true',
      'require_dpop = true',
    ])('is refused where a replica of the previous release has set %s', async (set) => {
      const { clientId, redirectUri, clientSecret } = await RelyingParty.register(app, SATELLITE);
      await app.sql(`UPDATE satellites SET ${set} WHERE client_id = $1`, [clientId]);
      const { codeVerifier, codeChallenge } = pkce();
      const request = { clientId, redirectUri, codeChallenge };
      expect((await app.post('satellite/code', request, { token: ada.token })).status).toBe(400);
      const exchange = { clientId, clientSecret, codeVerifier, code: randomPKCECodeVerifier() };
      expect((await app.post('satellite/token', exchange)).status).toBe(401);
    });

    it('is refused a code that it got as a satellite, which it is no more', async () => {
      const party = await RelyingParty.register(app, SATELLITE);
      const { clientId, redirectUri, clientSecret } = party;
      const { codeVerifier, codeChallenge } = pkce();
      const request = { clientId, redirectUri, codeChallenge };
      const { body } = await app.post('satellite/code', request, { token: ada.token });
      await change(party, { satelliteCodes: false, firstParty: false, subjectType: 'pairwise' });
      const exchange = { clientId, clientSecret, codeVerifier, code: body['code'] };
      expect((await app.post('satellite/token', exchange)).status).toBe(401);
    });
  });
});
