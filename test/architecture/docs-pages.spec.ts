import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Ten minutes of reading, at 220 words a minute. */
const MAX_WORDS = 2_200;
const MAX_README_LINES = 120;

/** What is looked up, and not read in one piece. */
const LOOKED_UP = ['CHANGELOG.md', 'bench/README.md'];
const pages = globSync(['*.md', 'docs/**/*.md', '{client,react}/*.md']).filter(
  (page) => !LOOKED_UP.includes(page),
);

it.each(pages)('%s is read in ten minutes', (page) => {
  expect(readFileSync(page, 'utf8').match(/\S+/g)?.length).toBeLessThanOrEqual(MAX_WORDS);
});

it(`README.md has at most ${MAX_README_LINES} lines`, () => {
  expect(readFileSync('README.md', 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(
    MAX_README_LINES,
  );
});

describe('docs/llms.txt', () => {
  const text = readFileSync('docs/llms.txt', 'utf8');
  const linked = [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\)(?:: .+)?$/gm)].map(([, path = '']) =>
    join('docs', path),
  );

  it('has the form of llmstxt.org: a title, a summary, and sections of links alone', () => {
    const [title, , summary] = text.split('\n');
    expect(title).toMatch(/^# \S/);
    expect(summary).toMatch(/^> \S/);
    const others = text.split('\n').filter((line) => !/^(?:#{1,2} \S|> \S|- \[|$)/.test(line));
    expect(others).toEqual([]);
  });

  it('links to existing files', () => {
    expect(linked.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('links to every page once', () => {
    expect(linked.toSorted()).toEqual([...pages, ...LOOKED_UP].toSorted());
  });
});
