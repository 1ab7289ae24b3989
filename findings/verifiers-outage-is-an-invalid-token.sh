#!/usr/bin/env bash
# passport-jwt 4.0.1, koa-jwt 4.0.4 (jwks-rsa 4.1.0), express-oauth2-jwt-bearer 1.10.0: an outage is a bad token.
#
# Behaviour: where the key set cannot be fetched, they answer 401 to a valid token, and the last one with
# `invalid_token`, whose meaning is that the token is at fault (RFC 6750, section 3.1). express-jwt 8.5.1
# with the same jwks-rsa, hono/jwk 4.13.19 and @fastify/jwt 10.2.8 with get-jwks 11.0.3 answer 500.
# jwks-rsa forgets keys after ten minutes, unless cacheMaxAgeFallback is set.
# Consequence: ten minutes into an outage of the provider, or when an API restarts, each client is told
# that its token is bad: apps sign people out, and ask for tokens, all at once, of the provider that is
# away; no error of the API shows in its monitoring.
# Output: for each verifier, the answer to a valid token without the key set and with it; the last
# line, of passport-jwt with keys that are out of date
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps jose@6.2.18 express@5.3.0 passport@0.7.0 \
  passport-jwt@4.0.1 jwks-rsa@4.1.0 express-jwt@8.5.1 express-oauth2-jwt-bearer@1.10.0 koa@3.3.0 koa-jwt@4.0.4 \
  hono@4.13.19 fastify@5.12.8 @fastify/jwt@10.2.8 get-jwks@11.0.3 >/dev/null 2>&1
cat >run.mjs <<'JS'
import { once } from 'node:events';
import { createServer } from 'node:http';
import fastifyJwt from '@fastify/jwt';
import express from 'express';
import { expressjwt } from 'express-jwt';
import { auth } from 'express-oauth2-jwt-bearer';
import fastify from 'fastify';
import buildGetJwks from 'get-jwks';
import { Hono } from 'hono';
import { jwk } from 'hono/jwk';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import jwksRsa from 'jwks-rsa';
import Koa from 'koa';
import koaJwt from 'koa-jwt';
import { Passport } from 'passport';
import { ExtractJwt, Strategy } from 'passport-jwt';

const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
const keys = [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'RS256', use: 'sig' }];
let isUp = false;
const provider = createServer((request, response) =>
  isUp ? response.end(JSON.stringify({ keys })) : response.writeHead(503).end(),
).listen(0, '127.0.0.1');
await once(provider, 'listening');
const issuer = `http://127.0.0.1:${provider.address().port}`;
const jwksUri = `${issuer}/.well-known/jwks.json`;
const token = await new SignJWT({ sub: 'ada' })
  .setProtectedHeader({ alg: 'RS256', kid: 'k' })
  .setIssuer(issuer)
  .setAudience('api')
  .setIssuedAt()
  .setExpirationTime('5m')
  .sign(privateKey);
const headers = { authorization: `Bearer ${token}` };
const algorithms = ['RS256'];

/** Returns a function that asks an app on Node.js. */
async function served(app) {
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  return () => fetch(`http://127.0.0.1:${server.address().port}`, { headers });
}
const byExpress = (middleware) =>
  served(
    express()
      .use(middleware)
      .get('/', (request, response) => response.end())
      .use((error, request, response, next) => response.status(error.status ?? 500).end(error.code)),
  );
function byPassport(options) {
  const passport = new Passport();
  const secretOrKeyProvider = jwksRsa.passportJwtSecret({ jwksUri, ...options });
  const settings = { jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(), secretOrKeyProvider, algorithms };
  passport.use(new Strategy(settings, (claims, done) => done(null, claims)));
  return byExpress(passport.authenticate('jwt', { session: false }));
}
function byKoa() {
  const app = new Koa().use(koaJwt({ secret: jwksRsa.koaJwtSecret({ jwksUri }), algorithms }));
  return served(app.use((context) => (context.status = 200)).on('error', () => undefined).callback());
}
function byHono() {
  const app = new Hono().use(jwk({ jwks_uri: jwksUri, alg: algorithms }));
  app.get('/', (context) => context.text('')).onError((error, context) => context.text('', error.status ?? 500));
  return () => app.request('/', { headers });
}
async function byFastify() {
  const jwks = buildGetJwks();
  const app = fastify();
  const secret = ({}, { header: { kid, alg } }) => jwks.getPublicKey({ kid, alg, domain: issuer });
  app.register(fastifyJwt, { decode: { complete: true }, secret, verify: { algorithms } });
  app.get('/', async (request) => request.jwtVerify().then(() => ''));
  return async () => ({ status: (await app.inject({ url: '/', headers })).statusCode });
}
const verifiers = {
  'passport-jwt': () => byPassport({}),
  'koa-jwt': byKoa,
  'express-oauth2-jwt-bearer': () => byExpress(auth({ issuer, jwksUri, audience: 'api', tokenSigningAlg: 'RS256' })),
  'express-jwt': () => byExpress(expressjwt({ secret: jwksRsa.expressJwtSecret({ jwksUri }), algorithms })),
  'hono/jwk': byHono,
  '@fastify/jwt': byFastify,
};
const lines = [];
for (const [name, start] of Object.entries(verifiers)) {
  isUp = false;
  const { status } = await (await start())();
  isUp = true;
  lines.push(`${name}: ${status}, with the key set ${(await (await start())()).status}`);
}
async function later(options) {
  isUp = true;
  const ask = await byPassport({ cacheMaxAge: 50, ...options });
  await ask();
  isUp = false;
  await new Promise((resolve) => setTimeout(resolve, 200));
  return (await ask()).status;
}
lines.push(`keys out of date: ${await later({})}, with cacheMaxAgeFallback ${await later({ cacheMaxAgeFallback: 60_000 })}`);
console.log(lines.join('\n'));
const told = (name, status) => `${name}: ${status}, with the key set 200`;
const expected = [
  ...['passport-jwt', 'koa-jwt', 'express-oauth2-jwt-bearer'].map((name) => told(name, 401)),
  ...['express-jwt', 'hono/jwk', '@fastify/jwt'].map((name) => told(name, 500)),
  'keys out of date: 401, with cacheMaxAgeFallback 200',
];
process.exit(lines.join() === expected.join() ? 0 : 1);
JS
timeout 60 node run.mjs
