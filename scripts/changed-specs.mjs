// Chooses the specs that a change most likely affects. A guess, for use while editing: specs that
// it leaves out may fail, and .ci/run runs all.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { partOf, specPath } from '../test/mutation/parts.mjs';

const IMPORT = /(?:from|import|import\(|mock\()\s*'(\.{1,2}\/[^']+)'/g;
/** Names of kinds of files and of folders that do not name a subject. */
const NO_SUBJECT =
  /^(src|dto|index|service|controller|repository|module|entity|policy|response|request|decorator|guard|provider|registry|platform|my|of|and)$/;

/** All specs of `npm test`. */
export const allSpecs = () =>
  globSync('{test,client/test,react/test}/**/*.spec.ts').filter(
    (path) => !/^test\/faults\/|\.long\.spec\.ts$/.test(path),
  );

/**
 * @param changed paths from the root of the repository
 * @returns the changed specs, those that import a changed file without going through the
 *   application, those of the part of a changed source in test/mutation/parts.mjs, those named
 *   after its subject or its folder, and those that check files of its kind; all where a source
 *   has no such spec
 */
export function choose(changed, specs = allSpecs()) {
  const wanted = new Set(changed);
  const folders = changed.flatMap(foldersFor);
  const chosen = new Set(
    specs.filter(
      (spec) =>
        wanted.has(spec) ||
        folders.some((folder) => spec.startsWith(folder)) ||
        [...importsOf(spec)].some((path) => wanted.has(path)),
    ),
  );
  for (const source of changed.filter((path) => /^(client\/)?src\//.test(path))) {
    const subjects = subjectsOf(source);
    const ofPart = new Set((partOf(source)?.specs ?? []).flatMap((name) => globSync(specPath(name))));
    const concerned = specs.filter(
      (spec) => ofPart.has(spec) || wordsOf(spec.split('/').at(-1)).some((word) => subjects.includes(word)),
    );
    if (concerned.length === 0) return specs;
    for (const spec of concerned) chosen.add(spec);
  }
  return specs.filter((spec) => chosen.has(spec));
}

/** Specs that every change of such a file affects. */
function foldersFor(path) {
  if (path.startsWith('src/')) return ['test/unit/', 'test/architecture/'];
  if (path.startsWith('migrations/')) return ['test/architecture/', 'test/integration/'];
  if (path.startsWith('portal/')) return ['test/portal/'];
  if (path.startsWith('client/src/')) return ['client/test/', 'react/test/'];
  if (path.startsWith('react/src/')) return ['react/test/'];
  if (/^((client|react)\/)?test\//.test(path)) return [];
  return ['test/architecture/'];
}

/** `src/session/sessions/logout.service.ts`: logout and session. */
function subjectsOf(path) {
  return path.split('/').slice(-2).flatMap(wordsOf);
}

function wordsOf(name) {
  return name
    .replace(/(\.spec)?\.tsx?$/, '')
    .split(/[-.]/)
    .filter((word) => !NO_SUBJECT.test(word))
    .map((word) => word.replace(/ies$/, 'y').replace(/s$/, ''));
}

/** Lists the files that a spec and its helpers import. Imports of the sources are not followed. */
function importsOf(file, seen = new Set()) {
  for (const [, name] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
    const stem = relative('.', normalize(join(dirname(file), name))).replace(/\.js$/, '');
    const path = [`${stem}.ts`, `${stem}.tsx`, stem].find((candidate) => existsSync(candidate));
    if (path === undefined || seen.has(path)) continue;
    seen.add(path);
    if (!/^((client|react)\/)?src\//.test(path) && /\.tsx?$/.test(path)) importsOf(path, seen);
  }
  return seen;
}
