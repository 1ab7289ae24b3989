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
  if (missing.length === 0 || process.env['REQUIRE_TOOLS']) return describe(name, tests);
  process.stderr.write(
    `\n>>> "${name}" is NOT TESTED: this machine has no ${missing.join(', ')}. On Debian, apt-get installs it.\n\n`,
  );
  describe.skip(name, tests);
}
