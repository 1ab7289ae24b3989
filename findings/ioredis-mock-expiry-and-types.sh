#!/usr/bin/env bash
# ioredis-mock 8.13.1: conditions of EXPIRE and SET, and the type of a key, count for nothing in tests.
#
# Behaviour: the mock takes EXPIRE with NX, XX or GT for one without, and SET with KEEPTTL for one that drops the
# expiry. EX 0 is no error. GET, INCR and HGET of a key of another type answer as if it had theirs, where
# Redis 7.0.15 (Debian 12) says WRONGTYPE.
# Consequence: a limiter that starts its window by EXPIRE with NX is moved on by each request in tests, so that it
# looks broken and is rewritten; a session that is written with KEEPTTL seems to have no end. A key that two
# parts of a service use for two types fails with Redis only.
# Output: for each sequence of commands, the answers of both
# Needs apt-get with Debian 12.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq -o APT::Sandbox::User=root redis-tools=5:7.0.15-1~deb12u10 \
  libjemalloc2=5.3.0-1 liblzf1=3.6-3 libatomic1=12.2.0-14+deb12u1
for package in *.deb; do dpkg -x "$package" .; done
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts ioredis-mock@8.13.1 ioredis@5.8.2 >/dev/null 2>&1
cat >run.cjs <<'JS'
const { spawn } = require('node:child_process');
const Redis = require('ioredis');
const Mock = require('ioredis-mock');

const path = `${process.cwd()}/redis.sock`;
const words = ['--unixsocket', path, '--port', '0', '--save', ''];
const server = spawn(`${process.cwd()}/usr/bin/redis-check-rdb`, words, { argv0: 'redis-server', stdio: 'ignore' });
const SEQUENCES = [
  ['SET a 1 EX 10', 'EXPIRE a 100 NX', 'TTL a'],
  ['SET b 1 EX 10', 'EXPIRE b 5 GT', 'TTL b'],
  ['SET c 1', 'EXPIRE c 10 XX', 'TTL c'],
  ['SET d 1 EX 10', 'SET d 2 KEEPTTL', 'TTL d'],
  ['SET e 1 EX 0'],
  ['LPUSH f 1', 'GET f', 'INCR f'],
  ['SET g 1', 'HGET g field'],
];
async function answers(client, commands) {
  const told = [];
  for (const command of commands) {
    const [name, ...rest] = command.split(' ');
    const answer = await client[name.toLowerCase()](...rest).catch(({ message }) => /WRONGTYPE|invalid expire time/.exec(message)?.[0] ?? message);
    told.push(JSON.stringify(answer));
  }
  return told.join(' ');
}
async function main() {
  const [redis, mock] = [new Redis(path, { retryStrategy: () => 50, maxRetriesPerRequest: null }), new Mock()];
  redis.on('error', () => {});
  const lines = [];
  for (const commands of SEQUENCES)
    lines.push(`${commands.join(', ')}: Redis ${await answers(redis, commands)}; mock ${await answers(mock, commands)}`);
  console.log(lines.join('\n'));
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill();
  await ended;
  const expected = [
    'SET a 1 EX 10, EXPIRE a 100 NX, TTL a: Redis "OK" 0 10; mock "OK" 1 100',
    'SET b 1 EX 10, EXPIRE b 5 GT, TTL b: Redis "OK" 0 10; mock "OK" 1 5',
    'SET c 1, EXPIRE c 10 XX, TTL c: Redis "OK" 0 -1; mock "OK" 1 10',
    'SET d 1 EX 10, SET d 2 KEEPTTL, TTL d: Redis "OK" "OK" 10; mock "OK" "OK" -1',
    'SET e 1 EX 0: Redis "invalid expire time"; mock "OK"',
    'LPUSH f 1, GET f, INCR f: Redis 1 "WRONGTYPE" "WRONGTYPE"; mock 1 ["1"] 2',
    'SET g 1, HGET g field: Redis "OK" "WRONGTYPE"; mock "OK" null',
  ];
  process.exit(lines.join() === expected.join() ? 0 : 1);
}
main();
JS
timeout 60 node run.cjs
