#!/usr/bin/env bash
# typeorm 1.1.1: save() of an entity that is out of date puts its version column back.
#
# Behaviour: two requests read a row at version 1. The first save() makes it version 2. The second one
# does not fail, as a version column is no condition, and does not count on: save() reads the row
# again, sees that version and update date differ from the entity, and writes both as they were.
# Consequence: the row is at version 1 with the second content. A caller that read it at version 1
# passes the check { lock: { mode: 'optimistic', version: 1 } }, and an ETag made of the version names
# two contents. Compare the version in the UPDATE: update({ id, version }, ...), and look at affected.
# Output: saved by the first: version 2, by the second: version 1, role admin; optimistic 1: passes
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps typeorm@1.1.1 pg@8.23.1 reflect-metadata@0.2.2 \
  @electric-sql/pglite@0.5.14 @electric-sql/pglite-socket@0.2.17 >/dev/null 2>&1
cat >run.cjs <<'JS'
require('reflect-metadata');
const { DataSource, EntitySchema } = require('typeorm');
const { PGlite } = require('@electric-sql/pglite');
const { PGLiteSocketServer } = require('@electric-sql/pglite-socket');

const member = new EntitySchema({
  name: 'members',
  columns: {
    id: { type: 'int', primary: true },
    role: { type: 'text' },
    version: { type: 'int', version: true },
    updatedAt: { type: 'timestamptz', updateDate: true },
  },
});
(async () => {
  const db = await PGlite.create();
  const server = new PGLiteSocketServer({ db, host: '127.0.0.1', port: 0 });
  let address;
  server.addEventListener('listening', ({ detail }) => (address = detail));
  await server.start();
  const { port } = address;
  const connection = { type: 'postgres', host: '127.0.0.1', port, username: 'postgres', password: 'p', database: 'postgres' };
  const source = await new DataSource({ ...connection, entities: [member], synchronize: true, poolSize: 1 }).initialize();
  const members = source.getRepository('members');
  await members.insert({ id: 1, role: 'member' });
  const stored = () => members.findOneByOrFail({ id: 1 });
  const [first, second, third] = [await stored(), await stored(), await stored()];
  await members.save(Object.assign(first, { role: 'guest' }));
  const { version } = await stored();
  await members.save(Object.assign(second, { role: 'admin' }));
  const after = await stored();
  const passes = await source
    .transaction((manager) =>
      manager.findOneOrFail('members', { where: { id: 1 }, lock: { mode: 'optimistic', version: third.version } }),
    )
    .then(() => 'passes', () => 'fails');
  const line = `saved by the first: version ${version}, by the second: version ${after.version}, role ${after.role}; optimistic ${third.version}: ${passes}`;
  console.log(line);
  await source.destroy();
  await server.stop();
  await db.close();
  process.exit(line === 'saved by the first: version 2, by the second: version 1, role admin; optimistic 1: passes' ? 0 : 1);
})();
JS
timeout 120 node run.cjs
