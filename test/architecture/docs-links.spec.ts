import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const documents = globSync(['*.md', 'docs/**/*.md', '{client,react}/*.md']);
/** A file or folder of the repository, or one of src. */
const PATH = /`((?:src|test|scripts|examples|ops|lab|bench|migrations|platform|access)\/[^` ]+)`/g;
const LINK = /\]\((?!https?:|mailto:)([^)\s#]*)(?:#([^)\s]+))?\)/g;

it.each(documents)('%s links to existing files and headings', (document) => {
  const broken = linksOf(document).filter(
    ({ target, anchor }) =>
      !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor)),
  );
  expect(broken.map(({ link }) => link)).toEqual([]);
});

it.each([...documents, 'bench/README.md'])('%s names files that exist', (document) => {
  const named = [...readFileSync(document, 'utf8').matchAll(PATH)].map(([, path = '']) => path);
  const missing = named.filter((path) => globSync([path, `src/${path}`]).length === 0);
  expect(missing).toEqual([]);
});

it('Every page of the documentation is found from its first one', () => {
  const found = new Set(['docs/README.md', 'docs/adr']); // the folder is shown as a list
  for (const page of found)
    if (page.endsWith('.md')) for (const { target } of linksOf(page)) found.add(target);
  const lost = documents.filter((page) => !found.has(page) && !found.has(dirname(page)));
  expect(lost).toEqual([]);
});

/** Returns the links of a document to files of this repository. */
function linksOf(document: string): { link: string; target: string; anchor: string | undefined }[] {
  const text = readFileSync(document, 'utf8').replace(/^```[\s\S]*?^```$/gm, '');
  return [...text.matchAll(LINK)].map(([link, path = '', anchor]) => ({
    link,
    target: path === '' ? document : normalize(join(dirname(document), path)),
    anchor,
  }));
}

it('client/README.md links to nothing that is not in its package: registries show it as well', () => {
  const paths = [...readFileSync('client/README.md', 'utf8').matchAll(LINK)].map(([, path = '']) => path);
  expect(paths.filter((path) => path.startsWith('..'))).toEqual([]);
});

/** Returns the anchors that GitHub generates for headings. */
function anchorsOf(document: string): string[] {
  return [...readFileSync(document, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  );
}
