#!/usr/bin/env bash
# pg 8.23.1 behind PgBouncer 1.18.0 (Debian 12): the remedy for a refused timeout is no timeout.
#
# Behaviour: pg sends statement_timeout, lock_timeout, idle_in_transaction_session_timeout and `options`
# in the startup packet. PgBouncer refuses the connection: "unsupported startup parameter". With the
# name in ignore_startup_parameters, as its manual advises, it connects, and the server does not
# receive the value; no error says so. A setting of the role is in force.
# Consequence: behind the pooler, a slow statement holds its locks and its place in the pool without
# an end, where the same code stopped it after seconds before. Look at current_setting() once.
# Output: statement_timeout that is in force, directly, and behind a PgBouncer that ignores or does not
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
/** Returns the timeout that is in force on a connection, or why there is none. */
async function timeoutOf(port, user, options = {}) {
  const client = new Client({ host: '127.0.0.1', port, user, database: 'postgres', ...options });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query("SELECT current_setting('statement_timeout') AS value");
    return rows[0].value;
  } catch ({ message }) {
    return message;
  } finally {
    await client.end().catch(() => undefined);
  }
}
async function ready(port) {
  for (let tries = 0; tries < 200; tries += 1) {
    if ((await timeoutOf(port, 'app')) === '0') return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`Nothing answers at ${port}.`);
}
async function pooler(server, ignored) {
  const port = await freePort();
  const settings = [
    '[databases]',
    `* = host=127.0.0.1 port=${server}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = trust',
    'auth_file = users.txt',
    'pool_mode = transaction',
    `ignore_startup_parameters = ${ignored}`,
  ];
  writeFileSync(`data/${port}.ini`, settings.join('\n'));
  run(`${process.cwd()}/usr/sbin/pgbouncer`, `${port}.ini`);
  await ready(port);
  return port;
}
(async () => {
  execFileSync(`${BIN}/initdb`, ['-D', 'db', '-U', 'app', '-A', 'trust', '--locale=C'], AS_DAEMON);
  const direct = await freePort();
  run(`${BIN}/postgres`, '-D', 'db', '-p', String(direct), '-k', '', '-c', 'listen_addresses=127.0.0.1');
  await ready(direct);
  const owner = new Client({ host: '127.0.0.1', port: direct, user: 'app', database: 'postgres' });
  await owner.connect();
  await owner.query("CREATE ROLE patient LOGIN; ALTER ROLE patient SET statement_timeout = '7s'");
  await owner.end();
  writeFileSync('data/users.txt', '"app" ""\n"patient" ""\n');
  const usual = await pooler(direct, 'extra_float_digits');
  const ignoring = await pooler(direct, 'extra_float_digits, statement_timeout, options');
  const lines = [];
  for (const [name, port] of Object.entries({ direct, usual, ignoring })) {
    const values = [
      await timeoutOf(port, 'app', { statement_timeout: 5_000 }),
      await timeoutOf(port, 'app', { options: '-c statement_timeout=5000' }),
      await timeoutOf(port, 'patient'),
    ];
    lines.push(`${name}: ${values.join(', ')}`);
  }
  console.log(lines.join('\n'));
  const unsupported = 'unsupported startup parameter:';
  const wanted = [
    'direct: 5s, 5s, 7s',
    `usual: ${unsupported} statement_timeout, ${unsupported} options, 7s`,
    'ignoring: 0, 0, 7s',
  ];
  process.exitCode = lines.join() === wanted.join() ? 0 : 1;
})().finally(() => started.reverse().forEach((program) => program.kill('SIGINT')));
JS
LD_LIBRARY_PATH=$(echo "$folder"/usr/lib/x86_64-linux-gnu) timeout 90 node run.cjs
