#!/usr/bin/env bash
# oidc-client-ts 3.5.0: user.profile never says how, or when, a person signed in.
#
# Behaviour: filterProtocolClaims is on unless it is set, and takes acr, amr and auth_time out of the profile,
# with azp, nonce and jti, though the types of the profile have them (OpenID Connect Core, section 2). `sid`
# stays. With loadUserInfo, an object of the same name is the members of both, and a list is UserInfo's.
# Consequence: an app that asks for acr_values or max_age and looks at profile.acr or auth_time afterwards finds
# nothing, takes the second factor for missing, and asks again at each visit; a type check is content.
# Set filterProtocolClaims: false, or a list without these names.
# Output: the claims of the ID token, and those in the profile by the options
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts oidc-client-ts@3.5.0 >/dev/null 2>&1
cat >run.mjs <<'JS'
import { once } from 'node:events';
import { createServer } from 'node:http';
import { InMemoryWebStorage, OidcClient, WebStorageStateStore } from 'oidc-client-ts';

const now = Math.floor(Date.now() / 1000);
const encoded = (part) => Buffer.from(JSON.stringify(part)).toString('base64url');
const ANSWERS = {
  '/.well-known/openid-configuration': () => ({
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    userinfo_endpoint: `${origin}/userinfo`,
  }),
  '/token': () => {
    // The library leaves the signature of a token from the token endpoint to TLS (Core, section 3.1.3.7).
    const token = `${encoded({ alg: 'ES256' })}.${encoded(claims)}.c2lnbmF0dXJl`;
    return { access_token: 'a', token_type: 'Bearer', expires_in: 300, scope: 'openid', id_token: token };
  },
  '/userinfo': () => ({ sub: 'ada', roles: ['reader'], organization: { name: 'Acme' } }),
};
const server = createServer(({ url }, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(ANSWERS[url]()));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const origin = `http://127.0.0.1:${server.address().port}`;
const claims = {
  iss: origin,
  aud: 'app',
  sub: 'ada',
  iat: now,
  exp: now + 300,
  acr: 'aal2',
  amr: ['pwd', 'otp'],
  auth_time: now,
  azp: 'app',
  sid: 's1',
  jti: 'j1',
  roles: ['admin'],
  organization: { id: 7 },
};
async function profileOf(options) {
  const client = new OidcClient({
    authority: origin,
    client_id: 'app',
    redirect_uri: `${origin}/callback`,
    stateStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    ...options,
  });
  const { url } = await client.createSigninRequest({ acr_values: 'aal2', max_age: 300 });
  const state = new URL(url).searchParams.get('state');
  return (await client.processSigninResponse(`${origin}/callback?code=c&state=${state}`)).profile;
}
const lines = [`ID token: ${Object.keys(claims).join(' ')}`];
lines.push(`profile: ${Object.keys(await profileOf({})).join(' ')}`);
lines.push(`false: ${Object.keys(await profileOf({ filterProtocolClaims: false })).join(' ')}`);
lines.push(`a list: ${Object.keys(await profileOf({ filterProtocolClaims: ['nonce', 'jti'] })).join(' ')}`);
const { roles, organization } = await profileOf({ loadUserInfo: true });
lines.push(`with UserInfo: ${JSON.stringify({ roles, organization })}`);
console.log(lines.join('\n'));
server.close();
const expected = [
  'ID token: iss aud sub iat exp acr amr auth_time azp sid jti roles organization',
  'profile: iss aud sub iat exp sid roles organization',
  'false: iss aud sub iat exp acr amr auth_time azp sid jti roles organization',
  'a list: iss aud sub iat exp acr amr auth_time azp sid roles organization',
  'with UserInfo: {"roles":["reader"],"organization":{"id":7,"name":"Acme"}}',
];
process.exit(lines.join() === expected.join() ? 0 : 1);
JS
timeout 60 node run.mjs
