/** Spreadsheets read UTF-8 only with a byte order mark. */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * First characters of a formula, also of full width, as spreadsheets in East Asian languages read
 * them.
 */
const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** CSV as in RFC 4180; a spreadsheet must not run a cell as a formula, and people choose names. */
export const toCsv = (rows: readonly (readonly string[])[]): string =>
  BYTE_ORDER_MARK + rows.map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('');

const cellOf = (value: string): string =>
  `"${(FORMULA.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`;
