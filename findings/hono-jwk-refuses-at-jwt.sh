#!/usr/bin/env bash
# hono 4.13.19: the middleware hono/jwk refuses access tokens of RFC 9068 by default.
#
# Behaviour: jwk() takes a token whose header `typ` is "JWT" and answers 401 for "at+jwt", the type of
# access tokens by RFC 9068 (section 2.1), although signature and times are right.
# `verification: { typ: 'at+jwt' }` changes it.
# Consequence: a service that verifies by the example of the documents refuses each token of a
# provider that keeps to the profile.
# Output: JWT 200, at+jwt 401, at+jwt with verification.typ 200
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts hono@4.13.19 jose@6.2.18 >/dev/null 2>&1
cat >run.mjs <<'JS'
import { Hono } from 'hono';
import { jwk } from 'hono/jwk';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
const { privateKey, publicKey } = await generateKeyPair('ES256');
const keys = [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256', use: 'sig' }];
const ask = async (typ, more = {}) => {
  const app = new Hono();
  app.use(jwk({ keys, alg: ['ES256'], ...more }));
  app.get('/', (context) => context.text('ok'));
  const claims = new SignJWT({ sub: 'ada' }).setProtectedHeader({ alg: 'ES256', kid: 'k', typ });
  const token = await claims.setIssuedAt().setExpirationTime('5m').sign(privateKey);
  return (await app.request('/', { headers: { authorization: `Bearer ${token}` } })).status;
};
const set = { verification: { typ: 'at+jwt' } };
const line = `JWT ${await ask('JWT')}, at+jwt ${await ask('at+jwt')}, at+jwt with verification.typ ${await ask('at+jwt', set)}`;
console.log(line);
process.exit(line === 'JWT 200, at+jwt 401, at+jwt with verification.typ 200' ? 0 : 1);
JS
timeout 60 node run.mjs
