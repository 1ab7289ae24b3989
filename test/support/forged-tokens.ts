import { createHmac, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { SigningKeyService } from '../../src/session/index.js';
import type { TestApp } from './test-app.js';

type Json = Record<string, unknown>;

/** What a forger could want: a genuine token, its content, and the key that signed it. */
export class Genuine {
  readonly header: Json;
  readonly claims: Json;
  readonly key: KeyObject;
  readonly jwk: Json;

  private constructor(
    app: TestApp,
    readonly accessToken: string,
    readonly refreshToken: string,
  ) {
    [this.header, this.claims] = accessToken
      .split('.')
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Json) as [Json, Json];
    this.key = app.app.get(SigningKeyService).current.privateKey;
    this.jwk = (app.app.get(SigningKeyService).jwks.keys[0] ?? {}) as Json;
  }

  static async of(app: TestApp): Promise<Genuine> {
    const { accessToken, refreshToken } = await app.login(await app.register());
    return new Genuine(app, accessToken, refreshToken);
  }

  /** Signs with changes to header and claims; undefined leaves one out. */
  signed(header: Json = {}, claims: Json = {}, key: KeyObject = this.key): string {
    return this.signedAsIs({ ...this.claims, ...claims }, header, key);
  }

  /** Signs any claims. */
  signedAsIs(claims: unknown, header: Json = {}, key: KeyObject = this.key): string {
    const content = `${encode({ ...this.header, ...header })}.${encode(claims)}`;
    const signature = sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' });
    return `${content}.${signature.toString('base64url')}`;
  }

  /** Signs by HMAC with a public secret. */
  hmac(alg: string, secret: string | Buffer): string {
    const content = `${encode({ ...this.header, alg })}.${encode(this.claims)}`;
    return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
  }
}

export type Forgery = [what: string, forge: (genuine: Genuine) => string];

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const seconds = (): number => Math.floor(Date.now() / 1000);
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** Access tokens that every verifier must refuse by signature and claims alone. */
export const FORGERIES: readonly Forgery[] = [
  [
    'without a signature (alg none)',
    ({ header, claims }) => `${encode({ ...header, alg: 'none' })}.${encode(claims)}.`,
  ],
  ['with alg none and the genuine signature', (genuine) => genuine.signed({ alg: 'none' })],
  ...['None', 'es256', 'Es256', 'ES256 ', 'ES384', 'RS256', 'PS256', 'EdDSA', ''].map((alg): Forgery => [
    `with alg "${alg}"`,
    (genuine) => genuine.signed({ alg }),
  ]),
  ['without alg', (genuine) => genuine.signed({ alg: undefined })],
  ...(['HS256', 'ES256'] as const).flatMap((alg): Forgery[] => [
    [
      `with alg ${alg}, made by HMAC with the public key in PEM`,
      (genuine) =>
        genuine.hmac(alg, createPublicKey(genuine.key).export({ type: 'spki', format: 'pem' }) as string),
    ],
    [
      `with alg ${alg}, made by HMAC with the published JWK`,
      (genuine) => genuine.hmac(alg, JSON.stringify(genuine.jwk)),
    ],
  ]),
  ['signed by another key under our kid', (genuine) => genuine.signed({}, {}, stranger.privateKey)],
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
  ].map((kid): Forgery => [
    `with kid ${JSON.stringify(kid)}`,
    (genuine) => genuine.signed({ kid }, {}, stranger.privateKey),
  ]),
  ['without kid', (genuine) => genuine.signed({ kid: undefined })],
  ...Object.entries({
    jwk: stranger.publicKey.export({ format: 'jwk' }),
    jku: 'https://example.com/jwks.json',
    x5u: 'https://example.com/cert.pem',
    x5c: [stranger.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')],
    crit: ['exp'],
    b64: false,
    zip: 'DEF',
  }).flatMap(([name, value]): Forgery[] => [
    [
      `that brings a key of its own in ${name}`,
      (genuine) => genuine.signed({ [name]: value }, {}, stranger.privateKey),
    ],
    [`with ${name} in a header that we signed`, (genuine) => genuine.signed({ [name]: value })],
  ]),
  ...['JWT', 'jwt', 'AT+JWT', 'application/at+jwt', 'rt+jwt', undefined].map((typ): Forgery => [
    `with typ ${typ}`,
    (genuine) => genuine.signed({ typ }),
  ]),
  ...Object.entries<[unknown, string]>({
    'another issuer': ['https://example.com', 'iss'],
    'another audience': ['https://example.com', 'aud'],
    'an expiry long past': [1_700_000_000, 'exp'],
    'an expiry in text': ['9999999999', 'exp'],
    'the beginning of its time to come': [9_999_999_999, 'nbf'],
    'an issue in the far future': [9_999_999_000, 'iat'],
    'an issue in text': ['now', 'iat'],
    'a sign-in in text': ['now', 'auth_time'],
  }).map(([what, [value, name]]): Forgery => [
    `with ${what}`,
    (genuine) => genuine.signed({}, { [name]: value }),
  ]),
  ...['iss', 'aud', 'exp', 'iat', 'auth_time', 'sub', 'sid', 'gid'].map((name): Forgery => [
    `without ${name}`,
    (genuine) => genuine.signed({}, { [name]: undefined }),
  ]),
  ...Object.entries<(now: number) => unknown>({
    'ten years from now': (now) => now + 10 * 365 * 86_400,
    'one day from now': (now) => now + 86_400,
    'of milliseconds': (now) => (now + 600) * 1_000,
    'beyond safe integers': () => 2 ** 53,
    'of 1e308': () => 1e308,
    'that is not a whole number': (now) => now + 60.5,
    'that is negative': (now) => -now,
    'of zero': () => 0,
    'that is a list': (now) => [now + 60],
    'that is true': () => true,
  }).map(([what, expOf]): Forgery => [
    `with an expiry ${what}`,
    (genuine) => genuine.signed({}, { exp: expOf(seconds()) }),
  ]),
  ...Object.entries<(now: number) => unknown>({
    'of a year ago, for an expiry to come': (now) => now - 365 * 86_400,
    'that is negative': (now) => -now,
    'of -1e308': () => -1e308,
    'that is not a whole number': (now) => now - 0.5,
    'after its expiry': (now) => now + 30,
  }).map(([what, iatOf]): Forgery => [
    `with an issue ${what}`,
    (genuine) => genuine.signed({}, { iat: iatOf(seconds()), exp: seconds() + 20 }),
  ]),
  ['expired six seconds ago', (genuine) => genuine.signed({}, { exp: seconds() - 6 })],
  ['whose claims are null', (genuine) => genuine.signedAsIs(null)],
  ['whose claims are a list', (genuine) => genuine.signedAsIs([genuine.claims])],
  ['whose header is null', ({ claims }) => `bnVsbA.${encode(claims)}.AAAA`],
  ['with garbage behind it', ({ accessToken }) => `${accessToken}AA`],
  ['with a fourth part', ({ accessToken }) => `${accessToken}.AAAA`],
  ['cut short', ({ accessToken }) => accessToken.slice(0, -2)],
  [
    'with other claims under the genuine signature',
    ({ accessToken, claims }) => accessToken.replace(/\..+\./, `.${encode({ ...claims, sub: 'x' })}.`),
  ],
  ['that is a refresh token', ({ refreshToken }) => refreshToken],
  ['of ten kilobytes', (genuine) => genuine.signed({}, { filler: 'x'.repeat(10_240) })],
  ['that is empty', () => ''],
  ['that is two words', ({ accessToken }) => `${accessToken} ${accessToken}`],
];
