import { existsSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';

/**
 * Declares tests that use programs besides Node, by name or path. Where one is missing they are
 * skipped with a message; with REQUIRE_TOOLS, which .ci/run sets, they run and fail.
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
 * Declares tests that need another capability of the machine.
 * @param lack message where the machine lacks it
 */
export function describeWhere(possible: boolean, lack: string, name: string, tests: () => void): void {
  if (possible || process.env['REQUIRE_TOOLS']) return describe(name, tests);
  process.stderr.write(`\n>>> "${name}" is NOT TESTED: this machine ${lack}.\n\n`);
  describe.skip(name, tests);
}
