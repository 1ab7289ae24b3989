import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { signedAs } from '../../test/support/factors.js';
import { FORGERIES, Genuine } from '../../test/support/forged-tokens.js';
import { Organization, Person } from '../../test/support/organization.js';
import { otherSpellings } from '../../test/support/spellings.js';
import { TcpProxy } from '../../test/support/tcp-proxy.js';
import { TestApp } from '../../test/support/test-app.js';
import {
  InvalidTokenError,
  isSufficient,
  UnavailableError,
  Verifier,
  type VerifierOptions,
} from '../src/verifier/index.js';

describe('A verifier in another process', () => {
  let app: TestApp;
  let network: TcpProxy;
  let genuine: Genuine;
  let verifier: Verifier;
  beforeAll(async () => {
    app = await TestApp.start({ TOKEN_AUDIENCE: 'https://api.example.com' });
    network = await TcpProxy.to(app.url);
    genuine = await Genuine.of(app);
    verifier = newVerifier();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await network.close();
    await app.stop();
  });

  const newVerifier = (options: Partial<VerifierOptions> = {}): Verifier =>
    new Verifier({
      issuer: 'http://gatehouse.test',
      audience: 'https://api.example.com',
      url: new URL(network.url).origin,
      ...options,
    });

  it('returns the caller of a token', async () => {
    const { sub, sid, exp, auth_time: authTime } = genuine.claims as Record<string, number>;
    expect(await verifier.verify(genuine.accessToken)).toEqual({
      raw: genuine.accessToken,
      kind: 'person',
      userId: sub,
      sessionId: sid,
      tenantId: null,
      scopes: new Set(),
      clientId: genuine.claims['client_id'],
      authenticatedAt: new Date(Number(authTime) * 1000),
      aal2At: null,
      phrAt: null,
      methods: ['pwd'],
      expiresAt: new Date(Number(exp) * 1000),
    });
  });

  it('returns the tenant and the scopes in it', async () => {
    const { id, owner } = await Organization.found(app);
    const { tenantId, scopes } = await verifier.verify(owner.token);
    expect(tenantId).toBe(id);
    expect(scopes).toContain('iam:tenant:archive');
  });

  it('says how strong and how recent the sign-in is', async () => {
    const [authTime, aal2Time] = [new Date('2026-05-01T12:00:00Z'), new Date('2026-05-01T11:00:00Z')];
    const token = await verifier.verify(
      signedAs(app, genuine.accessToken, { authTime, aal2Time, phrTime: null }),
    );
    expect(token).toMatchObject({ authenticatedAt: authTime, aal2At: aal2Time, phrAt: null });
    jest.spyOn(Date, 'now').mockReturnValue(authTime.getTime() + 60_000);
    expect(isSufficient(token, { maxAge: 60 })).toBe(true);
    expect(isSufficient(token, { maxAge: 59 })).toBe(false);
    expect(isSufficient(token, { acr: 'aal2' })).toBe(true);
    expect(isSufficient(token, { acr: 'aal2', maxAge: 3_600 })).toBe(false); // not by the recent password
    expect(isSufficient(token, { acr: 'aal2', maxAge: 3_660 })).toBe(true);
    expect(isSufficient(token, { acr: 'phr' })).toBe(false);
  });

  it.each([...FORGERIES])('refuses a token %s', async (_what, forge) => {
    await expect(verifier.verify(forge(genuine))).rejects.toThrow(InvalidTokenError);
  });

  it.each([
    ...'\n\r\t \v\f\0\u0085\u00a0\u1680\u2003\u2028\u2029\u202f\u205f\u3000\ufeff\u200b\u2060=.,;"',
    '\r\n',
    '==',
  ])('refuses a token with %j before it, behind it or in it', async (text) => {
    const { accessToken: token } = genuine;
    const places = [
      0,
      1,
      token.indexOf('.'),
      token.indexOf('.') + 1,
      token.lastIndexOf('.'),
      token.length - 1,
    ];
    for (const at of [...places, token.length])
      await expect(verifier.verify(token.slice(0, at) + text + token.slice(at))).rejects.toThrow(
        InvalidTokenError,
      );
    await expect(verifier.verify(text + token + text)).rejects.toThrow(InvalidTokenError);
  });

  it('refuses all other spellings of an accepted token', async () => {
    await verifier.verify(genuine.accessToken);
    for (const text of otherSpellings(genuine.accessToken))
      await expect(verifier.verify(text)).rejects.toThrow(InvalidTokenError);
  });

  it('accepts the token, and refuses each text that differs from it', async () => {
    const { accessToken: token } = genuine;
    const at = fc.nat(token.length);
    const change = fc.oneof(
      fc.tuple(at, fc.nat(3), fc.string({ unit: 'binary', maxLength: 3 })),
      fc.tuple(at, fc.nat(1), fc.constantFrom(...'ABCXYZabcxyz0189-_=+/. \n\r\t\ufeff')),
      fc.tuple(
        fc.constant(token.length - 1),
        fc.constant(1),
        fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'),
      ),
    );
    await fc.assert(
      fc.asyncProperty(change, async ([from, cut, put]) => {
        const changed = token.slice(0, from) + put + token.slice(from + cut);
        if (changed === token) return;
        await expect(verifier.verify(changed)).rejects.toThrow(InvalidTokenError);
      }),
      { numRuns: 1_000 },
    );
    expect(await verifier.verify(token)).toMatchObject({ raw: token });
  });

  it('refuses a value that is not a string', async () => {
    for (const value of [undefined, null, 7, {}, [genuine.accessToken], new String(genuine.accessToken)])
      await expect(verifier.verify(value as never)).rejects.toThrow(InvalidTokenError);
  });

  it('refuses a token that is bound to a key, whose proof it has not seen', async () => {
    await expect(verifier.verify(genuine.signed({}, {}))).resolves.toBeDefined();
    const bound = genuine.signed({}, { cnf: { jkt: 'x'.repeat(43) } });
    await expect(verifier.verify(bound)).rejects.toMatchObject({ cause: 'bound to a key' });
  });

  it("takes a token without a session only as a service account's, which is its own client", async () => {
    const without = { sid: undefined, cid: 'x', tid: 'y' };
    const own = genuine.signed({}, { ...without, client_id: genuine.claims['sub'] });
    expect(await verifier.verify(own)).toMatchObject({
      kind: 'service',
      sessionId: null,
      authenticatedAt: null,
      methods: [],
    });
    await expect(verifier.verify(genuine.signed({}, without))).rejects.toMatchObject({
      reason: 'claim sid missing, and not the token of a service account',
    });
  });

  it('accepts tokens up to the configured lifetime', async () => {
    const issuedAt = Math.floor(Date.now() / 1000);
    const living = (lifetime: number) => genuine.signed({}, { iat: issuedAt, exp: issuedAt + lifetime });
    await verifier.verify(living(3_600));
    await expect(verifier.verify(living(3_601))).rejects.toThrow(InvalidTokenError);
    const patient = newVerifier({ maxLifetimeSeconds: 7_200 });
    await patient.verify(living(7_200));
    await expect(patient.verify(living(7_201))).rejects.toThrow(InvalidTokenError);
    const strict = newVerifier({ maxLifetimeSeconds: 60 });
    await expect(strict.verify(genuine.accessToken)).rejects.toThrow(InvalidTokenError);
  });

  it('refuses tokens for other audiences', async () => {
    const otherAudience = new Verifier({
      issuer: 'http://gatehouse.test',
      audience: 'https://other.example',
      url: app.url,
    });
    await expect(otherAudience.verify(genuine.accessToken)).rejects.toThrow(InvalidTokenError);
  });

  it('throws UnavailableError without keys, and continues with cached ones', async () => {
    const newcomer = newVerifier();
    await network.cut();
    try {
      await expect(newcomer.verify(genuine.accessToken)).rejects.toThrow(UnavailableError);
      const token = await verifier.verify(genuine.accessToken);
      await expect(verifier.confirm(token)).rejects.toThrow(UnavailableError);
    } finally {
      await network.mend();
    }
  });

  it.each([429, 500, 503])('throws UnavailableError where Gatehouse answers %i', async (status) => {
    const server = createServer((_, response) => {
      response.writeHead(status, { 'content-type': 'application/problem+json' });
      response.end(JSON.stringify({ type: '/errors/internal', title: 'Fault', status, detail: 'Fault' }));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      const failing = newVerifier({ url: `http://127.0.0.1:${port}` });
      const token = await verifier.verify(genuine.accessToken);
      await expect(failing.confirm(token)).rejects.toThrow(UnavailableError);
    } finally {
      server.close();
    }
  });

  it('accepts a token after the logout until it expires, unless it confirms', async () => {
    const person = await Person.signUp(app);
    const token = await verifier.verify(person.token);
    await verifier.confirm(token);
    await app.post('logout', undefined, { token: person.token });
    await verifier.verify(person.token);
    await expect(verifier.confirm(token)).rejects.toThrow(InvalidTokenError);
    await expect(verifier.can(token, null, ['iam:member:read'])).rejects.toThrow(InvalidTokenError);
  });

  it('accepts a token after the membership has ended, unless it confirms', async () => {
    const organization = await Organization.found(app);
    const member = await organization.join('member');
    const token = await verifier.verify(member.token);
    expect((await verifier.can(token, null, ['iam:tenant:read']))['iam:tenant:read'].allowed).toBe(true);
    await organization.call('DELETE', `/members/${member.person.id}`);
    expect((await verifier.verify(member.token)).tenantId).toBe(organization.id);
    await expect(verifier.confirm(token)).rejects.toThrow(InvalidTokenError);
  });
});
