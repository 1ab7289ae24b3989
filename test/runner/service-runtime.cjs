const { existsSync, readFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { dirname, join, resolve, sep } = require('node:path');
const { exports: exported } = require('../../package.json');
const SharedPackagesRuntime = require('./packages-runtime.cjs');

const ROOT = dirname(dirname(__dirname));
const SOURCES = ['src', 'migrations'].map((folder) => join(ROOT, folder) + sep);
/** Files of what package.json exports, by specifier. */
const EXPORTED = new Map(
  Object.entries(exported).map(([name, path]) => [`gatehouse${name.slice(1)}`, join(ROOT, path)]),
);

/** First comment of a spec with sources of its own. */
const SEPARATE = /^\/\*\* @service separate \*\//;

/**
 * Loads the built service, too, once per worker: its code stays compiled and warm from spec file to
 * spec file, which takes a third of the processor time from a spec. What a module of the service
 * keeps in its own variables stays as well, as the time of the last id, and Jest cannot replace
 * what it imports. So a spec that declares errors, events and the like, mocks a source or fakes
 * timers begins with the comment `@service separate`: Jest loads the sources for it alone, which
 * takes more than a second of processor time. Jest also loads specs, helpers, examples and clients
 * for each spec file.
 */
module.exports = class SharedServiceRuntime extends SharedPackagesRuntime {
  requireModule(from, name, options, actual) {
    const built = name === undefined || options?.isInternalModule ? undefined : builtOf(from, name);
    if (!built || this.isSeparate) return super.requireModule(from, name, options, actual);
    if (EXPORTED.has(name))
      throw new Error(`${from} is of a team: its spec begins with the comment "/** @service separate */".`);
    return createRequire(from)(built);
  }

  get isSeparate() {
    return (this.separate ??= SEPARATE.test(readFileSync(this._testPath, 'utf8')));
  }
};

/** Returns the file in `dist` for a specifier; undefined for what is no source of the service. */
function builtOf(from, name) {
  if (!name.startsWith('.')) return EXPORTED.get(name);
  const path = resolve(dirname(from), name);
  if (!SOURCES.some((folder) => path.startsWith(folder))) return undefined;
  const built = join(ROOT, 'dist', path.slice(ROOT.length));
  return existsSync(built) ? built : undefined;
}
