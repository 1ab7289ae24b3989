import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Most files that a change of each kind may touch. */
const LIMITS: Readonly<Record<string, number>> = {
  'A field of an organization': 11,
  'An event': 5,
  'A text': 2,
  'A command of the operators': 7,
};
/** Spellings of the thing that a recipe names first: in code, in SQL, of constants. */
function spellingsOf(name: string): string[] {
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return [name, snake, snake.toUpperCase()];
}
/** Files that every change may add to, translations, and the recipes themselves. */
const LEFT_OUT =
  /^(?:CHANGELOG\.md|docs\/recipes\.md|test\/architecture\/recipes\.spec\.ts|portal\/src\/messages\/(?!en)\w+\.json|src\/locales\/.*)$/;

interface Recipe {
  readonly title: string;
  readonly name: string;
  readonly stated: number;
  readonly files: readonly string[];
}

function readRecipes(): Recipe[] {
  const [, ...sections] = readFileSync('docs/recipes.md', 'utf8').split('\n## ');
  return sections.map((section) => {
    const [, title = '', name = '', stated = ''] = /^(.+)\n\n`([^`]+)`.*?: (\d+) files/s.exec(section) ?? [];
    const steps = section.split('\n').filter((line) => line.startsWith('- '));
    const files = steps.flatMap((line) =>
      [...line.matchAll(/`([^` ]+\/[^` ]+)`/g)].map(([, path = '']) => path),
    );
    return { title, name, stated: Number(stated), files };
  });
}

/** Returns the committed and new files that contain the thing, as `git grep` finds them. */
function filesWith(name: string): string[] {
  const patterns = spellingsOf(name).flatMap((spelling) => ['-e', spelling]);
  const { stdout } = spawnSync('git', ['grep', '--untracked', '-lwF', ...patterns], { encoding: 'utf8' });
  return stdout.split('\n').filter((file) => file !== '' && !LEFT_OUT.test(file));
}

describe('docs/recipes.md', () => {
  const recipes = readRecipes();

  it('has a recipe for each kind of change', () => {
    expect(recipes.map(({ title }) => title)).toEqual(Object.keys(LIMITS));
  });

  it.each(recipes)('$title: $name is in the files that it lists', ({ title, name, stated, files }) => {
    // A list of migrations names no columns.
    const listed = files.filter((file) => file !== 'migrations/index.ts');
    expect(filesWith(name)).toEqual(listed.toSorted());
    expect(files).toHaveLength(stated);
    expect(stated).toBeLessThanOrEqual(LIMITS[title] ?? 0);
  });
});
