/** @service separate */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { JwtService } from '@nestjs/jwt';
import type { MachineAuthenticator } from '../../src/machine/index.js';
import type { MembershipDirectory } from '../../src/iam/index.js';
import {
  FIRST_PARTY_CLIENT,
  type PersonPrincipal,
  type SessionId,
  type TenantId,
  type UserId,
} from '../../src/kernel/index.js';
import type { Settings } from '../../src/platform/config/index.js';
import { Secret } from '../../src/platform/config/secret.js';
import { KeyDerivation } from '../../src/platform/crypto/index.js';
import type { Primary } from '../../src/platform/database/index.js';
import type { ChangeFeed } from '../../src/platform/live/index.js';
import { ClientStatus } from '../../src/client/status/client-status.js';
import type { DisabledClientRepository } from '../../src/client/status/disabled-client.repository.js';
import { SessionLiveness } from '../../src/session/sessions/session-liveness.js';
import type { SessionRepository } from '../../src/session/sessions/session.repository.js';
import type { RsaKeys } from '../../src/session/signing-keys/rsa-keys.js';
import type { SigningKeyService } from '../../src/session/signing-keys/signing-key.service.js';
import {
  AccessTokenService,
  type AccessTokenSubject,
} from '../../src/session/tokens/access-token.service.js';
import type { GrantRepository } from '../../src/session/grants/grant.repository.js';
import type { DpopProofs } from '../../src/session/tokens/dpop-proofs.js';
import { Authenticator } from '../../src/session/tokens/authenticator.js';
import { RefreshTokenCodec } from '../../src/session/tokens/refresh-token.js';
import { TokenSigner } from '../../src/session/tokens/token-signer.js';
import { VerifiedTokens } from '../../src/session/tokens/verified-tokens.js';

const NOW = Date.UTC(2026, 10, 24, 8);
const SECOND = 1_000;
const settings = {
  PUBLIC_URL: 'https://id.example',
  TOKEN_AUDIENCE: 'services',
  ACCESS_TOKEN_TTL: 600,
} as Settings;
const keyOf = (kid: string) => ({ kid, ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) });
const KEY = keyOf('key-1');
const RSA_KEY = { kid: 'rsa-1', ...generateKeyPairSync('rsa', { modulusLength: 3_072 }) };
const subject: AccessTokenSubject = {
  userId: 'ada' as UserId,
  sessionId: 'session' as SessionId,
  grantId: 'grant',
  clientId: FIRST_PARTY_CLIENT,
  tenantId: null,
  authTime: new Date(NOW - 90_500),
  aal2Time: null,
  phrTime: null,
  trustedDevice: false,
  amr: ['pwd'],
  scopes: ['iam:read', 'iam:write'],
};
/** `auth_time` is in whole seconds. */
const principal = (changes: Partial<PersonPrincipal> = {}): PersonPrincipal => ({
  kind: 'person',
  userId: subject.userId,
  sessionId: subject.sessionId,
  grantId: 'grant',
  clientId: FIRST_PARTY_CLIENT,
  tenantId: null,
  authTime: new Date(NOW - 91_000),
  aal2Time: null,
  phrTime: null,
  trustedDevice: false,
  ...changes,
});

let keys: (typeof KEY)[];
/** Ids of the keys that were looked up. */
let asked: unknown[];
let tokens: AccessTokenService;
let verifications: jest.SpyInstance;
beforeEach(() => {
  jest.useFakeTimers({ now: NOW });
  keys = [KEY];
  asked = [];
  const jwt = new JwtService({});
  verifications = jest.spyOn(jwt, 'verify');
  tokens = serviceOf(settings, jwt);
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

function serviceOf(current: Settings, jwt = new JwtService({})): AccessTokenService {
  const service = {
    get current() {
      return keys[0];
    },
    find: (kid: string) => {
      asked.push(kid);
      return Promise.resolve(keys.find((key) => key.kid === kid) ?? null);
    },
  };
  const derivation = new KeyDerivation(new Secret(Buffer.alloc(32, 1)));
  const signing = service as unknown as SigningKeyService;
  const rsa = {
    getCurrent: () => Promise.resolve(RSA_KEY),
    find: (kid: string) => Promise.resolve(kid === RSA_KEY.kid ? RSA_KEY.publicKey : null),
  } as unknown as RsaKeys;
  const signer = new TokenSigner(jwt, signing, rsa, current);
  return new AccessTokenService(jwt, signer, current, derivation);
}
const decoded = (token: string, part: 0 | 1) =>
  JSON.parse(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString()) as Record<string, unknown>;
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
/** Signs a token as the service does, with other claims or another header. */
function signed(claims: object, header: object = {}, key: KeyObject = KEY.privateKey): string {
  const token = tokens.sign(subject);
  const content = [
    encoded({ ...decoded(token, 0), ...header }),
    encoded({ ...decoded(token, 1), ...claims }),
  ].join('.');
  const signature = sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' });
  return `${content}.${signature.toString('base64url')}`;
}
const seconds = (from = 0) => NOW / SECOND + from;
const refusal = (cause: unknown) => ({
  code: 'unauthenticated',
  detail: 'The access token is not valid, has expired, or its session has ended.',
  cause,
});

describe('An access token', () => {
  it('says whose it is, how the person has signed in, and until when', async () => {
    const token = tokens.sign(subject);
    expect(decoded(token, 0)).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: 'key-1' });
    expect(decoded(token, 1)).toEqual({
      iss: 'https://id.example',
      aud: 'services',
      sub: 'ada',
      sid: 'session',
      gid: 'grant',
      client_id: FIRST_PARTY_CLIENT,
      auth_time: seconds(-91),
      acr: 'aal1',
      amr: ['pwd'],
      jti: expect.stringMatching(/^[0-9A-Z]{26}$/),
      iat: seconds(),
      exp: seconds(600),
    });
    expect(await tokens.verify(token)).toEqual(principal());
  });

  describe('by RS256', () => {
    it('is verified by a key of that algorithm, and no other', async () => {
      const token = await tokens.signBy('RS256', subject);
      expect(decoded(token, 0)).toEqual({ alg: 'RS256', typ: 'at+jwt', kid: 'rsa-1' });
      expect(await tokens.verify(token)).toEqual(principal());
      expect(asked).toHaveLength(0);
      for (const header of [
        { alg: 'RS256', kid: 'key-1' },
        { alg: 'ES256', kid: 'rsa-1' },
        { alg: 'RS512', kid: 'rsa-1' },
      ])
        await expect(tokens.verify(signed({}, header))).rejects.toMatchObject(refusal('unknown key or type'));
    });

    it('is refused with the signature of another algorithm', async () => {
      const byRsa = await tokens.signBy('RS256', subject);
      const byEc = tokens.sign(subject);
      const swap = (token: string, other: string) =>
        [...token.split('.').slice(0, 2), other.split('.')[2]].join('.');
      for (const token of [swap(byRsa, byEc), swap(byEc, byRsa), byRsa.slice(0, -1)])
        await expect(tokens.verify(token)).rejects.toMatchObject(refusal('not in canonical form'));
      const changed = `${byRsa.slice(0, -2)}${byRsa.endsWith('AA') ? 'BB' : 'AA'}`;
      await expect(tokens.verify(changed)).rejects.toMatchObject(refusal(expect.any(Error)));
    });
  });

  it('names the selected tenant and the scopes in it, unless they are too long', async () => {
    const tenantId = 'home' as TenantId;
    const token = tokens.sign({ ...subject, tenantId });
    expect(decoded(token, 1)).toMatchObject({ tid: 'home', scope: 'iam:read iam:write' });
    expect(await tokens.verify(token)).toEqual(principal({ tenantId }));
    const longest = (length: number) =>
      decoded(tokens.sign({ ...subject, tenantId, scopes: ['x'.repeat(length)] }), 1);
    expect(longest(4_000)['scope']).toHaveLength(4_000);
    expect(longest(4_001)).not.toHaveProperty('scope');
    expect(longest(4_001)).toHaveProperty('tid');
    expect(decoded(tokens.sign({ ...subject, scopes: [] }), 1)).not.toHaveProperty('scope');
  });

  it('names an operator who acts as the person, and then expires exactly', async () => {
    const token = tokens.sign({ ...subject, actorId: 'eve' as UserId, lifetimeSeconds: 1_800 });
    expect(decoded(token, 1)).toMatchObject({ sub: 'ada', act: { sub: 'eve' } });
    expect(await tokens.verify(token)).toEqual(principal({ actorId: 'eve' as UserId }));
    jest.setSystemTime(NOW + 1_799_999);
    await tokens.verify(token);
    jest.setSystemTime(NOW + 1_800_000);
    await expect(tokens.verify(token)).rejects.toMatchObject(refusal('expired'));
  });

  it.each([null, 'eve', {}, { sub: 7 }])('is refused with the actor %j', async (act) => {
    const refused = refusal('actor without a name');
    await expect(tokens.verify(signed({ act }))).rejects.toMatchObject(refused);
  });

  it('is verified once, and its key and times at each use', async () => {
    const token = tokens.sign(subject);
    await tokens.verify(token);
    const remembered = jest.spyOn(VerifiedTokens.prototype, 'remember');
    expect(await tokens.verify(token)).toEqual(principal());
    expect(verifications).toHaveBeenCalledTimes(1);
    expect(remembered).not.toHaveBeenCalled();
    keys = [];
    await expect(tokens.verify(token)).rejects.toMatchObject(refusal('unknown key or type'));
    keys = [KEY];
    jest.setSystemTime(NOW + 604_999);
    await tokens.verify(token);
    jest.setSystemTime(NOW + 605_000);
    await expect(tokens.verify(token)).rejects.toMatchObject(refusal('expired'));
    jest.setSystemTime(NOW - 60_000);
    await tokens.verify(token);
    jest.setSystemTime(NOW - 60_001);
    await expect(tokens.verify(token)).rejects.toMatchObject(refusal('issued in the future'));
  });

  it('is remembered with a key that all tokens of this key share', async () => {
    keys = [KEY, keyOf('key-2')];
    const remembered = async (token: string) => {
      await tokens.read(token);
      return (await tokens.read(token)).key;
    };
    const first = await remembered(tokens.sign(subject));
    expect(await remembered(tokens.sign({ ...subject, tenantId: 'acme' as TenantId }))).toBe(first);
    keys.reverse();
    expect(await remembered(tokens.sign(subject))).toEqual({ kid: 'key-2', alg: 'ES256' });
    expect(first).toEqual({ kid: 'key-1', alg: 'ES256' });
  });

  it('is verified again in each spelling, and not remembered once it is refused', async () => {
    await tokens.verify(tokens.sign(subject));
    await tokens.verify(tokens.sign(subject));
    expect(verifications).toHaveBeenCalledTimes(2);
    const old = signed({ iat: seconds(-1_000), exp: seconds(-400) });
    for (let n = 0; n < 2; n += 1) await expect(tokens.verify(old)).rejects.toThrow();
    expect(verifications).toHaveBeenCalledTimes(4);
  });

  it.each<[string, object]>([
    ['claims missing', { sub: undefined }],
    ['claims missing', { sid: undefined }],
    ['claims missing', { gid: 7 }],
    ['claims missing', { client_id: null }],
    ['times missing', { exp: undefined }],
    ['times missing', { auth_time: undefined }],
    ['times missing', { auth_time: '1' }],
    ['times missing', { auth_time: -1 }],
    ['times missing', { iat: seconds() + 0.5 }],
    ['times missing', { exp: seconds(60) + 0.5 }],
    ['lifetime too long', { iat: seconds(), exp: seconds(3_601) }],
    ['lifetime too long', { iat: seconds(30), exp: seconds(30) }],
    ['lifetime too long', { iat: seconds(30), exp: seconds(29) }],
    ['issued in the future', { iat: seconds(61), exp: seconds(600) }],
  ])('is refused: %s (%j)', async (cause, claims) => {
    await expect(tokens.verify(signed(claims))).rejects.toMatchObject(refusal(cause));
  });

  it.each<[string, object]>([
    ['another issuer', { iss: 'https://other.example' }],
    ['another audience', { aud: 'others' }],
    ['an end that has passed', { exp: seconds(-6) }],
  ])('is refused by the library: %s', async (_, claims) => {
    await expect(tokens.verify(signed(claims))).rejects.toMatchObject(refusal(expect.any(Error)));
  });

  it('is accepted at the ends of what is allowed', async () => {
    for (const claims of [
      { iat: seconds(60), exp: seconds(600) },
      { iat: seconds(), exp: seconds(3_600) },
      { auth_time: 0 },
    ])
      expect(await tokens.verify(signed(claims))).toMatchObject({ userId: 'ada' });
    expect(await tokens.verify(signed({ tid: 7 }))).toMatchObject({ tenantId: null });
  });

  it('may live as long as is set, if that is longer than an hour', async () => {
    const longer = serviceOf({ ...settings, ACCESS_TOKEN_TTL: 7_200 });
    expect(await longer.verify(longer.sign(subject))).toEqual(principal());
    await expect(longer.verify(signed({ exp: seconds(7_201) }))).rejects.toMatchObject(
      refusal('lifetime too long'),
    );
  });

  it.each<[string, object]>([
    ['type', { typ: 'JWT' }],
    ['algorithm', { alg: 'ES384' }],
    ['key', { kid: 'key-2' }],
    ['key', { kid: 7 }],
    ['further field', { jku: 'https://other.example' }],
  ])('is refused before its signature is verified, for its header: another %s', async (_, header) => {
    await expect(tokens.verify(signed({}, header))).rejects.toMatchObject(refusal('unknown key or type'));
    expect(verifications).not.toHaveBeenCalled();
  });

  it.each([
    ['no token', '', 'unknown key or type'],
    ['a header that is no JSON', `${Buffer.from('{').toString('base64url')}.e30.x`, 'unknown key or type'],
  ])('is refused that is %s, and no key is looked up', async (_, token, cause) => {
    await expect(tokens.verify(token)).rejects.toMatchObject(refusal(cause));
    expect(asked).toHaveLength(0);
  });

  it('is refused with a key whose id is no text, which is not looked up', async () => {
    for (const kid of [7, null, ['key-1']])
      await expect(tokens.verify(signed({}, { kid }))).rejects.toMatchObject(refusal('unknown key or type'));
    expect(asked).toHaveLength(0);
  });

  it('is refused in any other form', async () => {
    const token = tokens.sign(subject);
    for (const other of [`${token}=`, `${token}.`, `${token} `, token.slice(0, -1), `${token.slice(0, -1)}B`])
      await expect(tokens.verify(other)).rejects.toMatchObject(refusal('not in canonical form'));
    expect(verifications).not.toHaveBeenCalled();
    await expect(tokens.verify(signed({}, {}, keyOf('key-1').privateKey))).rejects.toMatchObject(
      refusal(expect.any(Error)),
    );
  });

  it('is refused unread if it is too long', async () => {
    const filled = (length: number) => tokens.sign(subject).padEnd(length, 'A');
    await expect(tokens.verify(filled(8_193))).rejects.toMatchObject(refusal('too long'));
    expect(asked).toHaveLength(0);
    await expect(tokens.verify(filled(8_192))).rejects.toMatchObject(refusal('not in canonical form'));
  });
});

describe('A request', () => {
  let alive: boolean;
  let enabled: boolean;
  let member: boolean;
  let confirmed: Promise<void>;
  beforeEach(() => {
    [alive, enabled, member] = [true, true, true];
    confirmed = Promise.resolve();
  });
  const authenticate = (token: string) =>
    new Authenticator(
      tokens,
      new SessionLiveness(
        {
          findAlive: (ids: string[]) => Promise.resolve(ids.filter((id) => alive && id === 'session')),
        } as unknown as SessionRepository,
        { findAliveIds: (ids: string[]) => Promise.resolve(ids) } as unknown as GrantRepository,
        { listen: () => undefined, healthy: false } as unknown as ChangeFeed,
        { confirmRead: () => confirmed } as unknown as Primary,
        {} as never,
      ),
      { hasAccess: () => Promise.resolve(member) } as unknown as MembershipDirectory,
      {
        isEnabled: (id: string) => Promise.resolve(enabled && id === FIRST_PARTY_CLIENT),
      } as unknown as ClientStatus,
      { authenticate: () => Promise.reject(new Error('no key')) } as unknown as MachineAuthenticator,
      { verify: () => Promise.reject(new Error('no proof')) } as unknown as DpopProofs,
      {} as never,
    ).authenticate({ token, isBound: false }, '203.0.113.7', () => ({
      method: 'GET',
      url: 'https://a.example/',
      proofs: [],
    }));
  const bearer = (tenantId: TenantId | null = null) => tokens.sign({ ...subject, tenantId });

  it('is that of its token', async () => {
    expect(await authenticate(bearer())).toEqual(principal());
  });

  it.each(['a==', '~a+/-._='])('is refused with the bearer token %s, by its content', async (token) => {
    await expect(authenticate(token)).rejects.toMatchObject(refusal('unknown key or type'));
  });

  it('is refused once its session, its client or its membership has ended', async () => {
    const home = 'home' as TenantId;
    expect(await authenticate(bearer(home))).toEqual(principal({ tenantId: home }));
    member = false;
    await expect(authenticate(bearer(home))).rejects.toMatchObject({ cause: 'membership ended' });
    expect(await authenticate(bearer())).toEqual(principal());
    enabled = false;
    await expect(authenticate(bearer(home))).rejects.toMatchObject({ cause: 'client disabled' });
    alive = false;
    await expect(authenticate(bearer(home))).rejects.toMatchObject({ cause: 'session ended' });
  });

  it('is not refused by a database that may be a former primary', async () => {
    alive = false;
    confirmed = Promise.reject(new Error('not the primary'));
    await expect(authenticate(bearer())).rejects.toThrow('not the primary');
  });
});

describe('A refresh token', () => {
  const [OLD, NEW] = [1, 2].map((byte) => new Secret(Buffer.alloc(32, byte))) as [
    Secret<Buffer>,
    Secret<Buffer>,
  ];
  const content = { grantId: '01ARZ3NDEKTSV4RRFFQ69G5FAV', generation: 12 };
  const codec = new RefreshTokenCodec(new KeyDerivation(OLD));
  const token = codec.encode(content);

  it('is the same for the same generation, and read by this service alone', () => {
    expect(codec.encode(content)).toBe(token);
    expect(codec.decode(token)).toEqual(content);
    expect(new RefreshTokenCodec(new KeyDerivation(NEW)).decode(token)).toBeNull();
    const after = new RefreshTokenCodec(new KeyDerivation(NEW, OLD));
    expect(after.decode(token)).toEqual(content);
    expect(after.decode(after.encode(content))).toEqual(content);
    expect(after.encode(content)).not.toBe(token);
  });

  it('is refused in any other spelling, and with any other content', () => {
    const [grant = '', generation = '', mac = ''] = token.slice(4).split('.');
    for (const changed of [
      '',
      token.slice(4),
      ` ${token}`,
      `${token} `,
      `${token}A`,
      `ghr_${grant}.0${generation}.${mac}`,
      `ghr_${grant}.${generation}0.${mac}`,
      `ghr_${grant}.${generation}.${mac.slice(1)}`,
      `ghr_${grant}.${generation}.`,
      `ghr_${grant.toLowerCase()}.${generation}.${mac}`,
      `ghr_${grant.slice(0, -1)}W.${generation}.${mac}`,
    ])
      expect([changed, codec.decode(changed)]).toEqual([changed, null]);
  });

  it.each([1, 9_999_999_999])('has generation %d', (generation) => {
    expect(codec.decode(codec.encode({ ...content, generation }))).toEqual({ ...content, generation });
  });

  it.each([0, 10_000_000_000])('has no generation %d', (generation) => {
    expect(codec.decode(codec.encode({ ...content, generation }))).toBeNull();
  });
});

describe('A client', () => {
  let disabled: string[];
  let read: string[];
  beforeEach(() => {
    disabled = ['shop'];
    read = [];
  });

  it('is refused while it is disabled, unless it is the app', async () => {
    const clients = {
      findDisabled: (ids: readonly string[]) => {
        read.push(...ids);
        return Promise.resolve(new Set(ids.filter((id) => disabled.includes(id))));
      },
    } as unknown as DisabledClientRepository;
    const unhealthy = { healthy: false, listen: () => undefined };
    const status = new ClientStatus(clients, unhealthy as never);
    expect(await status.isEnabled('shop')).toBe(false);
    expect(await status.isEnabled('forum')).toBe(true);
    disabled = [FIRST_PARTY_CLIENT];
    expect(await status.isEnabled(FIRST_PARTY_CLIENT)).toBe(true);
    expect(read).toEqual(['shop', 'forum']);
  });
});
