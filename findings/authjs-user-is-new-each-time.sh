#!/usr/bin/env bash
# @auth/core 0.41.3 (Auth.js): without a database, a person is another user at each sign-in.
#
# Behaviour: with sessions in a JWT and no adapter, user.id and `sub` of the session's token are a UUID
# that is drawn at each sign-in. The `sub` of the ID token is account.providerAccountId and profile.sub,
# in the callbacks of that sign-in only; a profile() that returns it as `id` changes nothing for the user.
# The address is put in lower case.
# Consequence: an app that stores rows by the token's `sub`, as the claim is called, loses them at the
# next sign-in, on each device; no test that signs in once sees it. Set token.sub in the jwt callback:
# `if (account) token.sub = account.providerAccountId`.
# Output: of two sign-ins of one person, whether user.id and sub are the same, as is, with a profile()
# and with the callback
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @auth/core@0.41.3 jose@6.2.18 >/dev/null 2>&1
cat >run.mjs <<'JS'
import { Auth, customFetch } from '@auth/core';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

const issuer = 'https://login.example.com';
const site = 'https://app.example.com/auth';
const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
const idToken = () =>
  new SignJWT({ sub: 'person-1', name: 'Ada', email: 'Ada@Example.com' })
    .setProtectedHeader({ alg: 'ES256', kid: 'k' })
    .setIssuer(issuer)
    .setAudience('app')
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(privateKey);
const answers = {
  '/.well-known/openid-configuration': () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/keys`,
    id_token_signing_alg_values_supported: ['ES256'],
  }),
  '/keys': async () => ({ keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256' }] }),
  '/token': async () => ({ access_token: 'a', token_type: 'bearer', expires_in: 300, id_token: await idToken() }),
};
const provider = { id: 'own', name: 'own', type: 'oidc', issuer, clientId: 'app', clientSecret: 's', checks: ['pkce'] };
provider[customFetch] = async (input) => Response.json(await answers[new URL(input.url ?? input).pathname]());
const cookiesOf = (response) => response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);

async function signIn(ofProvider, jwt) {
  const seen = {};
  const config = {
    secret: 's'.repeat(32),
    trustHost: true,
    basePath: '/auth',
    providers: [{ ...provider, ...ofProvider }],
    callbacks: {
      jwt: ({ token, user, account }) => {
        if (account) Object.assign(seen, { user: user.id, email: user.email, account: account.providerAccountId });
        return jwt({ token, account });
      },
      session: ({ session, token }) => ({ ...session, sub: token.sub }),
    },
  };
  const send = (path, cookies, init) =>
    Auth(new Request(site + path, { ...init, headers: { cookie: cookies.join('; ') } }), config);
  const csrf = await send('/csrf', []);
  const { csrfToken } = await csrf.json();
  const body = new URLSearchParams({ csrfToken });
  const begun = await send('/signin/own', cookiesOf(csrf), { method: 'POST', body });
  const ended = await send('/callback/own?code=c', [...cookiesOf(csrf), ...cookiesOf(begun)]);
  return { ...seen, ...(await (await send('/session', cookiesOf(ended))).json()) };
}
async function twice(name, ofProvider, jwt = ({ token }) => token) {
  const [first, second] = [await signIn(ofProvider, jwt), await signIn(ofProvider, jwt)];
  const same = (field) => (first[field] === second[field] ? `same (${first[field]})` : 'another');
  return `${name}: user.id ${same('user')}, sub ${same('sub')}, account ${same('account')}, ${first.email}`;
}
const profile = ({ sub, name, email }) => ({ id: sub, name, email });
const mended = ({ token, account }) => (account ? { ...token, sub: account.providerAccountId } : token);
const lines = [
  await twice('as is', {}),
  await twice('with profile()', { profile }),
  await twice('with the callback', {}, mended),
];
console.log(lines.join('\n'));
const rest = 'account same (person-1), ada@example.com';
const expected = [
  `as is: user.id another, sub another, ${rest}`,
  `with profile(): user.id another, sub another, ${rest}`,
  `with the callback: user.id another, sub same (person-1), ${rest}`,
];
process.exit(lines.join() === expected.join() ? 0 : 1);
JS
timeout 60 node run.mjs
