#!/usr/bin/env bash
# typeorm 1.1.1: an empty list of alternatives finds every row, an empty alternative none more.
#
# Behaviour: where: [a, b] finds what meets a or b. where: [] is no condition at all, so find, count
# and exists take every row; In([]) finds none. In [{ organizationId: 1 }, {}], the second, which
# every row meets, is left out. update() and delete() refuse [] and {} as criteria.
# Consequence: "members of the organizations that the caller may see", made by map over a list that is
# empty for this caller, is all members of all organizations; with In(list) it is none.
# Output: [] 3, In([]) 0, one 1, one or any 1, count [] 3, exists [] true, update [] throws
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps typeorm@1.1.1 pg@8.23.1 reflect-metadata@0.2.2 \
  @electric-sql/pglite@0.5.14 @electric-sql/pglite-socket@0.2.17 >/dev/null 2>&1
cat >run.cjs <<'JS'
require('reflect-metadata');
const { DataSource, EntitySchema, In } = require('typeorm');
const { PGlite } = require('@electric-sql/pglite');
const { PGLiteSocketServer } = require('@electric-sql/pglite-socket');

const member = new EntitySchema({
  name: 'members',
  columns: { id: { type: 'int', primary: true }, organizationId: { type: 'int' } },
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
  await members.insert([1, 2, 3].map((id) => ({ id, organizationId: id })));
  const visible = [];
  const where = visible.map((organizationId) => ({ organizationId }));
  const found = {
    '[]': (await members.find({ where })).length,
    'In([])': (await members.find({ where: { organizationId: In(visible) } })).length,
    'one': (await members.find({ where: [{ organizationId: 1 }] })).length,
    'one or any': (await members.find({ where: [{ organizationId: 1 }, {}] })).length,
    'count []': await members.count({ where }),
    'exists []': await members.exists({ where }),
    'update []': await members.update(where, { organizationId: 4 }).then(() => 'updates', () => 'throws'),
  };
  const line = Object.entries(found).map((entry) => entry.join(' ')).join(', ');
  console.log(line);
  await source.destroy();
  await server.stop();
  await db.close();
  process.exit(line === '[] 3, In([]) 0, one 1, one or any 1, count [] 3, exists [] true, update [] throws' ? 0 : 1);
})();
JS
timeout 120 node run.cjs
