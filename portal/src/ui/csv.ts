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

/** Row of a CSV file, with the line on which it begins. */
interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** First line by which exports name the delimiter to spreadsheets. */
export const NAMED_DELIMITER = /^("?)sep=([,;\t])\1(?:\r\n|\n|\r)/i;
/** Characters within which the headings end; a file can have 200 MiB. */
const HEAD_LENGTH = 65_536;

/** Reads CSV as in RFC 4180, with commas, semicolons or tabs; without its blank lines. */
export function fromCsv(text: string): readonly CsvRow[] {
  const [named = '', , delimiter = delimiterOf(text)] = NAMED_DELIMITER.exec(text) ?? [];
  const rows: CsvRow[] = [];
  const cell = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^"${delimiter}\\r\\n][^${delimiter}\\r\\n]*|))(${delimiter}|\\r\\n|\\n|\\r|$)`,
    'y',
  );
  cell.lastIndex = named.length || (text.startsWith(BYTE_ORDER_MARK) ? 1 : 0);
  let line = named === '' ? 1 : 2;
  let begin = line;
  let cells: string[] = [];
  while (cell.lastIndex < text.length) {
    const [whole, quoted, plain = '', end] = cell.exec(text) ?? [];
    if (whole === undefined) throw new SyntaxError(`line ${line}`);
    cells.push(quoted?.replaceAll('""', '"') ?? plain.trim());
    line += whole.match(/\r\n|\n|\r/g)?.length ?? 0;
    if (end === delimiter) continue;
    if (cells.some((one) => one !== '')) rows.push({ line: begin, cells });
    cells = [];
    begin = line;
  }
  if (cells.length > 0) rows.push({ line: begin, cells: [...cells, ''] }); // it ends with a delimiter
  return rows;
}

/** Finds the delimiter that the first line has most often between its headings. */
function delimiterOf(text: string): string {
  const [head = ''] = text
    .slice(0, HEAD_LENGTH)
    .replace(/"(?:[^"]|"")*"/g, '')
    .split(/\r|\n/, 1);
  const countOf = (character: string) => head.split(character).length;
  return [',', ';', '\t'].toSorted((a, b) => countOf(b) - countOf(a))[0] ?? ',';
}
