import { globSync, readFileSync } from 'node:fs';

/** A block of code that says which file it is from: "```ts <path>". */
const BLOCK = /^```ts(.*)\n([\s\S]*?)\n```$/gm;

describe('docs/extending.md', () => {
  const blocks = [...readFileSync('docs/extending.md', 'utf8').matchAll(BLOCK)].map(
    ([, path = '', code = '']) => ({ path: path.trim(), code }),
  );

  it('shows code that is there, word for word', () => {
    const missing = blocks.filter(
      ({ path, code }) => !unindented(readFileSync(path, 'utf8')).includes(unindented(code)),
    );
    expect(missing).toEqual([]);
  });

  it('shows the whole example', () => {
    const files = globSync('examples/**/*.ts');
    expect(files.length).toBeGreaterThan(0);
    for (const path of files)
      expect(blocks).toContainEqual({ path, code: readFileSync(path, 'utf8').trimEnd() });
  });
});

function unindented(code: string): string {
  return code.replace(/^ +/gm, '');
}
