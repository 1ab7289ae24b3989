import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const documents = globSync(['*.md', 'docs/**/*.md', 'client/*.md']);
const LINK = /\]\((?!https?:|mailto:)([^)\s#]*)(?:#([^)\s]+))?\)/g;

it.each(documents)('%s links to what is there', (document) => {
  const text = readFileSync(document, 'utf8').replace(/^```[\s\S]*?^```$/gm, '');
  const broken = [...text.matchAll(LINK)].filter(([, path = '', anchor]) => {
    const target = path === '' ? document : normalize(join(dirname(document), path));
    if (!existsSync(target)) return true;
    return anchor !== undefined && !anchorsOf(target).includes(anchor);
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});

it('client/README.md links to nothing that is not in its package: registries show it as well', () => {
  const paths = [...readFileSync('client/README.md', 'utf8').matchAll(LINK)].map(([, path = '']) => path);
  expect(paths.filter((path) => path.startsWith('..'))).toEqual([]);
});

/** The names that GitHub gives to headings. */
function anchorsOf(document: string): string[] {
  return [...readFileSync(document, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  );
}
