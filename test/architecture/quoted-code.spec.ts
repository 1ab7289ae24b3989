import { globSync, readFileSync } from 'node:fs';

/**
 * Block of code that quotes a file: "```ts <path>". docs-commands.long.spec.ts checks blocks marked
 * as run or shown.
 */
const BLOCK =
  /^```(?:[jt]sx?(?= )|ts(?!x)|sh|ini|java|json|php|python|ruby)(?! run$| shown:)(.*)\n([\s\S]*?)\n```$/gm;

/** Files that documents, separated by spaces, quote completely. */
const WHOLE = {
  'docs/replicas.md': ['ops/haproxy/haproxy.cfg', 'ops/pgbouncer/pgbouncer.ini'],
  'docs/high-availability.md': [...globSync('ops/{postgresql,redis}/*'), 'ops/haproxy/postgresql.cfg'],
  'docs/extending.md docs/extending-data.md': globSync(
    'examples/shipments/src/{shipments,migrations}/**/*.ts',
  ),
  'docs/extending-provider.md': globSync('examples/carrier-portal/**/*.ts'),
  'docs/legacy-directory.md': globSync('examples/old-shop/**/*.ts'),
  'docs/own-repository.md': globSync('examples/shipments/{src,test}/*.ts'),
  'docs/satellite-example.md': ['help-centre.ts', 'gatehouse.ts', 'visits.ts', 'by-hand.sh'].map(
    (name) => `examples/help-centre/${name}`,
  ),
  'docs/satellite-javascript.md': ['client/examples/satellite.mjs'],
  'docs/webhooks.md': globSync('lab/webhooks/*'),
  'docs/protect-your-api.md': globSync('lab/apis/{verify.*,Verify.java}'),
  'client/README.md client/services.md': globSync('client/examples/*').filter(
    (path) => !path.includes('satellite'),
  ),
};

const blocksOf = (document: string) =>
  [...readFileSync(document, 'utf8').matchAll(BLOCK)].map(([, path = '', code = '']) => ({
    path: path.trim(),
    code,
  }));

it.each(globSync(['{docs,client,react}/*.md', 'docs/sso/*.md']))(
  '%s shows code that is there, word for word',
  (document) => {
    const missing = blocksOf(document).filter(
      ({ path, code }) => !unindented(readFileSync(path, 'utf8')).includes(unindented(code)),
    );
    expect(missing).toEqual([]);
  },
);

it.each(Object.entries(WHOLE))('%s: the example is whole', (documents, files) => {
  const blocks = documents.split(' ').flatMap(blocksOf);
  expect(files.length).toBeGreaterThan(0);
  for (const path of files)
    expect(blocks).toContainEqual({ path, code: readFileSync(path, 'utf8').trimEnd() });
});

function unindented(code: string): string {
  return code.replace(/^ +/gm, '');
}
