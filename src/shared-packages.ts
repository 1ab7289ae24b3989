import { readFileSync, realpathSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';

/**
 * Compares the packages that the modules of another team must share with this service (its peer
 * dependencies) with those that the started program finds. Of a second copy, a class or a store of
 * decorators is another one: entities would be unknown, and exceptions internal errors.
 * @param program path of the started program
 * @throws {Error} that names the first package with two copies
 */
export function requireSharedPackages(program: string | undefined = process.argv[1]): void {
  if (program === undefined) return; // node --eval
  const own = findPackageJSON('.', import.meta.url) ?? '';
  const { peerDependencies } = JSON.parse(readFileSync(own, 'utf8')) as {
    peerDependencies: Record<string, string>;
  };
  for (const [name, version] of Object.entries(peerDependencies)) {
    const theirs = find(name, pathToFileURL(program).href);
    const ours = find(name, import.meta.url);
    if (theirs !== null && theirs !== ours)
      throw new Error(
        `There are two copies of ${name}: ${theirs} and ${String(ours)}. Depend on ${name} ${version}, as gatehouse does, and install again.`,
      );
  }
}

/** Returns the real path of a package's package.json; null if it is not installed there. */
function find(name: string, from: string): string | null {
  try {
    return realpathSync(findPackageJSON(name, from) ?? '');
  } catch {
    return null;
  }
}
