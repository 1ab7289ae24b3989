import { connect } from 'node:net';
import { RouteManifest } from '../../../src/access/index.js';
import { LONG } from '../../support/long.js';
import { TestApp } from '../../support/test-app.js';

const ACCOUNT = { email: 'ada@example.com', password: 'quiet-harbour-42' };
const UNKNOWN = '01K0000000000000000000000X';

/** Values that differ between two runs of one service, in the order in which they are masked. */
const MASKS: readonly (readonly [RegExp, string])[] = [
  [/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<jwt>'],
  [/\b[0-9A-HJKMNP-TV-Z]{26}\b/g, '<ulid>'],
  [/"nonce":"[\w.-]+"/g, '"nonce":"<nonce>"'],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>'],
  [/"(refreshToken|kid|x|y|n|nextCursor|ceremony|challenge|userHandle)":"[\w.-]+"/g, '"$1":"<secret>"'],
  [/"(secret|uri)":"[^"]+"/g, '"$1":"<secret>"'],
  [/gh(?:_(?:sa|me)|s)_[\w-]+/g, '<key>'],
  [/whpk_[\w+/=]+/g, '<key>'],
  [/"user":\{"id":"[\w-]{43}"/g, '"user":{"id":"<secret>"'],
  [/^(date|x-ratelimit-reset): .*$/gim, '$1: <time>'],
  [/^(etag): "[\w-]{27}"$/gim, '$1: "<version>"'], // of a body with ids and times
  [/http:\/\/127\.0\.0\.1:\d+/g, '<origin>'],
];

/** Parts in which the routes are compared, so that each takes a few seconds. */
const PARTS = [0, 1, 2, 3, 4, 5];

jest.setTimeout(120_000); // some hundred routes, each asked several times

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers?: readonly string[];
  readonly body?: string;
}

/** A running service, and the bearer of its user. */
interface Side {
  readonly app: TestApp;
  bearer: string;
  tenantId: string;
}

const signIn = async (side: Side): Promise<void> => {
  side.bearer = (await side.app.login(ACCOUNT)).accessToken;
};

/** Creates an organization and selects it. */
async function createTenant(side: Side): Promise<void> {
  const { body } = await side.app.call(
    'POST',
    '/api/v1/iam/tenants',
    { name: 'Harbour' },
    { token: side.bearer },
  );
  side.tenantId = String(body['id']);
  const selected = await side.app.post('select-tenant', { tenantId: side.tenantId }, { token: side.bearer });
  side.bearer = String(selected.body['accessToken']);
}

describe('The service with and without its fast path', () => {
  let sides: readonly [fast: Side, plain: Side];
  beforeAll(async () => {
    const { TEST_FAST_PATH: given = 'on' } = process.env;
    const start = async (fastPath: string): Promise<Side> => {
      process.env['TEST_FAST_PATH'] = fastPath;
      const app = await TestApp.start({ ALLOWED_ORIGINS: 'https://app.example' });
      await app.register(ACCOUNT.email, ACCOUNT.password);
      return { app, bearer: '', tenantId: '' };
    };
    sides = [await start('on'), await start('off')];
    process.env['TEST_FAST_PATH'] = given;
  });
  afterAll(() => Promise.all(sides.map(({ app }) => app.stop())));

  /** Statuses of the responses that were compared. */
  const statuses = new Set<string>();
  /** Sends a request to each and compares all bytes that return, in header lines of any order. */
  async function compare(sent: Sent): Promise<string> {
    const [fast, plain] = await Promise.all(sides.map((side) => answerOf(side, sent)));
    expect(`${sent.method} ${sent.path}\n${plain}`).toBe(`${sent.method} ${sent.path}\n${fast}`);
    statuses.add((fast ?? '').slice(0, 3));
    return fast ?? '';
  }

  it('has adapters of two kinds', () => {
    expect(sides.map(({ app }) => app.app.getHttpAdapter().constructor.name)).toEqual([
      'FastAdapter',
      'ServiceAdapter',
    ]);
  });

  it.each(PARTS)('answers each route in the same way (part %i)', async (part) => {
    const { routes } = sides[0].app.app.get(RouteManifest);
    const json = 'Content-Type: application/json';
    const signedIn = [json, 'Authorization: Bearer <>'];
    await Promise.all(sides.map(signIn));
    for (const [n, { method, path }] of routes.filter((_, at) => at % PARTS.length === part).entries()) {
      if (path === '/metrics') continue; // shows what each process has done
      const filled = path.replace(':kind', 'google').replace(/:\w+/g, UNKNOWN);
      const paths = new Set([filled, `${filled}/`, `${filled}?a=b`, filled.toUpperCase(), `/${filled}`]);
      for (const spelling of ['%E0%A4%A', '%2F', '__proto__', 'a%20b', '.'])
        paths.add(path.replace(/:\w+/g, spelling));
      // In `npm test`, a sixth of the routes is asked in all spellings, with and without a user.
      const isThorough = LONG || n % PARTS.length === 0;
      const spelled = isThorough ? [...paths] : [filled];
      const others = isThorough ? ['HEAD', 'OPTIONS', 'GET', 'DELETE'] : ['OPTIONS'];
      await Promise.all([
        ...spelled.map((each) => compare({ method, path: each })),
        ...others.map((other) =>
          compare({ method: other, path: filled, headers: ['Origin: https://app.example'] }),
        ),
        compare({ method, path: filled, headers: [json], body: '{"broken' }),
        compare({ method, path: filled, headers: ['Content-Type: text/plain'], body: 'text' }),
      ]);
      await compare({ method, path: filled, headers: signedIn, body: '{"x":1}' });
      for (const each of spelled) await compare({ method, path: each, headers: signedIn });
      if (path.endsWith('/auth/account'))
        await Promise.all(sides.map(({ app }) => app.register(ACCOUNT.email, ACCOUNT.password)));
      if (method !== 'GET') await Promise.all(sides.map(signIn)); // it may have ended the session
    }
  });

  it('has compared responses of many kinds', () => {
    expect([...statuses].toSorted()).toEqual(
      expect.arrayContaining(['200', '204', '400', '401', '403', '404', '415']),
    );
  });

  it('answers the use of an organization in the same way', async () => {
    await Promise.all(sides.map(signIn));
    const signedIn = ['Content-Type: application/json', 'Authorization: Bearer <>'];
    const ask = (method: string, path: string, body?: object): Promise<string> =>
      compare({ method, path, headers: signedIn, ...(body && { body: JSON.stringify(body) }) });
    const paths = ['me', 'me/tenants', 'me/sessions', 'me/audit-events', 'tenants/<tenant>'];
    await Promise.all(sides.map(createTenant));
    for (const below of ['members', 'roles', 'invitations', 'audit-events'])
      paths.push(`tenants/<tenant>/${below}`);
    for (const path of paths)
      for (const method of ['GET', 'HEAD']) expect(await ask(method, `/api/v1/iam/${path}`)).toMatch(/^200/);
    expect(await ask('POST', '/api/auth/can', { scopes: ['iam:invitation:create'] })).toMatch(/^200/);
    expect(await ask('POST', '/api/v1/iam/tenants', { name: 'Quay' })).toMatch(/^201/);
    expect(await ask('PATCH', '/api/v1/iam/tenants/<tenant>', { name: 'Ü 🚢 "<' })).toMatch(/^200/);
    expect(await ask('POST', '/api/v1/iam/auth/login', ACCOUNT)).toMatch(/^200/);
    expect(await ask('POST', '/api/v1/iam/auth/logout')).toMatch(/^204/);
  });

  it.each([
    ['a page', '/', []],
    ['a compressed page', '/', ['Accept-Encoding: br']],
    ['a page for a wrong address', '/nowhere', ['Accept: text/html']],
    ['the API documentation', '/api/docs', []],
    ['the API document', '/api/docs/openapi.json', []],
    ['its style sheet', '/api/docs/reference.css', []],
    ['an explanation of an error', '/errors/not-found', []],
    ['keys', '/.well-known/jwks.json', []],
    ['liveness', '/healthz', []],
    ['a preflight', '/api/v1/iam/me', ['Origin: https://app.example', 'Access-Control-Request-Method: GET']],
    ['an odd expectation', '/api/v1/iam/me', ['Expect: a-banana']],
    ['two bearers', '/api/v1/iam/me', ['Authorization: Bearer a', 'Authorization: Bearer b']],
  ])('answers %s in the same way', async (_what, path, headers) => {
    for (const method of ['GET', 'HEAD', 'OPTIONS'])
      for (const condition of [[], ['If-None-Match: *'], ['If-None-Match: W/"x"']])
        await compare({ method, path, headers: [...headers, ...condition] });
  });

  it('answers requests that are hardly readable in the same way', async () => {
    for (const [method, path] of [
      ['OPTIONS', '*'],
      ['GET', 'http://[/'],
      ['GET', 'http://other.example/api/v1/iam/me?x'],
      ['FETCH', '/api/docs'],
      ['GET', '/api/docs HTTP/2.0\r\nX: y'],
      ['GET', `/api/${'x'.repeat(20_000)}`],
    ] as const)
      await compare({ method, path });
    const host = await Promise.all(
      sides.map(({ app }) => exchange(app, 'GET /api/docs HTTP/1.1\r\nConnection: close\r\n\r\n')),
    );
    expect(host[0]).toMatch(/^400/);
    expect(host[1]).toBe(host[0]);
  });
});

function answerOf(side: Side, { method, path, headers = [], body }: Sent): Promise<string> {
  const lines = [
    `${method} ${path.replace('<tenant>', side.tenantId)} HTTP/1.1`,
    'Host: x',
    'Connection: close',
    ...headers.map((line) => line.replace('<>', side.bearer)),
    ...(body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return exchange(side.app, `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`);
}

/** @returns status, header lines by name, and body, without what differs between two services */
async function exchange({ url }: TestApp, text: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(text);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const answer = Buffer.concat(chunks).toString('latin1');
  const end = answer.indexOf('\r\n\r\n');
  const [first = '', ...headers] = answer.slice(0, end).split('\r\n');
  const whole = [first.replace('HTTP/1.1 ', ''), ...headers.toSorted(), '', answer.slice(end + 4)].join('\n');
  return MASKS.reduce((masked, [pattern, by]) => masked.replace(pattern, by), whole);
}
