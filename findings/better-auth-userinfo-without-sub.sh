#!/usr/bin/env bash
# better-auth 1.7.5: the generic OAuth plugin takes a person from UserInfo by `id`, not by `sub`.
#
# Behaviour: with an address in the ID token, the claims there are the person, and UserInfo is not
# asked, also where the name is only there. Without one, UserInfo is asked, and its answer refused for
# want of a member `id`: OpenID Connect has `sub` (Core, section 5.3.2). mapProfileToUser cannot add
# it; a getUserInfo of one's own can. The error is "unable_to_get_user_info" for each.
# Consequence: with a provider that has the claims of scopes at UserInfo, as Core section 5.4 says
# for the code flow, no person can sign in; with a part of them in the ID token, people have no name.
# Output: what the callback says for each place of the claims
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts better-auth@1.7.5 jose@6.2.18 >/dev/null 2>&1
cat >run.mjs <<'JS'
import { createServer } from 'node:http';
import { betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';
import { genericOAuth } from 'better-auth/plugins';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

const { publicKey, privateKey } = await generateKeyPair('RS256');
const key = { ...(await exportJWK(publicKey)), kid: 'k', alg: 'RS256', use: 'sig' };
const person = { email: 'ada@example.com', email_verified: true, name: 'Ada' };
let [idToken, userInfo, nonce] = [{}, {}, ''];
const provider = createServer(async ({ url }, response) => {
  const answers = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/keys`,
    }),
    '/keys': () => ({ keys: [key] }),
    '/userinfo': () => userInfo,
    '/token': async () => ({
      access_token: 'a',
      token_type: 'Bearer',
      expires_in: 600,
      id_token: await new SignJWT({ ...idToken, nonce })
        .setProtectedHeader({ alg: 'RS256', kid: 'k' })
        .setIssuer(issuer)
        .setAudience('app')
        .setSubject('ada')
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(privateKey),
    }),
  };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(await answers[url]()));
});
await new Promise((resolve) => provider.listen(0, '127.0.0.1', resolve));
const issuer = `http://127.0.0.1:${provider.address().port}`;

/** Signs in. @returns the names of the accounts afterwards, or the error */
async function signIn(inIdToken, atUserInfo, more = {}) {
  [idToken, userInfo] = [inIdToken, { sub: 'ada', ...atUserInfo }];
  const database = { user: [], session: [], account: [], verification: [] };
  const config = {
    providerId: 'op',
    clientId: 'app',
    clientSecret: 's',
    discoveryUrl: `${issuer}/.well-known/openid-configuration`,
    scopes: ['openid', 'profile', 'email'],
    ...more,
  };
  const auth = betterAuth({
    baseURL: 'http://localhost:3000',
    secret: 'a-secret-of-the-cookie-of-32-letters',
    database: memoryAdapter(database),
    logger: { disabled: true },
    plugins: [genericOAuth({ config: [config] })],
  });
  const body = { provider: 'op', callbackURL: '/done' };
  const begun = await auth.api.signInSocial({ body, asResponse: true });
  const asked = new URL((await begun.json()).url).searchParams;
  nonce = asked.get('nonce');
  const cookie = begun.headers.getSetCookie().map((line) => line.split(';')[0]).join('; ');
  const callback = `http://localhost:3000/api/auth/callback/op?code=c&state=${asked.get('state')}`;
  const answer = await auth.handler(new Request(callback, { headers: { cookie } }));
  const error = new URL(answer.headers.get('location'), callback).searchParams.get('error');
  return error ?? JSON.stringify(database.user.map(({ name }) => name));
}
const { name, ...address } = person;
const found = {
  'all in the ID token': await signIn(person, person),
  'address in the ID token, name at UserInfo': await signIn(address, person),
  'all at UserInfo': await signIn({}, person),
  'with id there': await signIn({}, { ...person, id: 'ada' }),
  'mapProfileToUser': await signIn({}, person, { mapProfileToUser: ({ sub }) => ({ id: sub }) }),
  'getUserInfo': await signIn({}, person, { getUserInfo: async () => ({ ...person, id: 'ada', emailVerified: true }) }),
};
const lines = Object.entries(found).map(([place, outcome]) => `${place}: ${outcome}`);
console.log(lines.join('\n'));
provider.closeAllConnections();
provider.close();
const [refused, known, nameless] = ['unable_to_get_user_info', '["Ada"]', '[""]'];
const wanted = [known, nameless, refused, known, refused, known];
process.exit(Object.values(found).join() === wanted.join() ? 0 : 1);
JS
timeout 60 node run.mjs
