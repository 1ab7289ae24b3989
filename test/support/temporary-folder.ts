import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

declare global {
  /** Folders of the spec file, which test/runner/environment.cjs removes. */
  var testFolders: string[] | undefined;
}

/**
 * Makes an empty folder, removed at the end of the spec file with whatever is in it: tests keep
 * addresses, keys and passwords of their people there.
 * @param name of what is in it
 * @param parent in place of the machine's folder of temporary files
 */
export function temporaryFolder(name: string, parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, `gatehouse-${name}-`));
  (globalThis.testFolders ??= []).push(folder);
  return folder;
}
