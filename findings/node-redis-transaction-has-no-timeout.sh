#!/usr/bin/env bash
# redis 6.3.1 (node-redis): a transaction that is queued in an outage has no timeout, and is carried out later.
#
# Behaviour: since version 6, a command that waits to be sent rejects after five seconds (commandOptions,
# timeout). multi() and its pipelines do not take the option: while the client reconnects they wait
# without an end, and are sent when Redis is back, in their order. withCommandOptions() changes nothing.
# With disableOfflineQueue, a transaction rejects when the next connection fails.
# Consequence: attempts that are counted by multi().incr().expire() hang a sign-in, as no other call does
# since the upgrade; after an outage of minutes, the attempts of people who gave up are counted all at
# once, and lock them out.
# Output: what a get and three transactions give while Redis is away, and the counter when it is back
# Needs apt-get with Debian 12.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq -o APT::Sandbox::User=root redis-tools=5:7.0.15-1~deb12u10 \
  libjemalloc2=5.3.0-1 liblzf1=3.6-3 libatomic1=12.2.0-14+deb12u1
for package in *.deb; do dpkg -x "$package" .; done
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts redis@6.3.1 >/dev/null 2>&1
cat >run.mjs <<'JS'
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createClient } from 'redis';

const path = `${process.cwd()}/redis.sock`;
const words = ['--unixsocket', path, '--port', '0', '--save', ''];
const start = () => spawn(`${process.cwd()}/usr/bin/redis-check-rdb`, words, { argv0: 'redis-server', stdio: 'ignore' });
async function connect(options) {
  const client = createClient({ socket: { path, reconnectStrategy: 50 }, commandOptions: { timeout: 300 }, ...options });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
let redis = start();
const client = await connect({});
const strict = await connect({ disableOfflineQueue: true });
redis.kill('SIGKILL');
await once(redis, 'exit');
await new Promise((resolve) => setTimeout(resolve, 200));
const states = {};
const watch = (name, promise) => {
  states[name] = 'waits';
  promise.then((value) => (states[name] = JSON.stringify(value)), ({ code, constructor }) => (states[name] = code ?? constructor.name));
};
watch('get', client.get('attempts'));
for (const name of ['first', 'second']) watch(name, client.multi().incr('attempts').expire('attempts', 60).exec());
watch('third', client.withCommandOptions({ timeout: 300 }).multi().incr('attempts').exec());
watch('without a queue', strict.multi().incr('attempts').exec());
await new Promise((resolve) => setTimeout(resolve, 3_000));
const told = () => Object.entries(states).map(([name, state]) => `${name} ${state}`).join(', ');
const lines = [`after ten times the timeout: ${told()}`];
redis = start();
while (Object.values(states).includes('waits')) await new Promise((resolve) => setTimeout(resolve, 50));
lines.push(`Redis is back: ${told()}; the counter is ${await client.get('attempts')}`);
console.log(lines.join('\n'));
redis.kill();
const rest = 'without a queue ECONNREFUSED';
const expected = [
  `after ten times the timeout: get TimeoutError, first waits, second waits, third waits, ${rest}`,
  `Redis is back: get TimeoutError, first [1,1], second [2,1], third [3], ${rest}; the counter is 3`,
];
process.exit(lines.join() === expected.join() ? 0 : 1);
JS
LD_LIBRARY_PATH=$(echo "$folder"/usr/lib/x86_64-linux-gnu) timeout 90 node run.mjs
