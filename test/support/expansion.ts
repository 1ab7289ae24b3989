import { Client } from 'pg';

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly filled: boolean;
}

interface Rule {
  readonly name: string;
  readonly table: string;
  /** Columns that the rule checks. */
  readonly columns: readonly string[];
  /** Whether one column without a value is enough to pass, as with most foreign keys. */
  readonly sparesNull: boolean;
}

const COLUMNS = `
  SELECT c.relname AS table, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, NOT a.attnotnull AS nullable,
    a.atthasdef OR a.attidentity <> '' AS filled
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped`;
const NAMES = `SELECT coalesce(array_agg(a.attname::text), '{}') FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum = ANY`;
/** Constraints and indexes that refuse rows. NOT NULL belongs to the column. */
const RULES = `
  SELECT k.conname AS name, c.relname AS table, (${NAMES} (k.conkey)) AS columns,
    k.contype = 'f' AND k.confmatchtype = 's' AS "sparesNull"
  FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
  WHERE k.connamespace = 'public'::regnamespace AND k.contype IN ('c', 'f', 'x')
  UNION ALL
  SELECT i.relname, c.relname, (${NAMES} (x.indkey)), false FROM pg_index x
  JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class c ON c.oid = x.indrelid
  WHERE c.relnamespace = 'public'::regnamespace AND x.indisunique`;
/** Records, by an event trigger, the tables that PostgreSQL rewrites. */
const TELL_OF_REWRITES = `
  CREATE TABLE IF NOT EXISTS pg_temp.rewrites (name text);
  CREATE FUNCTION pg_temp.tell() RETURNS event_trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO pg_temp.rewrites VALUES (pg_event_trigger_table_rewrite_oid()::regclass::text); END $$;
  CREATE EVENT TRIGGER tell_of_rewrites ON table_rewrite EXECUTE FUNCTION pg_temp.tell()`;

async function schemaOf(client: Client): Promise<{ columns: Column[]; rules: Rule[] }> {
  const { rows: columns } = await client.query<Column>(COLUMNS);
  const { rows: rules } = await client.query<Rule>(RULES);
  return { columns, rules };
}

/**
 * Applies a change of the schema.
 * @param change by this connection, which has to be a superuser's
 * @returns what the previous release cannot work with; empty for an expanding change
 */
export async function breaksOf(client: Client, change: () => Promise<unknown>): Promise<string[]> {
  const before = await schemaOf(client);
  await client.query(TELL_OF_REWRITES);
  await change();
  await client.query('DROP EVENT TRIGGER tell_of_rewrites; DROP FUNCTION pg_temp.tell()');
  const { rows: rewrites } = await client.query<{ name: string }>('TABLE pg_temp.rewrites');
  await client.query('DROP TABLE pg_temp.rewrites');
  const after = await schemaOf(client);
  const find = ({ table, name }: Column, columns: Column[]) =>
    columns.find((column) => column.table === table && column.name === name);
  const tables = new Set(before.columns.map(({ table }) => table));
  const lost = before.columns.flatMap((column) => {
    const { table, name, type, nullable, filled } = column;
    const now = find(column, after.columns);
    if (!now) return [`${table}.${name} is gone`];
    if (now.type !== type) return [`${table}.${name} is another type`];
    if (nullable && !now.nullable) return [`${table}.${name} may be null no more`];
    return filled && !now.filled ? [`${table}.${name} has lost its default`] : [];
  });
  const demanded = after.columns
    .filter((column) => tables.has(column.table) && !find(column, before.columns))
    .filter(({ nullable, filled }) => !nullable && !filled)
    .map(({ table, name }) => `${table}.${name} has to be given`);
  const isEmpty = ({ table, sparesNull }: Rule, name: string) =>
    sparesNull &&
    after.columns.some((one) => one.table === table && one.name === name && one.nullable && !one.filled) &&
    !before.columns.some((one) => one.table === table && one.name === name);
  const forbidden = after.rules
    .filter(({ name, table }) => tables.has(table) && !before.rules.some((rule) => rule.name === name))
    .filter(({ table, columns }) =>
      columns.some((name) => before.columns.some((column) => column.table === table && column.name === name)),
    )
    .filter((rule) => !rule.columns.some((name) => isEmpty(rule, name)))
    .map(({ name, table }) => `${name} refuses what may be written to ${table}`);
  return [...lost, ...demanded, ...forbidden, ...rewrites.map(({ name }) => `${name} is copied`)];
}
