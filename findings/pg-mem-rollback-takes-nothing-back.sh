#!/usr/bin/env bash
# pg-mem 3.0.14: ROLLBACK of a client of pg takes nothing back, and a transaction goes on after an error.
#
# Behaviour: BEGIN and ROLLBACK succeed, and each statement between them stays, if they are sent one by one, as
# pg, and what is built on it, sends them; only a text with all of them is rolled back. Other connections read
# what is written before the COMMIT. After a statement that failed, the next ones are carried out, where
# PostgreSQL says "current transaction is aborted" and COMMIT rolls back. SAVEPOINT does not parse.
# Consequence: a test whose request fails halfway finds its rows changed, or passes where a handler catches a
# unique violation and writes on in its transaction, which PostgreSQL refuses. Test transactions on
# PostgreSQL; PGlite 0.5.17, which is PostgreSQL in the same process, does as it does.
# Output: per database, the rows after each case
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts pg-mem@3.0.14 @electric-sql/pglite@0.5.17 >/dev/null 2>&1
cat >run.mjs <<'JS'
import { PGlite } from '@electric-sql/pglite';
import { newDb } from 'pg-mem';

const TABLE = ['CREATE TABLE code (id text PRIMARY KEY, used boolean NOT NULL)', "INSERT INTO code VALUES ('a', false)"];
const USE = "UPDATE code SET used = true WHERE id = 'a'";
const AGAIN = "INSERT INTO code VALUES ('a', false)";
const NEXT = "INSERT INTO code VALUES ('b', false)";
async function filled(client) {
  for (const statement of TABLE) await client.query(statement);
  return client;
}
const rowsOf = ({ rows }) => rows.map(({ id, used }) => `${id} ${used ? 'used' : 'open'}`).join(', ');
const rows = async (client) => rowsOf(await client.query('SELECT id, used FROM code ORDER BY id'));
async function rolledBack(client) {
  await client.query('BEGIN');
  await client.query(USE);
  await client.query('ROLLBACK');
  return rows(client);
}
/** A unique violation that is caught within the transaction. */
async function caught(client) {
  await client.query('BEGIN');
  await client.query(USE);
  await client.query(AGAIN).catch(() => {});
  const next = await client.query(NEXT).then(
    () => 'goes on',
    ({ message }) => message.split(',')[0],
  );
  await client.query('COMMIT');
  return `${next}, ${await rows(client)}`;
}
const poolOf = (database) => filled(new (database.adapters.createPg().Pool)());
const mock = async () => (await poolOf(newDb())).connect();
const real = () => filled(new PGlite());
const inOneText = newDb();
await poolOf(inOneText);
inOneText.public.none(`BEGIN; ${USE}; ROLLBACK;`);
const shared = await poolOf(newDb());
const [one, two] = [await shared.connect(), await shared.connect()];
await one.query('BEGIN');
await one.query(USE);
const lines = [
  `ROLLBACK: pg-mem ${await rolledBack(await mock())}; PGlite ${await rolledBack(await real())}`,
  `in one text: pg-mem ${inOneText.public.many('SELECT * FROM code').map(({ used }) => (used ? 'used' : 'open'))}`,
  `before COMMIT, another connection: pg-mem ${await rows(two)}`,
  `a violation: pg-mem ${await caught(await mock())}; PGlite ${await caught(await real())}`,
];
console.log(lines.join('\n'));
const expected = [
  'ROLLBACK: pg-mem a used; PGlite a open',
  'in one text: pg-mem open',
  'before COMMIT, another connection: pg-mem a used',
  'a violation: pg-mem goes on, a used, b open; PGlite current transaction is aborted, a open',
];
process.exit(lines.join() === expected.join() ? 0 : 1);
JS
timeout 60 node run.mjs
