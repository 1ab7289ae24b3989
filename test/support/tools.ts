import { existsSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';

/**
 * Tests that use programs beside Node, by name or path. Where one is missing they are left out, and that is said; where REQUIRE_TOOLS is set,
 * as .ci/run does, they run and fail.
 */
export function describeWith(programs: readonly string[], name: string, tests: () => void): void {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const missing = programs.filter(
    (program) => !folders.some((folder) => existsSync(resolve(folder, program))),
  );
  const lack = `has no ${missing.join(', ')}. On Debian, apt-get installs it`;
  describeWhere(missing.length === 0, lack, name, tests);
}

/**
 * The same for whatever else a machine may not let tests do.
 * @param lack what is said of this machine where it is not possible
 */
export function describeWhere(possible: boolean, lack: string, name: string, tests: () => void): void {
  if (possible || process.env['REQUIRE_TOOLS']) return describe(name, tests);
  process.stderr.write(`\n>>> "${name}" is NOT TESTED: this machine ${lack}.\n\n`);
  describe.skip(name, tests);
}
