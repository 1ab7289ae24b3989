import { RelyingParty } from '../../test/support/relying-party.js';
import { Person } from '../../test/support/organization.js';
import { signUpOperator } from '../../test/support/satellite.js';
import { TestApp } from '../../test/support/test-app.js';
import { InvalidTokenError, ProtectedResource, Verifier } from '../src/verifier/index.js';

describe('An API of a third party', () => {
  let app: TestApp;
  let operator: Person;
  let ada: Person;
  let party: RelyingParty;
  beforeAll(async () => {
    app = await TestApp.start();
    operator = await signUpOperator(app);
    ada = await Person.signUp(app);
    party = await RelyingParty.register(app);
  });
  afterAll(() => app.stop());

  /** Registers an API, and signs in to it. @returns the access token */
  const tokenFor = async (identifier: string, accessTokenAlg: string): Promise<string> => {
    const scopes = [{ name: 'read', title: 'Read' }];
    const api = { identifier, name: 'Orders', scopes, accessTokenAlg };
    const { token } = operator;
    const { body } = await app.call('POST', '/api/v1/iam/apis', api, { token });
    const path = `/api/v1/iam/satellites/${party.clientId}/apis/${String(body['id'])}`;
    expect((await app.call('PUT', path, { scopes: ['read'] }, { token })).status).toBe(200);
    const signedIn = await party.signIn(ada.token, { resource: identifier, scope: 'openid read' });
    return signedIn.access_token;
  };

  it.each(['ES256', 'RS256'] as const)('verifies its tokens by %s, and no others', async (algorithm) => {
    const audience = `https://${algorithm.toLowerCase()}.verified.example`;
    const token = await tokenFor(audience, algorithm);
    const options = {
      issuer: 'http://gatehouse.test',
      url: app.url,
      clients: 'any',
      audience,
      algorithm,
    } as const;
    const verified = await new Verifier(options).verify(token);
    expect([verified.clientId, [...(verified.scopes ?? [])]]).toEqual([party.clientId, ['read']]);
    const { access_token: ours } = await party.signIn(ada.token);
    const other = algorithm === 'ES256' ? 'RS256' : 'ES256';
    for (const [refused, changes] of [
      [ours, {}],
      [token, { audience: 'https://other.example' }],
      [token, { algorithm: other }],
      [`${token}=`, {}],
      [token.slice(0, -1), {}],
    ] as const)
      await expect(new Verifier({ ...options, ...changes }).verify(refused)).rejects.toThrow(
        InvalidTokenError,
      );
  });

  it('takes tokens for the service by either algorithm only if it says so', async () => {
    const options = { issuer: 'http://gatehouse.test', url: app.url, clients: 'any' } as const;
    const audience = 'http://gatehouse.test';
    const tokens = new Map<string, string>();
    for (const accessTokenAlg of ['ES256', 'RS256'] as const) {
      const { clientId, signIn } = await RelyingParty.register(app, { accessTokenAlg }).then((one) => ({
        clientId: one.clientId,
        signIn: () => one.signIn(ada.token),
      }));
      const token = (await signIn()).access_token;
      tokens.set(accessTokenAlg, token);
      const both = new Verifier({ ...options, audience, algorithm: ['ES256', 'RS256'] });
      expect(await both.verify(token)).toMatchObject({ clientId });
    }
    const byDefault = new Verifier({ ...options, audience });
    await byDefault.verify(tokens.get('ES256') ?? '');
    await expect(byDefault.verify(tokens.get('RS256') ?? '')).rejects.toThrow(InvalidTokenError);
  });

  it('is found by a client that knows its address only (RFC 9728)', () => {
    const resource = new ProtectedResource({
      resource: 'https://orders.example/api',
      issuer: 'https://login.example',
      scopes: ['read'],
      name: 'Orders',
      documentation: 'https://orders.example/docs',
    });
    expect(resource.metadata).toEqual({
      resource: 'https://orders.example/api',
      authorization_servers: ['https://login.example'],
      bearer_methods_supported: ['header'],
      scopes_supported: ['read'],
      resource_name: 'Orders',
      resource_documentation: 'https://orders.example/docs',
    });
    expect(resource.metadataUrl).toBe('https://orders.example/.well-known/oauth-protected-resource/api');
    const bare = new ProtectedResource({ resource: 'https://a.example', issuer: 'https://login.example' });
    expect(bare.metadataPath).toBe('/.well-known/oauth-protected-resource');
    expect(Object.keys(bare.metadata)).toHaveLength(3);
  });

  it('says in its challenge what is missing, and where its metadata is', () => {
    const resource = new ProtectedResource({
      resource: 'https://a.example',
      issuer: 'https://login.example',
    });
    const metadata = `resource_metadata="https://a.example/.well-known/oauth-protected-resource"`;
    expect(resource.challenge()).toBe(`Bearer ${metadata}`);
    const stronger = { error: 'insufficient_user_authentication', acr: 'aal2', maxAge: 0 } as const;
    expect(resource.challenge(stronger)).toBe(
      `Bearer error="insufficient_user_authentication", acr_values="aal2", max_age="0", ${metadata}`,
    );
    const more = { error: 'insufficient_scope', scopes: ['read', 'admin'] } as const;
    expect(resource.challenge(more)).toBe(
      `Bearer error="insufficient_scope", scope="read admin", ${metadata}`,
    );
    for (const scope of ['a"b', 'a\\b', 'a\r\nb', 'ä'])
      expect(() => resource.challenge({ scopes: [scope] })).toThrow(TypeError);
  });
});
