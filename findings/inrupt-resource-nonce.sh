#!/usr/bin/env bash
# @inrupt/solid-client-authn-node 5.0.0: a resource that asks for a nonce of DPoP is answered with none, each time.
#
# Behaviour: at the token endpoint, the client repeats its request with the nonce that the error use_dpop_nonce
# brings (RFC 9449, section 8), and sends it at once in the next. session.fetch() does not: a resource server
# that answers 401 with use_dpop_nonce and DPoP-Nonce (section 9) gets no second request, and the next call has
# a proof without a nonce again. The 401 is returned as any other, while info.isLoggedIn stays true.
# Consequence: an app can sign in at a provider that requires nonces and read nothing, until its own code makes
# proofs; a resource server cannot turn nonces on without locking these clients out.
# Output: by who requires a nonce, the status of two calls, and which requests had one
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @inrupt/solid-client-authn-node@5.0.0 jose@6.2.18 >/dev/null 2>&1
cat >run.mjs <<'JS'
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Session } from '@inrupt/solid-client-authn-node';
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose';

const { publicKey, privateKey } = await generateKeyPair('ES256');
const key = { ...(await exportJWK(publicKey)), kid: '1', alg: 'ES256', use: 'sig' };
let requiredAt;
let seen;
const signed = (audience) =>
  new SignJWT({ webid: 'https://ada.example/me' })
    .setProtectedHeader({ alg: 'ES256', kid: '1' })
    .setIssuer(origin)
    .setAudience(audience)
    .setSubject('ada')
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(privateKey);
const ANSWERS = {
  '/.well-known/openid-configuration': () => ({
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    jwks_uri: `${origin}/keys`,
    claims_supported: ['sub'],
    dpop_signing_alg_values_supported: ['ES256'],
    grant_types_supported: ['client_credentials'],
    id_token_signing_alg_values_supported: ['ES256'],
    response_types_supported: ['code'],
    scopes_supported: ['openid', 'webid'],
    subject_types_supported: ['public'],
  }),
  '/keys': () => ({ keys: [key] }),
  '/token': async () => ({ access_token: await signed('solid'), id_token: await signed('app'), token_type: 'DPoP', expires_in: 300 }),
  '/notes': () => ({}),
};
const server = createServer(async ({ url, headers }, response) => {
  response.setHeader('content-type', 'application/json');
  if (headers.dpop) {
    const { nonce } = decodeJwt(headers.dpop);
    seen.push(`${url} ${nonce ?? 'without'}`);
    if (url === requiredAt && !nonce) {
      response.setHeader('dpop-nonce', 'nonce-1');
      if (url === '/notes') response.setHeader('www-authenticate', 'DPoP error="use_dpop_nonce"');
      response.writeHead(url === '/notes' ? 401 : 400).end('{"error":"use_dpop_nonce"}');
      return;
    }
  }
  response.end(JSON.stringify(await ANSWERS[url]()));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const origin = `http://127.0.0.1:${server.address().port}`;
const lines = [];
for (requiredAt of ['/none', '/notes', '/token']) {
  seen = [];
  const session = new Session();
  await session.login({ oidcIssuer: origin, clientId: 'app', clientSecret: 'secret', tokenType: 'DPoP' });
  const statuses = [];
  for (let call = 0; call < 2; call += 1) statuses.push((await session.fetch(`${origin}/notes`)).status);
  lines.push(`required at ${requiredAt}: ${statuses.join(' ')}, signed in ${session.info.isLoggedIn}; ${seen.join(', ')}`);
}
console.log(lines.join('\n'));
const expected = [
  'required at /none: 200 200, signed in true; /token without, /notes without, /notes without',
  'required at /notes: 401 401, signed in true; /token without, /notes without, /notes without',
  'required at /token: 200 200, signed in true; /token without, /token nonce-1, /notes without, /notes without',
];
// The session keeps a timer for the next token.
process.exit(lines.join() === expected.join() ? 0 : 1);
JS
timeout 60 node run.mjs
