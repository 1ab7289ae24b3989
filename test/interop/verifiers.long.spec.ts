import { RelyingParty } from '../support/relying-party.js';
import { Provider } from './harness.js';

const LIBRARIES = [
  '@fastify/jwt + get-jwks',
  'aws-jwt-verify',
  'express-jwt + jwks-rsa',
  'express-oauth2-jwt-bearer',
  'fast-jwt + get-jwks',
  'hono/jwk',
  'jose',
  'jsonwebtoken + jwks-rsa',
  'passport-jwt + jwks-rsa',
];

describe('Libraries of other authors that verify access tokens', () => {
  let provider: Provider;
  let token: string;
  beforeAll(async () => {
    provider = await Provider.start();
    const party = await RelyingParty.register(provider.app);
    token = (await party.signIn(provider.ada.token)).access_token;
  });
  afterAll(() => provider?.stop());

  const verify = async (TOKEN: string) => {
    const printed = await provider.run('verifiers.mjs', {
      TOKEN,
      ALGORITHM: 'ES256',
      AUDIENCE: provider.issuer,
    });
    return JSON.parse(printed) as Record<string, string>;
  };

  it('accept one', async () => {
    const all = Object.fromEntries(LIBRARIES.map((name) => [name, provider.ada.id]));
    expect(await verify(token)).toEqual(all);
  });

  it('refuse one that was changed', async () => {
    const [header, claims, signature = ''] = token.split('.');
    const changed = `${header}.${claims}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    const results = await verify(changed);
    for (const name of LIBRARIES) expect([name, results[name]]).not.toEqual([name, provider.ada.id]);
  });
});
