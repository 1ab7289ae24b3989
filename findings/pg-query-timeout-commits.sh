#!/usr/bin/env bash
# pg 8.23.1: a statement that query_timeout gives up is carried out and committed all the same.
#
# Behaviour: query_timeout ends the waiting: the promise rejects with "Query read timeout", and no cancel
# request is sent. The server finishes the statement and commits it. In a transaction, a ROLLBACK
# after it waits for the statement, and is given up, too; a client that is released then, without an
# error as the argument of release(), goes to the next caller, whose query is given up as well.
# Consequence: a call that spends a one-time code fails, and the code is spent; one slow statement fails
# the requests of others after it. (Seen with PGlite, which is PostgreSQL in the same process.)
# Output: rejected, code spent: true; in a transaction: ROLLBACK rejected, next caller rejected
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps pg@8.23.1 \
  @electric-sql/pglite@0.5.14 @electric-sql/pglite-socket@0.2.17 >/dev/null 2>&1
cat >server.mjs <<'JS'
import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';

const server = new PGLiteSocketServer({ db: await PGlite.create(), host: '127.0.0.1', port: 0, maxConnections: 5 });
server.addEventListener('listening', ({ detail }) => console.log(detail.port));
await server.start();
JS
cat >run.cjs <<'JS'
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { Pool } = require('pg');

const SPEND = (id) => `UPDATE codes SET spent = true WHERE id = ${id} AND (SELECT true FROM pg_sleep(3))`;
const outcome = (promise) => promise.then(() => 'done', ({ message }) => message);
(async () => {
  const server = spawn(process.execPath, ['server.mjs'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(server.stdout, 'data');
  const connection = { host: '127.0.0.1', port: Number(port), user: 'postgres', password: 'p', database: 'postgres' };
  const patient = new Pool({ ...connection, max: 1 });
  await patient.query('CREATE TABLE codes (id int PRIMARY KEY, spent boolean DEFAULT false)');
  await patient.query('INSERT INTO codes (id) VALUES (1), (2)');
  const pool = new Pool({ ...connection, max: 1, query_timeout: 500 });

  const first = await outcome(pool.query(SPEND(1)));
  const { rows } = await patient.query('SELECT spent FROM codes WHERE id = 1');
  const client = await pool.connect();
  await client.query('BEGIN');
  const second = await outcome(client.query(SPEND(2)));
  const rollback = await outcome(client.query('ROLLBACK'));
  client.release();
  const next = await outcome(pool.query('SELECT 1'));

  console.log(`first: ${first}, code spent: ${rows[0].spent}`);
  console.log(`in a transaction: ${second}, ROLLBACK: ${rollback}, next caller: ${next}`);
  server.kill();
  const given = 'Query read timeout';
  process.exit([first, second, rollback, next].every((text) => text === given) && rows[0].spent ? 0 : 1);
})();
JS
timeout 60 node run.cjs
