#!/usr/bin/env bash
# @okta/jwt-verifier 4.0.2: the algorithm is fixed, whatever the published keys are.
#
# Behaviour: tokens of ES256, by a key of the set with alg ES256, are refused as "Unexpected
# signature algorithm"; there is no option for it. A token of RS256 with typ "at+jwt" is accepted.
# Consequence: an issuer needs RS256 access tokens for services with this package, also where all
# others verify ES256.
# Output: what it says of a token of each algorithm
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @okta/jwt-verifier@4.0.2 jose@6.2.18 >/dev/null 2>&1
cat >run.mjs <<'JS'
import { createServer } from 'node:http';
import OktaJwtVerifier from '@okta/jwt-verifier';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

const pairs = Object.fromEntries(
  await Promise.all(['RS256', 'ES256'].map(async (alg) => [alg, await generateKeyPair(alg)])),
);
const keys = await Promise.all(
  Object.entries(pairs).map(async ([alg, { publicKey }]) => ({
    ...(await exportJWK(publicKey)),
    kid: alg,
    alg,
    use: 'sig',
  })),
);
const server = createServer((_, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ keys }));
});
await new Promise((resolve) => server.listen(0, resolve));
const issuer = `https://localhost:${server.address().port}`;
const verifier = new OktaJwtVerifier({
  issuer,
  jwksUri: `http://localhost:${server.address().port}/keys`,
  testing: { disableHttpsCheck: true },
});
const lines = [];
for (const [alg, { privateKey }] of Object.entries(pairs)) {
  const token = await new SignJWT({ sub: 'ada' })
    .setProtectedHeader({ alg, kid: alg, typ: 'at+jwt' })
    .setIssuer(issuer)
    .setAudience('orders')
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(privateKey);
  const said = await verifier.verifyAccessToken(token, 'orders').then(
    ({ claims }) => `accepted, ${claims.sub}`,
    ({ message }) => message,
  );
  lines.push(`${alg}: ${said}`);
}
server.close();
console.log(lines.join('\n'));
process.exit(lines[0] === 'RS256: accepted, ada' && /ES256: (?!accepted)/.test(lines[1]) ? 0 : 1);
JS
timeout 60 node run.mjs
