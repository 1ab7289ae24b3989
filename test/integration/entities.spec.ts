import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DataSource, getMetadataArgsStorage, type EntityMetadata } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { migrations } from '../../migrations/index.js';
import { migrateDatabase } from '../../src/platform/database/migrate.js';
import { BEYOND_ENTITIES, UNUSED_COLUMNS } from '../support/beyond-entities.js';
import { createDatabase, ServiceClient, withApp } from '../support/test-app.js';

/** Tables of entities. TypeORM keeps `schema_migrations`, the job queue has its own schema. */
const OURS = `c.relnamespace = 'public'::regnamespace AND NOT c.relispartition
  AND c.relname <> 'schema_migrations'`;

const COLUMNS = `
  SELECT c.relname || '.' || a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
    NOT a.attnotnull AS nullable, nullif(k.collname, 'default') AS collation,
    regexp_replace(pg_get_expr(d.adbin, d.adrelid), '::text\\[\\]$', '') AS "default"
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
    LEFT JOIN pg_collation k ON k.oid = a.attcollation
  WHERE ${OURS} AND c.relkind IN ('r', 'p')`;

const CONSTRAINTS = `
  SELECT c.relname || '.' || k.conname AS name, pg_get_constraintdef(k.oid) AS definition
  FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid WHERE ${OURS} AND k.contype NOT IN ('n', 't')
  UNION
  -- A primary key that each partition has, and not the table: it does not name the column of the bounds.
  SELECT c.relname || '.' || c.relname || '_pkey', pg_get_constraintdef(k.oid)
  FROM pg_constraint k JOIN pg_inherits i ON i.inhrelid = k.conrelid JOIN pg_class c ON c.oid = i.inhparent
  WHERE ${OURS} AND k.contype = 'p' AND k.conparentid = 0`;

/** Those that no constraint has made. */
const INDEXES = `
  SELECT c.relname || '.' || x.relname AS name,
    regexp_replace(pg_get_indexdef(i.indexrelid), ' ON (ONLY )?public.', ' ON ') AS definition
  FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_class x ON x.oid = i.indexrelid
  WHERE ${OURS} AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x'))`;

const TRIGGERS = `
  SELECT c.relname || '.' || t.tgname AS name,
    replace(pg_get_triggerdef(t.oid), ' ON public.', ' ON ') AS definition
  FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE ${OURS} AND NOT t.tgisinternal`;

interface Defined {
  readonly name: string;
  readonly definition: string;
}

const SOURCE = join(__dirname, '../../src');
const FILES = globSync('**/*.ts', { cwd: SOURCE });
const ENTITY_FILES = FILES.filter((file) => file.endsWith('.entity.ts'));

describe('Entities', () => {
  let tables: EntityMetadata[];
  let empty: ServiceClient;
  const app = withApp();
  beforeAll(async () => {
    tables = app.app.get(DataSource).entityMetadatas;
    const url = await createDatabase('template1');
    await migrateDatabase(url, migrations);
    empty = new ServiceClient('', url, '');
  });

  it('of every file are registered by their module', async () => {
    const classes = (await Promise.all(ENTITY_FILES.map(classesOf))).flat();
    expect(tables.map(({ name }) => name).toSorted()).toEqual(classes.toSorted());
  });

  it('have the columns of a migrated database, and no others', async () => {
    const ofEntities = tables.flatMap(({ tableName, columns }) =>
      columns.map((column) => ({ name: `${tableName}.${column.databaseName}`, ...described(column) })),
    );
    const columns = await empty.sql<{ name: string }>(COLUMNS);
    const unused = columns.filter(({ name }) => UNUSED_COLUMNS.includes(name));
    expect(unused.map(({ name }) => name)).toEqual(UNUSED_COLUMNS);
    expect(byName(ofEntities)).toEqual(byName(columns.filter((column) => !unused.includes(column))));
  });

  it('have its keys, constraints and indexes, together with the list of what they cannot say', async () => {
    const ofList = Object.entries(BEYOND_ENTITIES).map(([name, definition]) => ({ name, definition }));
    const ofEntities = tables.flatMap(definitionsOf);
    const found = [];
    for (const sql of [CONSTRAINTS, INDEXES, TRIGGERS]) found.push(...(await empty.sql<Defined>(sql)));
    expect(byName([...ofEntities, ...ofList])).toEqual(byName(found));
  });

  it('have neither relations nor listeners', () => {
    const { relations, entityListeners, entitySubscribers, generations } = getMetadataArgsStorage();
    expect([...relations, ...entityListeners, ...entitySubscribers, ...generations]).toEqual([]);
  });

  it('import nothing of each other', async () => {
    for (const file of ENTITY_FILES)
      expect(`${file}: ${await read(file)}`).not.toMatch(/from '[^']*\.entity\.js'/);
  });

  it.each(['synchronize', 'save(', 'InjectRepository', 'DataSource', 'EntityManager', 'getRepository'])(
    'are used through Database: no file outside platform/database says %s',
    async (word) => {
      const says = async (file: string) => (await read(file)).includes(word);
      const outside = FILES.filter((file) => !file.startsWith('platform/database/'));
      const users = await Promise.all(outside.map(async (file) => ((await says(file)) ? [file] : [])));
      expect(users.flat()).toEqual([]);
    },
  );

  function read(file: string): Promise<string> {
    return readFile(join(SOURCE, file), 'utf8');
  }

  async function classesOf(file: string): Promise<string[]> {
    const names = [...(await read(file)).matchAll(/^export class (\w+)/gm)].map(([, name = '']) => name);
    if (names.length === 0) throw new Error(`${basename(file)} has no entity.`);
    return names;
  }

  function described(column: ColumnMetadata): object {
    const { driver } = app.app.get(DataSource);
    return {
      type: driver
        .createFullType({ ...column, type: driver.normalizeType(column) } as never)
        .toLowerCase()
        .replace(' array', '[]'),
      nullable: column.isNullable,
      collation: column.collation ?? null,
      default: driver.normalizeDefault(column)?.replace(/^'(\d+)'$/, '$1') ?? null,
    };
  }

  function definitionsOf({ tableName, primaryColumns, uniques, indices }: EntityMetadata): Defined[] {
    const { namingStrategy } = app.app.get(DataSource);
    const list = (columns: readonly ColumnMetadata[]) =>
      `(${columns.map(({ databaseName }) => databaseName).join(', ')})`;
    return [
      {
        name: namingStrategy.primaryKeyName(tableName, []),
        definition: `PRIMARY KEY ${list(primaryColumns)}`,
      },
      ...uniques.map(({ name, columns }) => ({ name, definition: `UNIQUE ${list(columns)}` })),
      ...indices.map(({ name, columns, isUnique }) => ({
        name,
        definition: `CREATE ${isUnique ? 'UNIQUE ' : ''}INDEX ${name} ON ${tableName} USING btree ${list(columns)}`,
      })),
    ].map(({ name, definition }) => ({ name: `${tableName}.${name}`, definition }));
  }
});

const byName = <T extends { readonly name: string }>(rows: readonly T[]): T[] =>
  rows.toSorted((one, other) => (one.name < other.name ? -1 : 1));
