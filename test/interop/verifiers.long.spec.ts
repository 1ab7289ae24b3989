import { RelyingParty } from '../support/relying-party.js';
import { describeWith } from '../support/tools.js';
import { Provider } from './harness.js';

const OF_NODE = [
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
const FILES = ['verifiers.mjs', 'verifiers.py', 'verifiers.rb', 'verifiers.pl'];
const OF_DEBIAN = [
  'PyJWT',
  'Authlib',
  'python-jose',
  'djangorestframework-simplejwt',
  'ruby-jwt',
  'json-jwt',
  'Crypt::JWT',
];
const LIBRARIES = {
  ES256: [...OF_NODE, ...OF_DEBIAN],
  RS256: [...OF_NODE, ...OF_DEBIAN, '@okta/jwt-verifier'],
} as const;
const NEEDED = [
  '/usr/lib/python3/dist-packages/authlib',
  '/usr/lib/python3/dist-packages/jose',
  '/usr/lib/python3/dist-packages/jwt',
  '/usr/lib/python3/dist-packages/rest_framework_simplejwt',
  '/usr/share/perl5/Crypt/JWT.pm',
  '/usr/share/rubygems-integration/all/specifications/json-jwt-1.14.0.gemspec',
  '/usr/share/rubygems-integration/all/specifications/jwt-2.5.0.gemspec',
];

describeWith(NEEDED, 'Libraries of other authors that verify access tokens', () => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await Provider.start();
  });
  afterAll(() => provider?.stop());

  describe.each(['ES256', 'RS256'] as const)('by %s', (accessTokenAlg) => {
    let token: string;
    beforeAll(async () => {
      const party = await RelyingParty.register(provider.app, { accessTokenAlg });
      token = (await party.signIn(provider.ada.token)).access_token;
    });

    const verify = async (TOKEN: string) => {
      const results: Record<string, string> = {};
      for (const file of FILES) {
        const environment = { TOKEN, ALGORITHM: accessTokenAlg, AUDIENCE: provider.issuer };
        Object.assign(results, JSON.parse(await provider.run(file, environment)));
      }
      return results;
    };

    it('accept one', async () => {
      const all = Object.fromEntries(LIBRARIES[accessTokenAlg].map((name) => [name, provider.ada.id]));
      expect(await verify(token)).toEqual(all);
    });

    it('refuse one that was changed', async () => {
      const [header, claims, signature = ''] = token.split('.');
      const changed = `${header}.${claims}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
      const results = await verify(changed);
      for (const name of LIBRARIES[accessTokenAlg])
        expect([name, results[name]]).toEqual([name, expect.not.stringMatching(provider.ada.id)]);
    });
  });
});
