import type { Command } from './command.js';

type Row = Readonly<Record<string, unknown>>;

/**
 * Returns the result of a command as text.
 * @param readable whether a person reads it; programs get one line of JSON
 */
export function written(result: object, { columns }: Pick<Command, 'columns'>, readable: boolean): string {
  if (!readable) return `${JSON.stringify(result)}\n`;
  const { items, nextCursor, ...rest } = result as Row;
  if (!Array.isArray(items)) return `${fields(result as Row)}\n`;
  const next = typeof nextCursor === 'string' ? `\nThe next page: --cursor ${nextCursor}` : '';
  return `${[fields(rest), table(items as Row[], columns)].filter(Boolean).join('\n')}${next}\n`;
}

/** Returns one line for each field; lists of objects as a table below. */
function fields(row: Row): string {
  const names = Object.entries(row).filter(([, value]) => !isList(value));
  const width = Math.max(0, ...names.map(([name]) => title(name).length));
  const lines = names.map(([name, value]) => `${title(name).padEnd(width)}  ${cell(value)}`);
  const lists = Object.entries(row).flatMap(([name, value]) =>
    isList(value) ? [`${title(name)}\n${table(value)}`] : [],
  );
  return [...lines, ...lists].join('\n');
}

function table(rows: readonly Row[], columns: readonly string[] = Object.keys(rows[0] ?? {})): string {
  if (rows.length === 0) return 'None.';
  const cells = [columns.map(title), ...rows.map((row) => columns.map((column) => cell(row[column])))];
  const widths = columns.map((_, n) => Math.max(...cells.map((line) => [...(line[n] ?? '')].length)));
  const padded = (text: string, n: number) => text + ' '.repeat((widths[n] ?? 0) - [...text].length);
  return cells.map((line) => line.map(padded).join('  ').trimEnd()).join('\n');
}

/** Whether a value is a list of objects. */
function isList(value: unknown): value is Row[] {
  return Array.isArray(value) && typeof value[0] === 'object';
}

/** `clientId` is shown as CLIENT ID. */
function title(name: string): string {
  return name.replace(/[A-Z]/g, ' $&').toUpperCase();
}

/** Control characters are replaced: a name must not be able to command the terminal. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString();
  const text = Array.isArray(value) ? value.join(' ') : String(value);
  return text === '' ? '-' : text.replace(/\p{C}/gu, '\u{FFFD}');
}
