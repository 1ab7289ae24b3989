#!/usr/bin/env bash
# @openauthjs/openauth 0.4.3: its token responses have no token_type, and strict clients refuse them.
#
# Behaviour: the answer of /token has access_token, expires_in and refresh_token. token_type is required
# (RFC 6749, section 5.1). Next to it: an empty state is added to the answer of a request without one,
# the metadata (RFC 8414) do not name PKCE, which it supports, and an unknown grant type is answered by
# a text about cookies in place of unsupported_grant_type in JSON.
# Consequence: openid-client 6.8.9 and arctic 3.7.0 throw for the tokens of a sign-in that worked; the
# package's own client does not read it, and so hides that.
# Output: the members of the answer, and what each client makes of it
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps @openauthjs/openauth@0.4.3 hono@4.13.19 \
  @hono/node-server@2.1.9 arctic@3.7.0 openid-client@6.8.9 @standard-schema/spec@1.0.0 >/dev/null 2>&1
cat >run.mjs <<'JS'
import { serve } from '@hono/node-server';
import { createClient } from '@openauthjs/openauth/client';
import { issuer } from '@openauthjs/openauth';
import { MemoryStorage } from '@openauthjs/openauth/storage/memory';
import { createSubjects } from '@openauthjs/openauth/subject';
import * as arctic from 'arctic';
import * as openid from 'openid-client';

const log = console.log;
console.log = console.error = () => undefined;
const accepts = { '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) } };
const app = issuer({
  subjects: createSubjects({ user: accepts }),
  storage: MemoryStorage(),
  allow: async () => true,
  providers: {
    person: { type: 'person', init: (routes, ctx) => void routes.get('/authorize', (c) => ctx.success(c, { id: 'ada' })) },
  },
  success: (ctx, { id }) => ctx.subject('user', { id }),
});
const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
await new Promise((resolve) => server.once('listening', resolve));
const url = `http://127.0.0.1:${server.address().port}`;
const callback = 'https://shop.example/callback';

/** Follows a request to its end, as the browser of a person. @returns the address with the code */
async function signIn(address) {
  let cookie = '';
  for (let next = address; ; ) {
    const answer = await fetch(next, { redirect: 'manual', headers: { cookie } });
    cookie = answer.headers.getSetCookie().map((line) => line.split(';')[0]).join('; ');
    next = new URL(answer.headers.get('location'), url);
    if (next.href.startsWith(callback)) return next;
  }
}
const metadata = await (await fetch(`${url}/.well-known/oauth-authorization-server`)).json();
const verifier = openid.randomPKCECodeVerifier();
const outcome = (promise) => promise.then(() => 'tokens', (error) => `${error.name}, ${error.cause?.message ?? error.message}`);
const own = async () => {
  const client = createClient({ clientID: 'shop', issuer: url });
  const { url: address, challenge } = await client.authorize(callback, 'code', { pkce: true });
  const code = (await signIn(address)).searchParams.get('code');
  const { err } = await client.exchange(code, callback, challenge.verifier);
  if (err) throw err;
};
const byOpenId = async () => {
  const config = new openid.Configuration(metadata, 'shop', undefined, openid.None());
  openid.allowInsecureRequests(config);
  const code_challenge = await openid.calculatePKCECodeChallenge(verifier);
  const request = { redirect_uri: callback, state: 's', code_challenge, code_challenge_method: 'S256' };
  const back = await signIn(openid.buildAuthorizationUrl(config, request));
  await openid.authorizationCodeGrant(config, back, { pkceCodeVerifier: verifier, expectedState: 's' });
};
const byArctic = async () => {
  const client = new arctic.OAuth2Client('shop', null, callback);
  const { S256 } = arctic.CodeChallengeMethod;
  const request = client.createAuthorizationURLWithPKCE(metadata.authorization_endpoint, 's', S256, verifier, []);
  const code = (await signIn(request)).searchParams.get('code');
  const tokens = await client.validateAuthorizationCode(metadata.token_endpoint, code, verifier);
  tokens.tokenType();
};
const back = await signIn(`${url}/authorize?client_id=shop&response_type=code&redirect_uri=${callback}`);
const code = back.searchParams.get('code');
const post = (form) => fetch(metadata.token_endpoint, { method: 'POST', body: new URLSearchParams({ client_id: 'shop', ...form }) });
const answer = await (await post({ grant_type: 'authorization_code', code, redirect_uri: callback })).json();
const unknown = await post({ grant_type: 'password' });
const lines = [
  `state, where none was sent: ${JSON.stringify(back.searchParams.get('state'))}`,
  `answer: ${Object.keys(answer)}`,
  `names PKCE: ${'code_challenge_methods_supported' in metadata}`,
  `unknown grant type: ${unknown.status}, ${unknown.headers.get('content-type')}`,
  `own client: ${await outcome(own())}`,
  `openid-client: ${await outcome(byOpenId())}`,
  `arctic: ${await outcome(byArctic())}`,
];
log(lines.join('\n'));
server.close();
const expected = [
  'state, where none was sent: ""',
  'answer: access_token,expires_in,refresh_token',
  'names PKCE: false',
  'unknown grant type: 400, text/plain',
  'own client: tokens',
  'openid-client: ClientError, "response" body "token_type" property must be a string',
  "arctic: Error, Missing or invalid 'token_type' field",
];
process.exit(lines.join() === expected.join() ? 0 : 1);
JS
timeout 60 node run.mjs
