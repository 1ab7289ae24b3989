import { globSync, readFileSync } from 'node:fs';
import { SETTING_NAMES } from '../../src/platform/config/index.js';

/** What is read beside the settings. */
const read = globSync('src/**/*.ts').flatMap((path) =>
  [...readFileSync(path, 'utf8').matchAll(/process\.env\['(\w+)'\]/g)].map(([, name = '']) => name),
);

it('The table of the README names every setting, and none that there is not', () => {
  expect(tableOf('README.md').toSorted()).toEqual([...SETTING_NAMES, ...read].toSorted());
});

/** The names in the first column of the table under "Settings"; `…` stands for what the name before it begins with. */
function tableOf(document: string): string[] {
  const [, section = ''] = readFileSync(document, 'utf8').split(/^## Settings$/m);
  const rows = section.split(/^## /m)[0]?.match(/^\| `[^|]+/gm) ?? [];
  return rows.flatMap((row) => {
    const [kind = ''] = /EXTERNAL_[A-Z]+/.exec(row) ?? [];
    return [...row.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name.replace('…', kind));
  });
}
