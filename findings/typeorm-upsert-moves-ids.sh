#!/usr/bin/env bash
# typeorm 1.1.1 on PostgreSQL: upsert of a row that was read gives it another id.
#
# Behaviour: an id with @PrimaryGeneratedColumn() (increment, the default) is left out of the INSERT
# although the entity has it, and so is drawn from the sequence; ON CONFLICT then sets
# "id" = EXCLUDED."id", as the entity has an id. With the id as the conflict path, no conflict can
# occur, and a second row is made. With the strategy "identity" the id is sent, and stays.
# Consequence: upsert(user, ['email']) of a person that was read before moves them to a new id, away
# from what is stored under the old one without a foreign key: sessions, tokens, the audit trail.
# Output: by email: 1 row, id 1 -> 2; by id: 2 rows; identity: 1 row, id 1 -> 1
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

const entity = (name, generated, unique) =>
  new EntitySchema({
    name,
    columns: {
      id: { type: 'int', primary: true, generated },
      email: { type: 'text', unique },
      name: { type: 'text' },
    },
  });
const entities = [entity('people', true, true), entity('guests', true, false), entity('staff', 'identity', true)];
(async () => {
  const db = await PGlite.create();
  const server = new PGLiteSocketServer({ db, host: '127.0.0.1', port: 0 });
  let address;
  server.addEventListener('listening', ({ detail }) => (address = detail));
  await server.start();
  const { port } = address;
  const connection = { type: 'postgres', host: '127.0.0.1', port, username: 'postgres', password: 'p', database: 'postgres' };
  const source = await new DataSource({ ...connection, entities, synchronize: true, poolSize: 1 }).initialize();
  const upsert = async (table, path) => {
    const rows = source.getRepository(table);
    await rows.insert({ email: 'ada@example.com', name: 'Ada' });
    const ada = await rows.findOneByOrFail({ email: 'ada@example.com' });
    await rows.upsert({ ...ada, name: 'Ada L.' }, [path]);
    const now = await rows.find();
    return { rows: now.length, ids: `${ada.id} -> ${now.find(({ name }) => name === 'Ada L.').id}` };
  };
  const [byEmail, byId, identity] = [await upsert('people', 'email'), await upsert('guests', 'id'), await upsert('staff', 'email')];
  const line = `by email: ${byEmail.rows} row, id ${byEmail.ids}; by id: ${byId.rows} rows; identity: ${identity.rows} row, id ${identity.ids}`;
  console.log(line);
  await source.destroy();
  await server.stop();
  await db.close();
  process.exit(line === 'by email: 1 row, id 1 -> 2; by id: 2 rows; identity: 1 row, id 1 -> 1' ? 0 : 1);
})();
JS
timeout 120 node run.cjs
