import { FORGERIES, Genuine } from '../../test/support/forged-tokens.js';
import { Organization, Person } from '../../test/support/organization.js';
import { TcpProxy } from '../../test/support/tcp-proxy.js';
import { TestApp } from '../../test/support/test-app.js';
import { InvalidTokenError, UnavailableError, Verifier } from '../src/verifier/index.js';

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
  afterAll(async () => {
    await network.close();
    await app.stop();
  });

  const newVerifier = (): Verifier =>
    new Verifier({
      issuer: 'http://gatehouse.test',
      audience: 'https://api.example.com',
      url: new URL(network.url).origin,
    });

  it('tells whom a token speaks for', async () => {
    const { sub, sid, exp, auth_time: authTime } = genuine.claims as Record<string, number>;
    expect(await verifier.verify(genuine.accessToken)).toEqual({
      raw: genuine.accessToken,
      userId: sub,
      sessionId: sid,
      tenantId: null,
      scopes: new Set(),
      clientId: genuine.claims['client_id'],
      authenticatedAt: new Date(Number(authTime) * 1000),
      methods: ['pwd'],
      expiresAt: new Date(Number(exp) * 1000),
    });
  });

  it('tells the tenant, and what is held in it', async () => {
    const { id, owner } = await Organization.found(app);
    const { tenantId, scopes } = await verifier.verify(owner.token);
    expect(tenantId).toBe(id);
    expect(scopes).toContain('iam:tenant:archive');
  });

  it.each([...FORGERIES])('refuses a token %s', async (_what, forge) => {
    await expect(verifier.verify(forge(genuine))).rejects.toThrow(InvalidTokenError);
  });

  it('refuses tokens for other audiences, whatever else it takes', async () => {
    const elsewhere = new Verifier({
      issuer: 'http://gatehouse.test',
      audience: 'https://other.example',
      url: app.url,
    });
    await expect(elsewhere.verify(genuine.accessToken)).rejects.toThrow(InvalidTokenError);
  });

  it('says that it does not know where it has no keys, and goes on with the ones that it has', async () => {
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

  it('takes a token after the logout until it expires, unless it asks', async () => {
    const person = await Person.signUp(app);
    const token = await verifier.verify(person.token);
    await verifier.confirm(token);
    await app.post('logout', undefined, { token: person.token });
    await verifier.verify(person.token);
    await expect(verifier.confirm(token)).rejects.toThrow(InvalidTokenError);
    await expect(verifier.can(token, null, ['iam:member:read'])).rejects.toThrow(InvalidTokenError);
  });

  it('takes a token after the membership has ended, unless it asks', async () => {
    const organization = await Organization.found(app);
    const member = await organization.join('member');
    const token = await verifier.verify(member.token);
    expect((await verifier.can(token, null, ['iam:tenant:read']))['iam:tenant:read'].allowed).toBe(true);
    await organization.call('DELETE', `/members/${member.person.id}`);
    expect((await verifier.verify(member.token)).tenantId).toBe(organization.id);
    await expect(verifier.confirm(token)).rejects.toThrow(InvalidTokenError);
  });
});
