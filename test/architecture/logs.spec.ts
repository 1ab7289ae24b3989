import { globSync, readFileSync } from 'node:fs';

const PAGE = readFileSync('docs/logs.md', 'utf8');
const sources = globSync('src/**/*.ts').map((path) => readFileSync(path, 'utf8'));
const matches = (pattern: RegExp) => [
  ...new Set(sources.flatMap((text) => [...text.matchAll(pattern)].map(([, found = '']) => found))),
];

/** What a line of the log is said by. */
const contexts = matches(/new (?:Nest)?Logger\('(\w+)'\)/g);
/** Sentences that the source has as a whole; what is put together says its own. */
const sentences = matches(/logger\.(?:log|warn|error)\(\s*(?:\{[^}]*\},\s*)?'([^']+)'/g);

describe('docs/logs.md', () => {
  it.each(contexts)('names the context %s', (context) => {
    expect(PAGE).toMatch(new RegExp(`\`${context}\`|^## ${context}$`, 'm'));
  });

  it.each(sentences)('has the sentence "%s"', (sentence) => {
    expect(PAGE).toContain(sentence);
  });
});
