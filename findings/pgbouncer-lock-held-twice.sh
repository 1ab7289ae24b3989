#!/usr/bin/env bash
# PgBouncer 1.18.0 (Debian 12), pool_mode transaction: two callers hold one advisory lock, then none can.
#
# Behaviour: a lock of a session (pg_try_advisory_lock) belongs to the server connection, which callers
# share between transactions. A second caller on the same connection gets `true` as well, as a session
# may lock twice; it stays locked when both have gone, as this mode resets no connection. LISTEN
# succeeds, and notifications go to the caller who has the connection then, and has not listened.
# Consequence: replicas that elect one of them, or migrate in turn, by this lock, all do it; later a
# caller on another connection is refused until the pooler closes the first. It depends on the load:
# a test with one replica works. Locks of a transaction (pg_try_advisory_xact_lock) hold.
# Output: what each caller is told
# Needs root, and apt-get with Debian 12.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq -o APT::Sandbox::User=root pgbouncer=1.18.0-1+deb12u1 libc-ares2=1.18.1-3 \
  libevent-2.1-7=2.1.12-stable-8+deb12u1 postgresql-15=15.20-0+deb12u1 libpq5=15.20-0+deb12u1 \
  libicu72=72.1-3+deb12u1 libxml2=2.9.14+dfsg-1.3~deb12u6 libldap-2.5-0=2.5.13+dfsg-5
for package in *.deb; do dpkg -x "$package" .; done
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts pg@8.23.1 >/dev/null 2>&1
chmod 755 .
mkdir data
chown daemon data
cat >run.cjs <<'JS'
const { execFileSync, spawn } = require('node:child_process');
const { writeFileSync } = require('node:fs');
const { createServer } = require('node:net');
const { Client } = require('pg');

const BIN = `${process.cwd()}/usr/lib/postgresql/15/bin`;
const AS_DAEMON = { uid: 1, gid: 1, stdio: 'ignore', cwd: 'data' };
const started = [];
const run = (program, ...words) => started.push(spawn(program, words, AS_DAEMON));
const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
async function connect(port) {
  const client = new Client({ host: '127.0.0.1', port, user: 'app', database: 'postgres' });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
async function ready(port) {
  for (let tries = 0; tries < 200; tries += 1) {
    const client = await connect(port).catch(() => null);
    if (client) return client.end();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`Nothing answers at ${port}.`);
}
async function locks(client, name, key) {
  const { rows } = await client.query(`SELECT pg_try_${name}(${key}) AS locked`);
  return rows[0].locked;
}
(async () => {
  execFileSync(`${BIN}/initdb`, ['-D', 'db', '-U', 'app', '-A', 'trust', '--locale=C'], AS_DAEMON);
  const [direct, pooled] = [await freePort(), await freePort()];
  run(`${BIN}/postgres`, '-D', 'db', '-p', String(direct), '-k', '', '-c', 'listen_addresses=127.0.0.1');
  await ready(direct);
  const settings = [
    '[databases]',
    `* = host=127.0.0.1 port=${direct}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${pooled}`,
    'unix_socket_dir =',
    'auth_type = trust',
    'auth_file = users.txt',
    'pool_mode = transaction',
  ];
  writeFileSync('data/users.txt', '"app" ""\n');
  writeFileSync('data/pooler.ini', settings.join('\n'));
  run(`${process.cwd()}/usr/sbin/pgbouncer`, 'pooler.ini');
  await ready(pooled);
  const lines = [];
  const callers = [await connect(pooled), await connect(pooled)];
  const [ada, eve] = callers;
  lines.push(`lock of a session: ${await locks(ada, 'advisory_lock', 1)} and ${await locks(eve, 'advisory_lock', 1)}`);
  for (const caller of callers) await caller.query('BEGIN');
  const [first, second] = [await locks(ada, 'advisory_xact_lock', 2), await locks(eve, 'advisory_xact_lock', 2)];
  lines.push(`lock of a transaction, another key: ${first} and ${second}`);
  for (const caller of callers) await caller.query('COMMIT');
  const notified = [];
  ada.on('notification', () => notified.push('ada'));
  eve.on('notification', () => notified.push('eve'));
  await ada.query('LISTEN logout');
  await eve.query("NOTIFY logout, 'session 1'");
  await ada.query('SELECT 1');
  lines.push(`ada listens, notified: ${notified.join()}`);
  for (const caller of callers) await caller.end();
  const other = await connect(direct);
  lines.push(`both have gone, a third caller: ${await locks(other, 'advisory_lock', 1)}`);
  await other.end();
  console.log(lines.join('\n'));
  const wanted = [
    'lock of a session: true and true',
    'lock of a transaction, another key: true and false',
    'ada listens, notified: eve',
    'both have gone, a third caller: false',
  ];
  process.exitCode = lines.join() === wanted.join() ? 0 : 1;
})().finally(() => started.reverse().forEach((program) => program.kill('SIGINT')));
JS
LD_LIBRARY_PATH=$(echo "$folder"/usr/lib/x86_64-linux-gnu) timeout 90 node run.cjs
