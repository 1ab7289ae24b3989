import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const PAGES = ['docs/interop.md', ...globSync('docs/interop/*.md')];
const COLUMNS = '| what is sent';
/** A report: owner/repository#number, in the name of a test. */
const REPORT = /\b[\w.-]+\/[\w.-]+#\d+/g;

interface Row {
  readonly page: string;
  readonly text: string;
  readonly cells: readonly string[];
  readonly reports: readonly string[];
  readonly spec: string;
}

/** Rows of the tables of inputs. */
const rows: Row[] = PAGES.flatMap((page) => {
  const blocks = readFileSync(page, 'utf8').split('\n\n');
  const tables = blocks
    .filter((block) => block.startsWith(COLUMNS))
    .map((block) => block.split('\n').slice(2));
  return tables.flat().flatMap((text) => {
    if (!text.startsWith('|')) return [];
    const cells = text
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim());
    const links = [...text.matchAll(/https:\/\/github\.com\/([\w.-]+\/[\w.-]+)\/(?:issues|pull)\/(\d+)/g)];
    const [, spec = ''] = /\]\(([^)]*)\)/.exec(cells.at(-1) ?? '') ?? [];
    return [
      {
        page,
        text,
        cells,
        reports: links.map(([, repository, number]) => `${repository}#${number}`),
        spec: join(dirname(page), spec),
      },
    ];
  });
});
const textOf = new Map(rows.map(({ spec }) => [spec, existsSync(spec) ? readFileSync(spec, 'utf8') : '']));

describe('docs/interop', () => {
  it('has rows, each with what is sent, by whom, what happens, since when and a spec', () => {
    expect(rows.length).toBeGreaterThan(80);
    for (const { cells, text } of rows) {
      expect([text, cells.length]).toEqual([text, 5]);
      expect([text, cells.filter((cell) => cell === '')]).toEqual([text, []]);
      expect(cells[3]).toMatch(/^(?:Unreleased|\d+\.\d+\.\d+)(?:, mended)?$/);
    }
  });

  it.each([...textOf.keys()])('names a spec that exists: %s', (spec) => {
    expect(spec).toMatch(/\.spec\.ts$/);
    expect(existsSync(spec)).toBe(true);
  });

  it('names no report that its spec does not', () => {
    const missing = rows.flatMap(({ reports, spec }) =>
      reports.filter((report) => !textOf.get(spec)?.includes(report)).map((report) => `${spec}: ${report}`),
    );
    expect(missing).toEqual([]);
  });

  it('names each report of its specs', () => {
    const known = new Set(rows.flatMap(({ reports }) => reports));
    const specs = [...textOf].filter(([spec]) => /reports|scanners|validator/.test(spec));
    expect(specs.length).toBeGreaterThan(3);
    for (const [spec, text] of specs)
      expect([
        spec,
        [...text.matchAll(REPORT)].map(([report]) => report).filter((one) => !known.has(one)),
      ]).toEqual([spec, []]);
  });
});
