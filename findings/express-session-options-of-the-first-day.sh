#!/usr/bin/env bash
# express-session 1.19.0, @fastify/session 11.1.3: a new cookie setting does not reach those who are signed in.
#
# Behaviour: the store keeps the cookie's options with each session, and a request takes them from there.
# A shorter maxAge, `secure`, sameSite or domain in the configuration applies to new sessions only; with
# rolling cookies, a session in use is renewed by its old maxAge without an end. Of express-session,
# regenerate() gives it the new options; of @fastify/session it keeps the old ones.
# Consequence: after "at most an hour, and secure" is deployed, people of the day before have a cookie of
# thirty days without Secure for as long as they come back. End the sessions, or write req.session.cookie.
# Output: maxAge in hours, Secure and SameSite of a session of the day before, of it after regenerate(),
# and of a new one
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts express-session@1.19.0 express@5.3.0 \
  @fastify/session@11.1.3 @fastify/cookie@11.1.5 fastify@5.12.8 >/dev/null 2>&1
cat >run.cjs <<'JS'
const express = require('express');
const expressSession = require('express-session');
const fastify = require('fastify');

const HOUR = 3_600_000;
const BEFORE = { maxAge: 720 * HOUR, secure: false, sameSite: 'lax' };
const NOW = { maxAge: HOUR, secure: true, sameSite: 'strict' };
const SECRET = 's'.repeat(32);
const settings = (store, cookie) => ({ store, cookie, secret: SECRET, rolling: true, resave: false, saveUninitialized: false });

/** Starts an app with the configuration of a day; both trust the proxy that ends TLS. */
async function expressApp(store, cookie) {
  const app = express().set('trust proxy', true).use(expressSession(settings(store, cookie)));
  app.get('/in', ({ session }, response) => response.end((session.person = 'ada')));
  app.get('/', ({ session }, response) => response.end(session.person));
  app.get('/again', (request, response) =>
    request.session.regenerate(() => response.end((request.session.person = 'ada'))),
  );
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
async function fastifyApp(store, cookie) {
  const app = fastify({ trustProxy: true });
  app.register(require('@fastify/cookie'));
  app.register(require('@fastify/session'), settings(store, cookie));
  app.get('/in', async ({ session }) => (session.person = 'ada'));
  app.get('/', async ({ session }) => session.person);
  app.get('/again', (request) => request.session.regenerate().then(() => (request.session.person = 'ada')));
  return { url: await app.listen({ port: 0, host: '127.0.0.1' }), close: () => app.close() };
}
async function cookieOf({ url }, path, cookie = '') {
  const headers = { cookie, 'x-forwarded-proto': 'https' };
  const [text] = (await fetch(url + path, { headers })).headers.getSetCookie();
  const hours = Math.round((new Date(/expires=([^;]+)/i.exec(text)[1]) - Date.now()) / HOUR);
  return { cookie: text.split(';')[0], told: `${hours} ${/; secure/i.test(text)} ${/samesite=(\w+)/i.exec(text)[1]}` };
}
(async () => {
  const lines = [];
  const sessions = new Map();
  const memory = {
    set: (id, session, done) => (sessions.set(id, JSON.stringify(session)), done()),
    get: (id, done) => done(null, sessions.has(id) ? JSON.parse(sessions.get(id)) : null),
    destroy: (id, done) => (sessions.delete(id), done()),
  };
  const both = { 'express-session': [expressApp, new expressSession.MemoryStore()], '@fastify/session': [fastifyApp, memory] };
  for (const [name, [start, store]] of Object.entries(both)) {
    const before = await start(store, BEFORE);
    const { cookie } = await cookieOf(before, '/in');
    await before.close();
    const now = await start(store, NOW);
    const held = await cookieOf(now, '/', cookie);
    const again = await cookieOf(now, '/again', cookie);
    const fresh = await cookieOf(now, '/in');
    await now.close();
    lines.push(`${name}: ${held.told}, regenerated ${again.told}, new ${fresh.told}`);
  }
  console.log(lines.join('\n'));
  const expected = [
    'express-session: 720 false Lax, regenerated 1 true Strict, new 1 true Strict',
    '@fastify/session: 720 false Lax, regenerated 720 false Lax, new 1 true Strict',
  ];
  process.exit(lines.join() === expected.join() ? 0 : 1);
})();
JS
timeout 60 node run.cjs
