import { createHmac, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { request } from 'node:http';
import { SigningKeyService } from '../../src/session/index.js';
import { TestApp, type Answer } from '../support/test-app.js';

type Json = Record<string, unknown>;
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const signed = (header: Json, claims: unknown, key: KeyObject): string => {
  const content = `${encode(header)}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' });
  return `${content}.${signature.toString('base64url')}`;
};
const hmac = (header: Json, claims: unknown, secret: string | Buffer): string => {
  const content = `${encode(header)}.${encode(claims)}`;
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
};

describe('Access tokens', () => {
  let app: TestApp;
  let genuine: { accessToken: string; refreshToken: string };
  let header: Json;
  let claims: Json;
  let key: KeyObject;
  let jwk: Json;
  const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  beforeAll(async () => {
    app = await TestApp.start();
    genuine = await app.login(await app.register());
    [header, claims] = genuine.accessToken
      .split('.')
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Json) as [Json, Json];
    key = app.app.get(SigningKeyService).current.privateKey;
    jwk = (app.app.get(SigningKeyService).jwks.keys[0] ?? {}) as Json;
  });
  afterAll(() => app.stop());

  const me = (authorization: string) =>
    app.call('GET', '/api/v1/iam/me', undefined, { headers: { authorization } });
  const seconds = () => Math.floor(Date.now() / 1000);

  function expectRefused({ status, headers, body }: Pick<Answer, 'status' | 'headers' | 'body'>): void {
    expect({ status, body }).toMatchObject({
      status: 401,
      body: { type: '/errors/unauthenticated', status: 401 },
    });
    expect(headers.get('content-type')).toContain('application/problem+json');
    expect(headers.get('www-authenticate')).toMatch(/^Bearer /);
  }

  it('are accepted when the signature and all claims are right, whatever the case of the scheme', async () => {
    expect((await me(`Bearer ${signed(header, claims, key)}`)).status).toBe(200);
    expect((await me(`bearer ${genuine.accessToken}`)).status).toBe(200);
    expect((await me(`BEARER   ${genuine.accessToken}`)).status).toBe(200);
  });

  const forgeries: [string, () => string][] = [
    ['without a signature (alg none)', () => `${encode({ ...header, alg: 'none' })}.${encode(claims)}.`],
    ['with alg none and the genuine signature', () => signed({ ...header, alg: 'none' }, claims, key)],
    ...['None', 'es256', 'Es256', 'ES256 ', 'ES384', 'RS256', 'PS256', 'EdDSA', ''].map(
      (alg): [string, () => string] => [`with alg "${alg}"`, () => signed({ ...header, alg }, claims, key)],
    ),
    ['without alg', () => signed({ ...header, alg: undefined }, claims, key)],
    ...(['HS256', 'ES256'] as const).flatMap((alg): [string, () => string][] => [
      [
        `with alg ${alg}, made by HMAC with the public key in PEM`,
        () => hmac({ ...header, alg }, claims, createPublicKey(key).export({ type: 'spki', format: 'pem' })),
      ],
      [
        `with alg ${alg}, made by HMAC with the published JWK`,
        () => hmac({ ...header, alg }, claims, JSON.stringify(jwk)),
      ],
    ]),
    ['signed by another key under our kid', () => signed(header, claims, stranger.privateKey)],
    ...[
      'unknown',
      '../../../../dev/null',
      "' OR 1=1 --",
      'https://example.com/key',
      '__proto__',
      'a\u0000b',
      '',
      null,
      7,
      { kid: 'x' },
    ].map((kid): [string, () => string] => [
      `with kid ${JSON.stringify(kid)}`,
      () => signed({ ...header, kid }, claims, stranger.privateKey),
    ]),
    ['without kid', () => signed({ ...header, kid: undefined }, claims, key)],
    ...Object.entries({
      jwk: stranger.publicKey.export({ format: 'jwk' }),
      jku: 'https://example.com/jwks.json',
      x5u: 'https://example.com/cert.pem',
      x5c: [stranger.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')],
      crit: ['exp'],
      b64: false,
      zip: 'DEF',
    }).flatMap(([name, value]): [string, () => string][] => [
      [
        `that brings a key of its own in ${name}`,
        () => signed({ ...header, [name]: value }, claims, stranger.privateKey),
      ],
      [`with ${name} in a header that we signed`, () => signed({ ...header, [name]: value }, claims, key)],
    ]),
    ...['JWT', 'jwt', 'AT+JWT', 'application/at+jwt', 'rt+jwt', undefined].map(
      (typ): [string, () => string] => [`with typ ${typ}`, () => signed({ ...header, typ }, claims, key)],
    ),
    ...Object.entries<[unknown, string]>({
      'another issuer': ['https://example.com', 'iss'],
      'another audience': ['https://example.com', 'aud'],
      'an expiry long past': [1_700_000_000, 'exp'],
      'an expiry in text': ['9999999999', 'exp'],
      'the beginning of its time to come': [9_999_999_999, 'nbf'],
      'an issue in the far future': [9_999_999_000, 'iat'],
      'an issue in text': ['now', 'iat'],
    }).map(([what, [value, name]]): [string, () => string] => [
      `with ${what}`,
      () => signed(header, { ...claims, [name]: value }, key),
    ]),
    ...['iss', 'aud', 'exp', 'iat', 'sub', 'sid', 'gid'].map((name): [string, () => string] => [
      `without ${name}`,
      () => signed(header, { ...claims, [name]: undefined }, key),
    ]),
    ['expired six seconds ago', () => signed(header, { ...claims, exp: seconds() - 6 }, key)],
    [
      'of a session that never was',
      () => signed(header, { ...claims, sid: '01ARZ3NDEKTSV4RRFFQ69G5FAV' }, key),
    ],
    ['whose claims are null', () => signed(header, null, key)],
    ['whose claims are a list', () => signed(header, [claims], key)],
    ['whose header is null', () => `bnVsbA.${encode(claims)}.AAAA`],
    ['with garbage behind it', () => `${genuine.accessToken}AA`],
    ['with a fourth part', () => `${genuine.accessToken}.AAAA`],
    ['cut short', () => genuine.accessToken.slice(0, -2)],
    [
      'with other claims under the genuine signature',
      () => genuine.accessToken.replace(/\..+\./, `.${encode({ ...claims, sub: 'x' })}.`),
    ],
    ['that is a refresh token', () => genuine.refreshToken],
    ['of ten kilobytes', () => signed(header, { ...claims, filler: 'x'.repeat(10_240) }, key)],
    ['that is empty', () => ''],
    ['that is two words', () => `${genuine.accessToken} ${genuine.accessToken}`],
  ];
  it.each(forgeries)('are refused %s', async (_name, forge) => {
    expectRefused(await me(`Bearer ${forge()}`));
  });

  it.each([
    ['once they have expired', 11 * 60_000],
    ['by a clock that was set back to long before their issue', -2 * 60_000],
  ])('are refused %s, also where they were accepted before', async (_when, later) => {
    const { accessToken } = await app.login(await app.register());
    expect((await me(`Bearer ${accessToken}`)).status).toBe(200);
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + later);
    const answer = await me(`Bearer ${accessToken}`).finally(() => clock.mockRestore());
    expectRefused(answer);
    expect((await me(`Bearer ${accessToken}`)).status).toBe(200);
  });

  it('are refused with any one character changed, also where they were accepted before', async () => {
    const { accessToken } = await app.login(await app.register());
    expect((await me(`Bearer ${accessToken}`)).status).toBe(200);
    const [head = '', claimed = '', signature = ''] = accessToken.split('.');
    const other = (text: string) => (text.startsWith('A') ? 'B' : 'A') + text.slice(1);
    expectRefused(await me(`Bearer ${other(head)}.${claimed}.${signature}`));
    expectRefused(await me(`Bearer ${head}.${other(claimed)}.${signature}`));
    expectRefused(await me(`Bearer ${head}.${claimed}.${other(signature)}`));
  });

  it('are refused under another scheme, in the query and without a header', async () => {
    expectRefused(await me(`Basic ${genuine.accessToken}`));
    expectRefused(await me(genuine.accessToken));
    expectRefused(await app.get(`/api/v1/iam/me?access_token=${genuine.accessToken}`));
  });

  it.each([[['genuine', 'Bearer x']], [['Bearer x', 'genuine']], [['genuine', 'genuine']]])(
    'are refused in two Authorization headers (%s)',
    async (values) => {
      const authorization = values.map((value) => value.replace('genuine', `Bearer ${genuine.accessToken}`));
      const answer = await new Promise<Answer>((resolve, reject) => {
        request(
          `${app.url}/api/v1/iam/me`,
          { headers: { authorization: authorization as never } },
          (response) => {
            let text = '';
            response.on('data', (chunk: Buffer) => (text += chunk.toString()));
            response.on('end', () =>
              resolve({
                status: response.statusCode ?? 0,
                headers: new Headers(response.headers as Record<string, string>),
                body: JSON.parse(text) as Answer['body'],
              }),
            );
          },
        )
          .on('error', reject)
          .end();
      });
      expectRefused(answer);
    },
  );

  it('are no refresh tokens', async () => {
    expect(await app.post('refresh', { refreshToken: genuine.accessToken })).toMatchObject({
      status: 400, // longer than any refresh token
      body: { violations: [{ propertyPath: 'refreshToken' }] },
    });
    const short = genuine.accessToken.slice(-512);
    expect((await app.post('refresh', { refreshToken: short })).body).toMatchObject({
      type: '/errors/invalid-refresh-token',
      status: 401,
    });
  });

  it('stay apart from mailed tokens, and these from each other', async () => {
    const email = 'purposes@example.com';
    await app.post('register', { email, password: 'quiet-harbour-42', firstName: 'Ada' });
    const verification = await app.mailedToken(email);
    const violation = { status: 400, body: { violations: [{ propertyPath: 'token' }] } };
    const reset = (token: string) => app.post('reset-password', { token, newPassword: 'a-new-harbour-7' });
    expect(await reset(verification)).toMatchObject(violation);
    expect((await app.post('verify-email', { token: verification })).status).toBe(204);
    await app.post('request-password-reset', { email });
    const resetToken = await app.mailedToken(email, 2);
    expect(await app.post('verify-email', { token: resetToken })).toMatchObject(violation);
    expect(await reset(genuine.accessToken)).toMatchObject(violation);
    expectRefused(await me(`Bearer ${resetToken}`));
    expect((await reset(resetToken)).status).toBe(204);
  });
});
