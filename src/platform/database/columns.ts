import {
  type ColumnOptions,
  type ColumnType,
  DefaultNamingStrategy,
  getMetadataArgsStorage,
  type Table,
} from 'typeorm';

/** Names columns and primary keys as the migrations do. Entities name their other constraints. */
export class SnakeCaseColumns extends DefaultNamingStrategy {
  override columnName(property: string, name?: string): string {
    return name ?? property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  }

  override primaryKeyName(table: Table | string): string {
    return `${this.getTableName(table)}_pkey`;
  }
}

/** Text that is compared by bytes: ids and keys, whose order must not depend on a locale. */
export const BYTEWISE_TEXT = { type: 'text', collation: 'C' } as const satisfies ColumnOptions;
export const TIMESTAMP = { type: 'timestamptz' } as const satisfies ColumnOptions;
/** Folded text for searches, which a trigger fills. Conditions name it; it is not selected. */
export const SEARCH_TEXT = {
  ...BYTEWISE_TEXT,
  default: () => "''::text",
  select: false,
  insert: false,
  update: false,
} as const satisfies ColumnOptions;
/** Time of the transaction that inserts the row, by the clock of the database. */
export const CREATED_AT = { ...TIMESTAMP, default: () => 'now()' } as const satisfies ColumnOptions;
/** In milliseconds: readers who compare with a time that they were shown find it equal. */
export const CREATED_AT_MS = {
  ...TIMESTAMP,
  default: () => "date_trunc('milliseconds'::text, now())",
} as const satisfies ColumnOptions;

/** Transaction id of PostgreSQL, which never wraps around. TypeORM does not know the type. */
export const XID8 = { type: 'xid8' as ColumnType } as const satisfies ColumnOptions;
/** Transaction that inserts the row. */
export const TRANSACTION_ID = {
  ...XID8,
  default: () => 'pg_current_xact_id()',
} as const satisfies ColumnOptions;

/** Columns of an entity by property, as a statement selects them. */
type Selection<E> = { readonly [K in keyof E]?: true };
/** A row of which only these columns were selected. */
export type Selected<E, S extends Selection<E>> = Pick<E, keyof S & keyof E>;

type EntityClass<E> = abstract new () => E;

const names = new SnakeCaseColumns();

/**
 * Returns the columns of an entity for a SELECT list or RETURNING, each under the name of its
 * property: `client_id AS "clientId"`. Reads the decorators and no data source, so that module
 * constants can call it.
 * @param alias of the table in the statement; empty for none
 * @param selection only these properties, in the order of the entity; without one, all but those
 *   that are not selected by default
 */
export function columnsOf<E extends object>(
  entity: EntityClass<E>,
  alias = '',
  selection?: Selection<E>,
): string {
  return getMetadataArgsStorage()
    .filterColumns(lineageOf(entity))
    .filter(({ propertyName, options }) => (selection ? propertyName in selection : options.select !== false))
    .map(({ propertyName, options }) => {
      const column = names.columnName(propertyName, options.name);
      const source = alias === '' ? column : `${alias}.${column}`;
      return column === propertyName ? source : `${source} AS "${propertyName}"`;
    })
    .join(', ');
}

/** Returns a class, and those that it extends, whose columns it has. */
function lineageOf(entity: EntityClass<object>): EntityClass<object>[] {
  const base = Object.getPrototypeOf(entity) as EntityClass<object>;
  return base === Function.prototype ? [entity] : [entity, ...lineageOf(base)];
}
