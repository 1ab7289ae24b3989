import { createHash, randomBytes } from 'node:crypto';
import { ClientService } from '../../../src/client/index.js';
import { type OracleClient, OracleProvider } from '../../support/oracle-provider.js';
import { Person } from '../../support/organization.js';
import { withApp } from '../../support/test-app.js';

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';
const [TOKEN, PAR, INTROSPECT, REVOKE, DEVICE, USERINFO, AUTHORIZE] = [
  'token',
  'par',
  'introspect',
  'revoke',
  'device_authorization',
  'userinfo',
  'authorize',
].map((name) => `/oauth2/${name}`) as [string, string, string, string, string, string, string];

type Form = Readonly<Record<string, string>>;
type Parameters = readonly (readonly [string, string])[];

/** A provider, and how it comes by what requests need. */
interface Side {
  readonly url: string;
  readonly issueCode: (client: OracleClient, codeChallenge: string) => Promise<string>;
}

/** A request, which each side completes with its own codes and tokens. */
interface Case {
  readonly name: string;
  readonly path: string;
  readonly form: (side: Side) => Promise<Form>;
  /** Changes the parameters of a good request. */
  readonly change?: (parameters: Parameters) => Parameters;
  readonly authorization?: string | null | ((side: Side) => Promise<string>);
  readonly method?: 'GET';
  readonly json?: boolean;
}

/** Requests to which the providers answer differently. Ours is never the milder one by mistake. */
interface Difference {
  readonly requests: RegExp;
  readonly ours: RegExp;
  readonly theirs: RegExp;
  readonly why: string;
}

const DIFFERENCES: readonly Difference[] = [
  {
    requests:
      /^(?:without a client|no secret|malformed header|header without a colon|id of another client beside|assertion that is none|other client_id)$/,
    ours: /^401 invalid_client$/,
    theirs: /^400 invalid_request$/,
    why: 'There credentials that are missing or malformed make a malformed request; here they are none (RFC 6749 section 5.2).',
  },
  {
    requests: /^by GET$/,
    ours: /^405$/,
    theirs: /^404$/,
    why: 'Here the answer says that there is another method.',
  },
  {
    requests: /^other code_verifier$/,
    ours: /^400 invalid_grant$/,
    theirs: /^400 invalid_request$/,
    why: 'There a verifier that is too short is malformed; RFC 7636 section 4.6 says invalid_grant.',
  },
  {
    requests: /^(?:without|empty) redirect_uri$/,
    ours: /^400/,
    theirs: /^20[01]$|^asks the person$/,
    why: 'There the only registered address is the default; here a request names it always.',
  },
  {
    requests: /^public client$/,
    ours: /^401 invalid_client$/,
    theirs: /^200 active false$/,
    why: 'Here a public client, which proves nothing, cannot ask for the state of tokens.',
  },
  {
    requests: /^grant urn:ietf:params:oauth:grant-type:jwt-bearer$/,
    ours: /^400 unauthorized_client$/,
    theirs: /^400 unsupported_grant_type$/,
    why: 'Here the grant exists, for identity assertions, and the client is not registered for it (RFC 6749 section 5.2).',
  },
  {
    requests: /^other client$/,
    ours: /^200$/,
    theirs: /^400 invalid_request$/,
    why: 'Here the token of another client is as an unknown one (RFC 7009 section 2.2): nothing tells that it exists.',
  },
  {
    requests: /^(?:without|empty) client_id$/,
    ours: /^201$/,
    theirs: /^400 invalid_request$/,
    why: 'Here the authentication names the client of a pushed request.',
  },
  {
    requests: /^request_uri$/,
    ours: /^400 invalid_request$/,
    theirs: /^400 request_uri_not_supported$/,
    why: 'RFC 9126 section 2.1 does not allow it, and names no error.',
  },
  {
    requests: /^(?:without|empty) scope$/,
    ours: /^201$|^asks the person$/,
    theirs: /invalid_request$/,
    why: 'Here a request without scope asks for the defaults of its client.',
  },
  {
    requests: /^(?:other scope|scope "profile")$/,
    ours: /invalid_scope$/,
    theirs: /invalid_request$|^200$/,
    why: 'Here each request is one of OpenID Connect: scope must contain openid.',
  },
  {
    requests: / twice$/,
    ours: /^400$/,
    theirs: /^returns invalid_request$/,
    why: 'Here no parameter of a request that repeats one is trusted, neither its address.',
  },
  {
    requests: /^response_mode /,
    ours: /^returns invalid_request$/,
    theirs: /^asks the person$|^returns unsupported_response_mode$/,
    why: 'Here the answer is in the query alone.',
  },
  {
    requests: /^prompt none$/,
    ours: /^asks the person$/,
    theirs: /^returns login_required$/,
    why: 'Here the page of the app knows the session: it answers login_required (openid-provider.spec.ts).',
  },
  {
    requests: /^prompt select_account$/,
    ours: /^asks the person$/,
    theirs: /^returns invalid_request$/,
    why: 'There it is not configured.',
  },
  {
    requests: /^max_age 99999999999$/,
    ours: /^returns invalid_request$/,
    theirs: /^asks the person$/,
    why: 'Here an age has 32 bits.',
  },
  {
    requests: /^challenge "a" of 44$/,
    ours: /^returns invalid_request$/,
    theirs: /^asks the person$/,
    why: 'Here a challenge by S256 has 43 characters: no other fits a verifier.',
  },
  {
    requests: /^scope "openid {2}email"$/,
    ours: /^asks the person$/,
    theirs: /^returns invalid_scope$/,
    why: 'Here two spaces are as one.',
  },
  {
    requests: /^request_uri that is unknown$/,
    ours: /^400$/,
    theirs: /^returns invalid_request_uri$/,
    why: 'Here the browser is sent nowhere by a request that was not pushed.',
  },
  {
    requests: /token$|^client$|^DPoP scheme$|^token in the query$/,
    ours: /^401$/,
    theirs: /^40[01] invalid_(?:token|request)$/,
    why: 'Here userinfo answers as the API does: the error is in WWW-Authenticate.',
  },
];

const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');

describe('Beside oidc-provider, certified by the OpenID Foundation, the provider', () => {
  let oracle: OracleProvider;
  let web: OracleClient;
  let other: OracleClient;
  let native: OracleClient;
  let sides: readonly [Side, Side];
  const app = withApp();
  beforeAll(async () => {
    const ada = await Person.signUp(app);
    const register = async (clientId: string, type: 'confidential' | 'public'): Promise<OracleClient> => {
      const redirectUri = `https://${clientId}.example/callback`;
      const { clientSecret } = await app.app.get(ClientService, { strict: false }).register(null, {
        clientId,
        name: clientId,
        type,
        firstParty: true,
        redirectUris: [redirectUri],
        grantTypes: ['authorization_code', 'refresh_token', DEVICE_CODE],
      });
      return { clientId, redirectUri, ...(clientSecret !== undefined && { clientSecret }) };
    };
    web = await register('web', 'confidential');
    other = await register('other', 'confidential');
    native = await register('native', 'public');
    oracle = await OracleProvider.start([web, other, native]);
    const issueCode: Side['issueCode'] = async ({ clientId, redirectUri }, codeChallenge) => {
      const query = new URLSearchParams(authorization({ clientId, redirectUri }, codeChallenge));
      const asked = await fetch(`${app.url}${AUTHORIZE}?${query}`, { redirect: 'manual' });
      const id = new URL(asked.headers.get('location') ?? '').searchParams.get('request');
      const { body } = await app.call(
        'POST',
        `/api/v1/iam/auth/authorizations/${id}/approve`,
        {},
        { token: ada.token },
      );
      return new URL(String(body['redirectTo'])).searchParams.get('code') ?? '';
    };
    sides = [
      { url: app.url, issueCode },
      { url: oracle.url, issueCode: (client, challenged) => oracle.issueCode(client, challenged) },
    ];
  });
  afterAll(() => oracle?.stop());

  const authorization = (
    { clientId, redirectUri }: OracleClient,
    codeChallenge = challenge,
  ): Record<string, string> => ({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'openid profile',
    state: 'a-state',
    nonce: 'a-nonce',
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
  });
  const basic = ({ clientId, clientSecret = '' }: OracleClient): string =>
    `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;

  const ask = async (side: Side, { path, form, change, json, method, ...one }: Case): Promise<string> => {
    const good = Object.entries(await form(side));
    const parameters = new URLSearchParams((change?.(good) ?? good).map(([name, value]) => [name, value]));
    const given = one.authorization === undefined ? basic(web) : one.authorization;
    const header = typeof given === 'function' ? await given(side) : given;
    const isQuery = path === AUTHORIZE || path === USERINFO || method === 'GET';
    const response = await fetch(`${side.url}${path}${isQuery ? `?${parameters}` : ''}`, {
      method: isQuery ? 'GET' : 'POST',
      redirect: 'manual',
      headers: {
        ...(header !== null && path !== AUTHORIZE && { authorization: header }),
        ...(json && { 'content-type': 'application/json' }),
      },
      ...(!isQuery && { body: json ? JSON.stringify(Object.fromEntries(parameters)) : parameters }),
    });
    return describeAnswer(response);
  };

  const tokens = async (side: Side, client = web): Promise<Record<string, string>> => {
    const response = await fetch(`${side.url}${TOKEN}`, {
      method: 'POST',
      headers: { authorization: basic(client) },
      body: new URLSearchParams(await exchange(client)(side)),
    });
    return (await response.json()) as Record<string, string>;
  };
  const exchange =
    (client: OracleClient) =>
    async (side: Side): Promise<Form> => ({
      grant_type: 'authorization_code',
      code: await side.issueCode(client, challenge),
      code_verifier: verifier,
      redirect_uri: client.redirectUri,
    });
  const refresh = async (side: Side): Promise<Form> => ({
    grant_type: 'refresh_token',
    refresh_token: (await tokens(side))['refresh_token'] ?? '',
  });
  const ofToken =
    (kind: 'access_token' | 'refresh_token') =>
    async (side: Side): Promise<Form> => ({
      token: (await tokens(side))[kind] ?? '',
    });
  const device = () => Promise.resolve({ client_id: 'web', scope: 'openid profile' });
  const poll = async (side: Side): Promise<Form> => {
    const response = await fetch(`${side.url}${DEVICE}`, {
      method: 'POST',
      headers: { authorization: basic(web) },
      body: new URLSearchParams(await device()),
    });
    const { device_code: code = '' } = (await response.json()) as Record<string, string>;
    return { grant_type: DEVICE_CODE, device_code: code };
  };

  /** Requests with each parameter missing, empty, of another value, and twice. */
  const withFaults = (path: string, form: Case['form'], names: readonly string[]): Case[] => [
    { name: 'good', path, form },
    ...names.flatMap((name): Case[] => {
      const set =
        (value: string) =>
        (all: Parameters): Parameters =>
          all.map(([one, old]) => [one, one === name ? value : old]);
      return [
        { name: `without ${name}`, path, form, change: (all) => all.filter(([one]) => one !== name) },
        { name: `empty ${name}`, path, form, change: set('') },
        { name: `other ${name}`, path, form, change: set('x') },
        { name: `${name} twice`, path, form, change: (all) => [...all, [name, 'x']] },
      ];
    }),
    { name: 'with an unknown parameter', path, form, change: (all) => [...all, ['unknown', 'x']] },
  ];
  /** Requests with each way to authenticate badly. */
  const withOtherClients = (path: string, form: Case['form']): Case[] => {
    const add =
      (more: Form) =>
      (all: Parameters): Parameters => [...all, ...Object.entries(more)];
    const one = { path, form };
    return [
      { ...one, name: 'without a client', authorization: null },
      { ...one, name: 'wrong secret', authorization: basic({ ...web, clientSecret: 'wrong' }) },
      { ...one, name: 'no secret', authorization: basic({ ...web, clientSecret: '' }) },
      { ...one, name: 'unknown client', authorization: basic({ ...web, clientId: 'unknown' }) },
      { ...one, name: 'malformed header', authorization: 'Basic x' },
      { ...one, name: 'header without a colon', authorization: `Basic ${btoa('web')}` },
      {
        ...one,
        name: 'secret in the form',
        authorization: null,
        change: add({ client_id: 'web', client_secret: web.clientSecret ?? '' }),
      },
      { ...one, name: 'two methods', change: add({ client_secret: web.clientSecret ?? '' }) },
      { ...one, name: 'id of another client beside', change: add({ client_id: 'other' }) },
      { ...one, name: 'id alone', authorization: null, change: add({ client_id: 'web' }) },
      { ...one, name: 'other client', authorization: basic(other) },
      { ...one, name: 'public client', authorization: null, change: add({ client_id: 'native' }) },
      {
        ...one,
        name: 'assertion that is none',
        authorization: null,
        change: add({
          client_assertion: 'x',
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        }),
      },
      { ...one, name: 'by GET', method: 'GET' },
      { ...one, name: 'as JSON', json: true },
    ];
  };
  const changed = (name: string, change: Form, without: readonly string[] = []): Case => ({
    name,
    path: AUTHORIZE,
    form: async () => {
      const good = { ...authorization(web), ...change };
      return Object.fromEntries(Object.entries(good).filter(([one]) => !without.includes(one)));
    },
  });

  const CASES: Readonly<Record<string, () => Case[]>> = {
    'an exchange of a code': () => [
      ...withFaults(TOKEN, exchange(web), ['grant_type', 'code', 'code_verifier', 'redirect_uri']),
      ...withOtherClients(TOKEN, exchange(web)),
      { name: 'code of another client', path: TOKEN, form: exchange(other) },
      ...['password', 'implicit', 'urn:ietf:params:oauth:grant-type:jwt-bearer'].map((type): Case => ({
        name: `grant ${type}`,
        path: TOKEN,
        form: () => Promise.resolve({ grant_type: type, username: 'ada', password: 'x', assertion: 'x' }),
      })),
    ],
    'a refresh': () => [
      ...withFaults(TOKEN, refresh, ['grant_type', 'refresh_token']),
      ...withOtherClients(TOKEN, refresh),
      ...['openid', 'openid email', 'email', 'openid tenant', 'x'].map((scope): Case => ({
        name: `scope ${scope}`,
        path: TOKEN,
        form: async (side) => ({ ...(await refresh(side)), scope }),
      })),
      {
        name: 'access token',
        path: TOKEN,
        form: async (side) => ({
          grant_type: 'refresh_token',
          refresh_token: (await tokens(side))['access_token'] ?? '',
        }),
      },
    ],
    'an introspection': () => [
      ...withFaults(INTROSPECT, ofToken('access_token'), ['token']),
      ...withOtherClients(INTROSPECT, ofToken('refresh_token')),
      {
        name: 'hint of another type',
        path: INTROSPECT,
        form: async (side) => ({
          ...(await ofToken('access_token')(side)),
          token_type_hint: 'refresh_token',
        }),
      },
    ],
    'a revocation': () => [
      ...withFaults(REVOKE, ofToken('access_token'), ['token']),
      ...withOtherClients(REVOKE, ofToken('refresh_token')),
      {
        name: 'unknown hint',
        path: REVOKE,
        form: async (side) => ({ ...(await ofToken('refresh_token')(side)), token_type_hint: 'x' }),
      },
    ],
    'a pushed request': () => [
      ...withFaults(PAR, () => Promise.resolve(authorization(web)), Object.keys(authorization(web))),
      ...withOtherClients(PAR, () => {
        const { client_id: _, ...form } = authorization(web);
        return Promise.resolve(form);
      }),
      {
        name: 'request_uri',
        path: PAR,
        form: () =>
          Promise.resolve({ ...authorization(web), request_uri: 'urn:ietf:params:oauth:request_uri:x' }),
      },
    ],
    'a device': () => [
      ...withFaults(DEVICE, device, ['client_id', 'scope']),
      ...withOtherClients(DEVICE, () => Promise.resolve({ scope: 'openid' })),
    ],
    'a device that waits': () => [
      ...withFaults(TOKEN, poll, ['grant_type', 'device_code']),
      ...withOtherClients(TOKEN, poll),
    ],
    'a request for authorization': () => [
      ...withFaults(AUTHORIZE, () => Promise.resolve(authorization(web)), Object.keys(authorization(web))),
      ...['token', 'id_token', 'none', 'code token', 'id_token code'].map((type) =>
        changed(`response_type ${type}`, { response_type: type }),
      ),
      ...['query', 'fragment', 'form_post', 'jwt', 'web_message'].map((mode) =>
        changed(`response_mode ${mode}`, { response_mode: mode }),
      ),
      ...['none', 'login', 'consent', 'select_account', 'none login', 'login consent', 'create', 'x'].map(
        (prompt) => changed(`prompt ${prompt}`, { prompt }),
      ),
      ...['0', '600', '-1', 'x', '1.5', '99999999999'].map((age) =>
        changed(`max_age ${age}`, { max_age: age }),
      ),
      ...['plain', 's256', 'S512'].map((method) =>
        changed(`challenge by ${method}`, { code_challenge_method: method }),
      ),
      ...['', 'a', `${challenge}=`, `${challenge}a`].map((value) =>
        changed(`challenge "${value.slice(43)}" of ${value.length}`, { code_challenge: value }),
      ),
      ...['openid', 'profile', 'openid x', 'openid  email', 'openid address'].map((scope) =>
        changed(`scope "${scope}"`, { scope }),
      ),
      ...[
        `${'https://web.example/callback'}/`,
        'https://web.example/callback?x=1',
        'https://web.example/callback#x',
        'https://web.example/CALLBACK',
        'https://web.example:443/callback',
        'https://web.example/x/../callback',
        'https://ada@web.example/callback',
        'http://web.example/callback',
        'https://other.example/callback',
        'https://web.example.attacker.example/callback',
        'javascript:alert(1)',
        '//web.example/callback',
        '/callback',
      ].map((uri) => changed(`redirect_uri ${uri}`, { redirect_uri: uri })),
      changed('request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }),
      changed('request_uri of a page', { request_uri: 'https://web.example/request' }),
      changed('request_uri that is unknown', { request_uri: 'urn:ietf:params:oauth:request_uri:x' }),
      changed('registration', { registration: '{}' }),
      changed('claims', { claims: '{"userinfo":{"email":null}}' }),
      changed('id_token_hint that is none', { id_token_hint: 'x' }),
      changed('ui_locales', { ui_locales: 'de fr-CA' }),
      changed('display', { display: 'popup' }),
      changed('acr_values', { acr_values: 'aal9' }),
      changed('resource', { resource: 'https://api.example' }),
      changed('without PKCE', {}, ['code_challenge', 'code_challenge_method']),
      changed('without state and nonce', {}, ['state', 'nonce']),
      changed('of a public client', { client_id: 'native', redirect_uri: 'https://native.example/callback' }),
      changed('by the address of another client', { redirect_uri: 'https://other.example/callback' }),
    ],
    userinfo: () => {
      const one = { path: USERINFO, form: () => Promise.resolve({}) };
      const by =
        (scheme: string, kind = 'access_token') =>
        async (side: Side) =>
          `${scheme} ${(await tokens(side))[kind]}`;
      return [
        { ...one, name: 'good', authorization: by('Bearer') },
        { ...one, name: 'scheme in small letters', authorization: by('bearer') },
        { ...one, name: 'without a token', authorization: null },
        { ...one, name: 'another token', authorization: 'Bearer x' },
        { ...one, name: 'refresh token', authorization: by('Bearer', 'refresh_token') },
        { ...one, name: 'ID token', authorization: by('Bearer', 'id_token') },
        { ...one, name: 'client', authorization: basic(web) },
        { ...one, name: 'DPoP scheme', authorization: by('DPoP') },
        {
          name: 'token in the query',
          path: USERINFO,
          authorization: null,
          form: async (side) => ({ access_token: (await tokens(side))['access_token'] ?? '' }),
        },
      ];
    },
  };

  const used = new Set<Difference>();
  const explain = (name: string, ours: string, theirs: string): Difference | undefined =>
    DIFFERENCES.find((one) => one.requests.test(name) && one.ours.test(ours) && one.theirs.test(theirs));

  it.each(Object.keys(CASES))('answers %s alike, but for known differences', async (subject) => {
    const unknown: Record<string, readonly string[]> = {};
    for (const one of CASES[subject]?.() ?? []) {
      const [ours, theirs] = [await ask(sides[0], one), await ask(sides[1], one)];
      if (ours === theirs) continue;
      const known = explain(one.name, ours, theirs);
      if (known) used.add(known);
      else unknown[one.name] = [ours, theirs];
    }
    expect(unknown).toEqual({});
  });

  it('differs in all that is on the list', () => {
    expect(DIFFERENCES.filter((one) => !used.has(one))).toEqual([]);
  });
});

/** Returns what decides: the status, the error, and where a browser goes. */
async function describeAnswer(response: Response): Promise<string> {
  const location = response.headers.get('location');
  if (location !== null) {
    const back = new URL(location, 'http://here.test');
    const inFragment = new URLSearchParams(back.hash.slice(1)).get('error');
    const error = back.searchParams.get('error') ?? inFragment;
    return back.hostname.endsWith('.example') ? `returns ${error}` : 'asks the person';
  }
  const text = await response.text();
  if (!text.startsWith('{')) return `${response.status}`;
  const body = JSON.parse(text) as Record<string, unknown>;
  const state = body['active'] === undefined ? '' : ` active ${body['active']}`;
  return `${response.status}${typeof body['error'] === 'string' ? ` ${body['error']}` : ''}${state}`;
}
