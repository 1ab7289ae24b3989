import { globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A page of documents with several pictures loads on a slow line. */
const MAX_BYTES = 80 * 1024;

const pictures = globSync('docs/images/*');
const shown = globSync(['*.md', 'docs/**/*.md']).flatMap((document) =>
  [
    ...readFileSync(document, 'utf8').matchAll(
      /!\[([^\]]*)\]\((?!https?:)([^)\s]+)\)|<img [^>]*>|<source [^>]*>/g,
    ),
  ].map(([tag, alt, path]) => ({
    document,
    tag,
    alt: alt ?? /alt="([^"]*)"/.exec(tag)?.[1],
    path: join(dirname(document), path ?? /(?:src|srcset)="([^"]*)"/.exec(tag)?.[1] ?? ''),
  })),
);

describe('Pictures of the documents', () => {
  it('are each shown in a document', () => {
    const paths = new Set(shown.map(({ path }) => path));
    expect(pictures.filter((picture) => !paths.has(picture))).toEqual([]);
  });

  it('exist wherever a document shows one', () => {
    const missing = shown.filter(({ path }) => globSync(path).length === 0);
    expect(missing.map(({ document, tag }) => `${document}: ${tag}`)).toEqual([]);
  });

  it('are described for people who do not see them', () => {
    const silent = shown.filter(({ tag, alt = '' }) => !tag.startsWith('<source') && alt.trim().length < 10);
    expect(silent.map(({ document, tag }) => `${document}: ${tag}`)).toEqual([]);
  });

  it(`have at most ${MAX_BYTES / 1024} KiB each`, () => {
    expect(pictures.filter((picture) => statSync(picture).size > MAX_BYTES)).toEqual([]);
  });
});
