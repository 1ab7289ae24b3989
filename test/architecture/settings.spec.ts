import { globSync, readFileSync } from 'node:fs';
import { SETTING_NAMES } from '../../src/platform/config/settings.js';

/** Variables that are read outside the settings, except for those of tests (CONTRIBUTING.md). */
const read = globSync('src/**/*.ts').flatMap((path) =>
  [...readFileSync(path, 'utf8').matchAll(/process\.env\['(?!TEST_)(\w+)'\]/g)].map(([, name = '']) => name),
);

it('docs/settings.md lists each setting once, and no other', () => {
  expect(settingsOn('docs/settings.md').toSorted()).toEqual([...SETTING_NAMES, ...read].toSorted());
});

/** Names in the first column of the tables; `…` stands for the prefix of the name before it. */
function settingsOn(document: string): string[] {
  const rows = readFileSync(document, 'utf8').match(/^\| `[^|]+/gm) ?? [];
  return rows.flatMap((row) => {
    const [kind = ''] = /EXTERNAL_[A-Z]+/.exec(row) ?? [];
    return [...row.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name.replace('…', kind));
  });
}
