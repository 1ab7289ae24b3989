#!/usr/bin/env bash
# connect-pg-simple 10.0.0: when a session ends depends on the time zone of the database connection.
#
# Behaviour: the column `expire` of its table.sql has no time zone. set() writes a moment into it, and
# get() compares it with a moment, each in the time zone of its connection (TimeZone of the server,
# the role or PGTZ). Between two zones, sessions end hours early or late. In one zone that changes
# its clock, the hour that comes twice counts once.
# Consequence: behind replicas with different PGTZ, or after TimeZone of the server was changed, each
# session of minutes is gone at once, or all stay for hours; no error says so. In the night of the
# change, a session of 30 minutes lasts 90. Make the column timestamptz, or set TimeZone to UTC.
# Output: whether a session of 15 minutes is found, by the zones that write and read; how long one of
# 30 minutes lasts in the night of the change (PGlite is PostgreSQL in the same process)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts connect-pg-simple@10.0.0 express-session@1.19.0 @electric-sql/pglite@0.5.17 >/dev/null 2>&1
cat >run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { PGlite } from '@electric-sql/pglite';
import connect from 'connect-pg-simple';
import session from 'express-session';

const MINUTE = 60_000;
const database = new PGlite();
await database.exec(readFileSync('node_modules/connect-pg-simple/table.sql', 'utf8'));
const pool = { query: (text, values) => database.query(text, values) };
const store = new (connect(session))({ pool, pruneSessionInterval: false });
const [set, get] = [promisify(store.set.bind(store)), promisify(store.get.bind(store))];
const move = (zone) => database.exec(`SET TimeZone = '${zone}'`);
const save = (at, minutes) => set('id', { cookie: { expires: new Date(at + minutes * MINUTE) } });
const lines = [];
for (const [writer, reader] of [
  ['UTC', 'UTC'],
  ['UTC', 'Europe/Berlin'],
  ['UTC', 'America/New_York'],
]) {
  await move(writer);
  await save(Date.now(), 15);
  await move(reader);
  lines.push(`${writer}, ${reader}: ${(await get('id')) ? 'found' : 'gone'}`);
}
// Clocks went back at 01:00 UTC. The store asks this clock for the time.
await move('Europe/Berlin');
const start = Date.UTC(2025, 9, 26, 0, 15);
await save(start, 30);
let minutes = 0;
for (Date.now = () => start + minutes * MINUTE; await get('id'); minutes += 1);
lines.push(`in the night of the change: ${minutes - 1} minutes`);
console.log(lines.join('\n'));
const wanted = [
  'UTC, UTC: found',
  'UTC, Europe/Berlin: gone',
  'UTC, America/New_York: found',
  'in the night of the change: 90 minutes',
];
process.exit(lines.join() === wanted.join() ? 0 : 1);
JS
timeout 60 node run.mjs
