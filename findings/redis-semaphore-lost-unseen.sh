#!/usr/bin/env bash
# redis-semaphore 5.8.0: while Redis is away, a lock that has ended is held, and the process is ended.
#
# Behaviour: a held lock is renewed by a timer. If that command fails, the promise has no handler: Node.js
# ends the process by an unhandled rejection. Where a handler of the process keeps it alive, isAcquired
# stays true and onLockLost is not called, however long the lock's time is over; it is called when
# Redis answers again, and the lock is no longer the holder's.
# Consequence: a failover of Redis stops each worker that holds a lock, in the middle of its job; with a
# global handler, a job that looks at isAcquired goes on next to the replica that has the lock by then.
# Output: how a process without a handler ends; with one, what the holder sees while Redis is away for
# longer than the lock lasts, and when it is back
# Needs apt-get with Debian 12.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq -o APT::Sandbox::User=root redis-tools=5:7.0.15-1~deb12u10 \
  libjemalloc2=5.3.0-1 liblzf1=3.6-3 libatomic1=12.2.0-14+deb12u1
for package in *.deb; do dpkg -x "$package" .; done
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts redis-semaphore@5.8.0 ioredis@6.0.0 >/dev/null 2>&1
cat >holder.mjs <<'JS'
import { Redis } from 'ioredis';
import { Mutex } from 'redis-semaphore';

export const path = `${process.cwd()}/redis.sock`;
export function connected() {
  const client = new Redis({ path, maxRetriesPerRequest: 1, retryStrategy: () => 50 });
  client.on('error', () => undefined);
  return client;
}
export async function hold(client, onLockLost) {
  const mutex = new Mutex(client, 'job', { lockTimeout: 1_000, refreshInterval: 300, onLockLost });
  await mutex.acquire();
  return mutex;
}
if (process.argv[2] === 'hold') {
  const mutex = await hold(connected(), () => process.exit(3));
  process.send('held');
  setTimeout(() => process.exit(mutex.isAcquired ? 4 : 5), 20_000);
}
JS
cat >run.mjs <<'JS'
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connected, hold, path } from './holder.mjs';

const words = ['--unixsocket', path, '--port', '0', '--save', ''];
const start = () => spawn(`${process.cwd()}/usr/bin/redis-check-rdb`, words, { argv0: 'redis-server', stdio: 'ignore' });
async function stop() {
  redis.kill('SIGKILL');
  await once(redis, 'exit');
}
const client = connected();
const isUp = async () => {
  while ((await client.ping().catch(() => '')) !== 'PONG') await new Promise((resolve) => setTimeout(resolve, 50));
};
const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

let redis = start();
await isUp();
const child = fork('holder.mjs', ['hold'], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
let errors = '';
child.stderr.on('data', (text) => (errors += text));
await once(child, 'message');
await stop();
const [code] = await once(child, 'exit');
const lines = [`no handler: exit ${code} by ${/\w+Error/.exec(errors)[0]}`];

redis = start();
await isUp();
let lost = 'not called';
process.on('unhandledRejection', () => undefined);
const mutex = await hold(client, () => (lost = 'called'));
await stop();
await pause(3_000);
lines.push(`away for three times its time: isAcquired ${mutex.isAcquired}, onLockLost ${lost}`);
redis = start();
await isUp();
const other = connected();
await hold(other, () => undefined);
await pause(1_000);
lines.push(`taken by another one, after the next renewal: isAcquired ${mutex.isAcquired}, onLockLost ${lost}`);
console.log(lines.join('\n'));
redis.kill();
const expected = [
  'no handler: exit 1 by MaxRetriesPerRequestError',
  'away for three times its time: isAcquired true, onLockLost not called',
  'taken by another one, after the next renewal: isAcquired false, onLockLost called',
];
process.exit(lines.join() === expected.join() ? 0 : 1);
JS
LD_LIBRARY_PATH=$(echo "$folder"/usr/lib/x86_64-linux-gnu) timeout 90 node run.mjs
