#!/usr/bin/env bash
# hono 4.13.19: the middleware hono/jwk fetches the key set for each request that it verifies.
#
# Behaviour: with jwks_uri, each request with a token makes one to the provider first, also where the
# set says "Cache-Control: max-age=300". There is no option for it; `keys` takes a function, which can
# keep the set. If the provider cannot be reached, a request with a valid token is answered 500.
# Consequence: the load of an API is load of the identity provider, each call is slower by a round
# trip, and a minute without the provider is a minute without the API, which offline tokens avoid.
# Output: 5 requests, the key set was asked for 5 times; with keys() 1 time; provider away: 500 and 200
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts hono@4.13.19 jose@6.2.18 >/dev/null 2>&1
cat >run.mjs <<'JS'
import { createServer } from 'node:http';
import { Hono } from 'hono';
import { jwk } from 'hono/jwk';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

const { publicKey, privateKey } = await generateKeyPair('ES256');
const keys = [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256', use: 'sig' }];
let [asked, isAway] = [0, false];
const provider = createServer((_, response) => {
  asked += 1;
  if (isAway) return response.writeHead(503).end();
  response.setHeader('cache-control', 'public, max-age=300');
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ keys }));
});
await new Promise((resolve) => provider.listen(0, '127.0.0.1', resolve));
const jwks_uri = `http://127.0.0.1:${provider.address().port}/keys`;
const token = await new SignJWT({})
  .setProtectedHeader({ alg: 'ES256', kid: 'k', typ: 'JWT' })
  .setSubject('ada')
  .setExpirationTime('5m')
  .sign(privateKey);

const apiWith = (options) => {
  const app = new Hono();
  app.onError((_, context) => context.body(null, 500));
  app.use(jwk({ ...options, alg: ['ES256'] }));
  app.get('/', (context) => context.json({}));
  return async () => (await app.request('/', { headers: { authorization: `Bearer ${token}` } })).status;
};
const five = async (call) => {
  asked = 0;
  for (let index = 0; index < 5; index += 1) await call();
  return asked;
};
let kept;
const [byAddress, byFunction] = [
  apiWith({ jwks_uri }),
  apiWith({ keys: async () => (kept ??= (await (await fetch(jwks_uri)).json()).keys) }),
];
const counts = [await five(byAddress), await five(byFunction)];
isAway = true;
const away = [await byAddress(), await byFunction()];
console.log(`5 requests: ${counts[0]}, with keys() ${counts[1]}; provider away: ${away.join(' and ')}`);
provider.closeAllConnections();
provider.close();
process.exit(counts.join() === '5,1' && away.join() === '500,200' ? 0 : 1);
JS
timeout 60 node run.mjs
