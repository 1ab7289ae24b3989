import { globSync, readFileSync } from 'node:fs';

const DEFAULT_FILE = 'openid-provider.spec.ts';

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

  it.each(ROWS)('names a test of %s that there is', (_, cell) => {
    const [, file = DEFAULT_FILE, test] = /^(?:`([\w.-]+)`: )?(.+)$/.exec(cell) ?? [];
    const [path = file] = globSync(`test/e2e/*/${file}`);
    const source = readFileSync(path, 'utf8').replaceAll('%s', '…');
    expect(source).toContain(test);
  });
});
