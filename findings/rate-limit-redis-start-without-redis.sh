#!/usr/bin/env bash
# rate-limit-redis 6.0.1 with express-rate-limit 8.7.5: a limiter that started without Redis never works.
#
# Behaviour: the store loads its scripts once, when the limiter is made, and keeps the promise. If Redis is
# away at that moment, the promise is rejected, and each later request awaits the same promise: an error,
# also when Redis has long been back and the client is connected. Loading again follows NOSCRIPT only.
# An outage that begins after the start is over when Redis is back.
# Consequence: replicas that start during a failover of Redis answer 500 to every sign-in until an
# operator restarts them; with passOnStoreError they count nothing for as long, and log each request.
# Output: for each limiter, the answers while Redis is away and with Redis
# Needs apt-get with Debian 12.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq -o APT::Sandbox::User=root redis-tools=5:7.0.15-1~deb12u10 \
  libjemalloc2=5.3.0-1 liblzf1=3.6-3 libatomic1=12.2.0-14+deb12u1
for package in *.deb; do dpkg -x "$package" .; done
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts rate-limit-redis@6.0.1 express-rate-limit@8.7.5 \
  express@5.3.0 redis@6.3.1 >/dev/null 2>&1
cat >run.mjs <<'JS'
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import express from 'express';
import { rateLimit } from 'express-rate-limit';
import { RedisStore } from 'rate-limit-redis';
import { createClient } from 'redis';

const path = `${process.cwd()}/redis.sock`;
const words = ['--unixsocket', path, '--port', '0', '--save', ''];
const startRedis = () => spawn(`${process.cwd()}/usr/bin/redis-check-rdb`, words, { argv0: 'redis-server', stdio: 'ignore' });
const client = createClient({ socket: { path, reconnectStrategy: 50 }, commandOptions: { timeout: 500 } });
client.on('error', () => undefined);
const isUp = async () => {
  while ((await client.ping().catch(() => '')) !== 'PONG') await new Promise((resolve) => setTimeout(resolve, 50));
};
const quiet = { error: () => undefined, warn: () => undefined };
async function app(passOnStoreError) {
  const store = new RedisStore({ sendCommand: (...command) => client.sendCommand(command), prefix: String(Math.random()) });
  const limiter = rateLimit({ windowMs: 60_000, limit: 1, store, logger: quiet, passOnStoreError });
  const server = express()
    .use(limiter, (request, response) => response.end())
    .use((error, request, response, next) => response.status(500).end())
    .listen(0, '127.0.0.1');
  await once(server, 'listening');
  const ask = async () => (await fetch(`http://127.0.0.1:${server.address().port}`)).status;
  return async () => [await ask(), await ask(), await ask()].join(' ');
}
void client.connect().catch(() => undefined);
const without = [await app(false), await app(true)];
const away = [await without[0](), await without[1]()];
let redis = startRedis();
await isUp();
const lines = [
  `started without Redis: ${away[0]}, then with it: ${await without[0]()}`,
  `the same with passOnStoreError: ${away[1]}, then with it: ${await without[1]()}`,
];
const started = await app(false);
const first = await started();
redis.kill();
await once(redis, 'exit');
const during = await started();
redis = startRedis();
await isUp();
lines.push(`started with Redis: ${first}, away: ${during}, then with it: ${await started()}`);
console.log(lines.join('\n'));
redis.kill();
const expected = [
  'started without Redis: 500 500 500, then with it: 500 500 500',
  'the same with passOnStoreError: 200 200 200, then with it: 200 200 200',
  'started with Redis: 200 429 429, away: 500 500 500, then with it: 200 429 429',
];
process.exit(lines.join() === expected.join() ? 0 : 1);
JS
LD_LIBRARY_PATH=$(echo "$folder"/usr/lib/x86_64-linux-gnu) timeout 90 node run.mjs
