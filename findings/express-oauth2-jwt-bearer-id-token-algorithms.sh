#!/usr/bin/env bash
# express-oauth2-jwt-bearer 1.10.0: access tokens must have an algorithm that is announced for ID tokens.
#
# Behaviour: with issuerBaseURL, auth() accepts only algorithms of the provider's metadata member
# id_token_signing_alg_values_supported, which is about ID tokens (OpenID Connect Discovery, section
# 3). tokenSigningAlg does not replace the list, it is one more condition: for ES256 where RS256 is
# announced, no token passes. By jwksUri in place of discovery, each algorithm of the key set does.
# Consequence: at a provider that signs access tokens by another algorithm than ID tokens, or moves
# them first, an API answers 401 "Unexpected 'alg' value" to all, and the option that is named after
# the algorithm does not help.
# Output: by what is announced and set, the answers to tokens by ES256 and RS256
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts express-oauth2-jwt-bearer@1.10.0 express@5.3.0 jose@6.2.18 >/dev/null 2>&1
cat >run.mjs <<'JS'
import { once } from 'node:events';
import { createServer } from 'node:http';
import express from 'express';
import { auth } from 'express-oauth2-jwt-bearer';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

const ALGORITHMS = ['ES256', 'RS256'];
const [pairs, keys] = [{}, []];
for (const alg of ALGORITHMS) {
  pairs[alg] = await generateKeyPair(alg);
  keys.push({ ...(await exportJWK(pairs[alg].publicKey)), kid: alg, alg, use: 'sig' });
}
let announced;
const provider = createServer(({ url }, response) => {
  const metadata = { issuer, jwks_uri: `${issuer}/jwks`, id_token_signing_alg_values_supported: announced };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(url === '/jwks' ? { keys } : metadata));
});
await once(provider.listen(0, '127.0.0.1'), 'listening');
const issuer = `http://127.0.0.1:${provider.address().port}`;
const tokenBy = (alg) =>
  new SignJWT({})
    .setProtectedHeader({ alg, kid: alg, typ: 'at+jwt' })
    .setIssuer(issuer)
    .setAudience('https://api.example')
    .setSubject('ada')
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(pairs[alg].privateKey);

/** Returns the statuses of an API for a token of each algorithm. */
async function statusesOf(options) {
  const app = express();
  app.use(auth({ audience: 'https://api.example', ...options }));
  app.get('/', (request, response) => response.send('Welcome'));
  app.use((error, request, response, _) => response.status(error.status).end());
  const api = app.listen(0, '127.0.0.1');
  await once(api, 'listening');
  const statuses = [];
  for (const alg of ALGORITHMS) {
    const headers = { authorization: `Bearer ${await tokenBy(alg)}`, connection: 'close' };
    statuses.push((await fetch(`http://127.0.0.1:${api.address().port}/`, { headers })).status);
  }
  api.close();
  return statuses.join(' ');
}
const lines = [];
for (announced of [['RS256'], ['RS256', 'ES256']]) {
  const discovery = await statusesOf({ issuerBaseURL: issuer });
  const set = await statusesOf({ issuerBaseURL: issuer, tokenSigningAlg: 'ES256' });
  const byKeys = await statusesOf({ issuer, jwksUri: `${issuer}/jwks` });
  lines.push(`${announced} announced: ${discovery}, tokenSigningAlg ES256: ${set}, jwksUri: ${byKeys}`);
}
provider.close();
console.log(lines.join('\n'));
const wanted = [
  'RS256 announced: 401 200, tokenSigningAlg ES256: 401 401, jwksUri: 200 200',
  'RS256,ES256 announced: 200 200, tokenSigningAlg ES256: 200 401, jwksUri: 200 200',
];
process.exit(lines.join() === wanted.join() ? 0 : 1);
JS
timeout 60 node run.mjs
