import { globSync, readFileSync } from 'node:fs';

const DEFAULT_FILE = 'openid-provider.spec.ts';

/** Pages that go through a standard sentence by sentence, and the file of their tests. */
const PAGES = {
  'docs/agents.md': 'openid-agents.spec.ts',
  'docs/identity-assertions.md': 'identity-assertions.spec.ts',
};

/** Tests that docs/conformance.md names, by row: the last column of its tables. */
const ROWS = readFileSync('docs/conformance.md', 'utf8')
  .split('Different from what the suite expects')
  .flatMap((part, index) => (index === 0 ? part : (part.split('Attacks of RFC 9700')[1] ?? '')))
  .join('\n')
  .split('\n')
  .filter((line) => /^\| (?:`oidcc-|\d)/.test(line))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
  .map((cells): readonly [string, string] => [cells[0] ?? '', cells.at(-1) ?? '']);

describe('docs/conformance.md', () => {
  it('has a row for the modules of the basic plan, and the sections of RFC 9700', () => {
    const names = ROWS.map(([name]) => name).join(' ');
    for (const name of ['oidcc-server', 'oidcc-codereuse', 'oidcc-backchannel-rp-initiated-logout'])
      expect(names).toContain(name);
    for (let section = 1; section <= 17; section += 1) expect(names).toMatch(new RegExp(`4\\.${section}\\b`));
  });

  it.each(ROWS)('names a test of %s that there is', (_, cell) => expectTest(cell, DEFAULT_FILE));
});

describe.each(Object.entries(PAGES))('%s', (page, defaultFile) => {
  it('names tests that there are', () => {
    const rows = readFileSync(page, 'utf8').split('\n');
    const cells = rows.flatMap((row) => {
      const columns = /^\| (?:\d|Authorization |Client reg|Security con|Enterprise-M)/.test(row)
        ? row.split('|')
        : [];
      return columns.at(-2)?.trim() || [];
    });
    expect(cells.length).toBeGreaterThan(20);
    for (const cell of cells) {
      let file = defaultFile;
      for (const test of cell.split('; ')) {
        file = FILE.exec(test)?.[1] ?? file;
        expectTest(test, file);
      }
    }
  });
});

const FILE = /^`([\w.-]+)`: /;

function expectTest(cell: string, defaultFile: string): void {
  const [path = defaultFile] = globSync(`test/{e2e/*,portal}/${FILE.exec(cell)?.[1] ?? defaultFile}`);
  const source = readFileSync(path, 'utf8').replaceAll('%s', '…');
  expect(source).toContain(cell.replace(FILE, ''));
}
