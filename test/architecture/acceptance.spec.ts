import { existsSync, globSync, readFileSync } from 'node:fs';

const page = readFileSync('docs/acceptance.md', 'utf8');
const rows = page.split('\n').filter((line) => /^\| AT-\d\d /.test(line));
const filesOf = (row: string) =>
  [...row.matchAll(/`((?:test|scripts)\/[^`]+)`/g)].map(([, path = '']) => path);

describe('The page of tests of access to things', () => {
  it('names tests that are there', () => {
    const named = readFileSync('docs/access-tests.md', 'utf8').matchAll(/`(test\/[^`]+)`: ([^`\n]+)\./g);
    const missing = [...named].flatMap(([, path = '', titles = '']) => {
      const source = existsSync(path) ? readFileSync(path, 'utf8') : '';
      return titles.split('; ').filter((title) => !source.includes(title));
    });
    expect(missing).toEqual([]);
  });
});

describe('The page of acceptance tests', () => {
  it('has a row for each of them, in order', () => {
    const numbers = Array.from({ length: 34 }, (_, n) => n + 1);
    expect(rows.map((row) => row.slice(2, 7))).toEqual(
      numbers.map((number) => `AT-${String(number).padStart(2, '0')}`),
    );
  });

  it('has a row for each attack, in order, with its tests', () => {
    const attacks = page.split('\n').filter((line) => /^\| AK-\d\d /.test(line));
    const numbers = Array.from({ length: 18 }, (_, n) => `AK-${String(n + 1).padStart(2, '0')}`);
    expect(attacks.map((row) => row.slice(2, 7))).toEqual(numbers);
    for (const row of attacks) {
      expect(filesOf(row)).not.toEqual([]);
      expect(filesOf(row).filter((path) => !existsSync(path))).toEqual([]);
    }
  });

  it('names files that are there', () => {
    expect(rows.flatMap(filesOf).filter((path) => !existsSync(path))).toEqual([]);
  });

  it('names every file of test/faults', () => {
    expect(globSync('test/faults/at-*.spec.ts').filter((path) => !page.includes(path))).toEqual([]);
  });
});
