/** Rows that a search reads in the order of its list before it asks the index of trigrams. */
export const NEAR_ROWS = 20_000;

/**
 * Returns whether a text is searched for anywhere: it needs three Latin letters or digits in a row,
 * which make a trigram whatever the locale of the database. Others are searched for as beginnings.
 */
export const isSearchedAnywhere = (text: string): boolean =>
  /[a-z0-9]{3}/.test(text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase());

/** Returns a pattern that finds a text anywhere. The database's `search_pattern` folds it, too. */
export const anywhere = (text: string): string => `%${text.replace(/[\\%_]/g, String.raw`\$&`)}%`;

/** Parts of a statement; their columns have no prefix. */
interface AnyPart {
  readonly table: string;
  readonly columns: string;
  /** Condition of the list, after its cursor. */
  readonly within: string;
  /** Condition of the search, which an index of trigrams answers. */
  readonly match: string;
  /** Order of the list, which an index has. */
  readonly order: string;
  /** Rows of a page, and one more. */
  readonly limit: string;
}

/**
 * Returns the statement of a search for any part of a text, to be ordered and limited by the
 * caller. A part that many rows have fills a page from the next rows of the list. Only if these are
 * too few, so that few rows of all have it, the index of trigrams finds them: for a common part, it
 * would read each of its rows (ADR 57).
 */
export const findAnyPart = ({ table, columns, within, match, order, limit }: AnyPart): string =>
  `WITH near AS MATERIALIZED (
     SELECT ${columns}, (${match}) AS matches FROM ${table} WHERE ${within} ORDER BY ${order} LIMIT ${NEAR_ROWS}),
   reach AS (SELECT count(*) = ${NEAR_ROWS} AND count(*) FILTER (WHERE matches) < ${limit} AS is_far FROM near)
   SELECT ${columns} FROM near WHERE matches AND NOT (SELECT is_far FROM reach)
   UNION ALL
   SELECT ${columns} FROM (SELECT ${columns} FROM ${table} WHERE ${within} AND ${match} OFFSET 0) far WHERE (SELECT is_far FROM reach)`;
