import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Compares a part of a document with the code: the lines between `<!-- name: written by npm run
 * docs -->` and `<!-- end -->`. With WRITE_DOCS=1, which `npm run docs` sets, writes them.
 */
export function expectWritten(file: string, name: string, lines: readonly string[]): void {
  const document = readFileSync(file, 'utf8');
  const [begin, end] = [`<!-- ${name}: written by npm run docs -->\n`, '<!-- end -->'];
  const start = document.indexOf(begin) + begin.length;
  const stop = document.indexOf(end, start);
  if (start < begin.length || stop < 0) throw new Error(`${file} has no place for "${name}".`);
  const text = `\n${lines.join('\n')}\n\n`;
  if (process.env['WRITE_DOCS'] === '1')
    writeFileSync(file, document.slice(0, start) + text + document.slice(stop));
  else expect(document.slice(start, stop)).toBe(text);
}

/** Returns the lines of a Markdown table, in the widths that prettier gives it. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => [...(row[column] ?? '')].length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length)).join(' | ')} |`;
  const [first = [], ...rest] = cells;
  return [line(first), line(widths.map((width) => '-'.repeat(width))), ...rest.map(line)];
}
