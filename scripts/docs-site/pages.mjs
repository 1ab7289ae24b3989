import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository. */
const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The sections of docs/llms.txt, which lists every page once: the menu of the site. */
export const SECTIONS = readFileSync(join(ROOT, 'docs/llms.txt'), 'utf8')
  .split(/^## /m)
  .slice(1)
  .map((section) => {
    const [title, ...lines] = section.split('\n');
    const items = lines
      .map((line) => /^- \[(.+?)\]\(([^)]+)\)/.exec(line))
      .filter((link) => link !== null)
      .map(([, text, path]) => ({ text, file: posix.join('docs', path) }));
    return { title: title === 'Optional' ? 'Decisions' : title, items };
  });

/** Files of the pages. */
export const FILES = SECTIONS.flatMap(({ items }) => items.map(({ file }) => file));

/** Returns the page of a file. The first page of the documentation begins the site. */
export function pageOf(file) {
  if (file === 'README.md') return 'overview.md';
  return file.replace(/^docs\//, '').replace(/(^|\/)README\.md$/, '$1index.md');
}

/**
 * Returns where a link of a document leads: to a page, to a file of the repository that is no page,
 * or to nothing.
 * @param path relative to the document
 */
export function targetOf(document, path) {
  const file = posix.join(posix.dirname(document), path).replace(/\/$/, '');
  const page = [file, `${file}/README.md`, `${file}/0001-entities-and-sql.md`].find((one) =>
    FILES.includes(one),
  );
  if (page !== undefined) return { page: pageOf(page) };
  return existsSync(join(ROOT, file)) ? { file } : null;
}
