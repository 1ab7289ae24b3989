import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';

const ROW = /^\| ([A-Z]+-\d+) +\|(.*)\|$/gm;
const ID = /\b[A-Z]{2,5}-\d{1,2}\b/g;
/** Names of standards and licences, and their ends, that have the form of an id. */
const NOT_IDS = new Set(['BSD-2', 'BSD-3', 'DSA-44', 'MIT-0', 'SHA-1', 'UTF-8', 'UTF-16']);
const CHECKED = new Set(['.ts', '.tsx', '.mjs', '.cjs', '.sh', '.md', '.yml', '.yaml']);

const rowsOf = (page: string) =>
  [...readFileSync(page, 'utf8').matchAll(ROW)].map(([, id = '', rest = '']) => ({ id, rest }));
const requirements = ['docs/requirements.md', 'docs/requirements-external.md'].flatMap(rowsOf);
const defined = [...requirements, ...rowsOf('docs/acceptance.md')].map(({ id }) => id);

describe('The requirements', () => {
  it('defines each id once', () => {
    expect(requirements.length).toBeGreaterThan(80);
    expect(defined.filter((id, index) => defined.indexOf(id) !== index)).toEqual([]);
  });

  it.each(requirements)('names existing tests for $id', ({ rest }) => {
    const tests = [...rest.matchAll(/`((?:client\/)?test\/[^`]+\.spec\.ts)`/g)].map(([, path = '']) => path);
    expect(tests.length).toBeGreaterThan(0);
    expect(tests.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('defines every id that the repository uses', () => {
    const used = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
      .split('\n')
      .filter((file) => CHECKED.has(extname(file)) && existsSync(file))
      .flatMap((file) =>
        [...readFileSync(file, 'utf8').matchAll(ID)]
          .filter(([id]) => !NOT_IDS.has(id) && !defined.includes(id))
          .map(([id]) => `${file}: ${id}`),
      );
    expect(used).toEqual([]);
  });
});
