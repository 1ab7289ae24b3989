import { execFile } from 'node:child_process';
import { chmod, readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { exitOf, launch } from '../../support/built-service.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { eventually } from '../../support/test-app.js';

const run = promisify(execFile);
const tour = (...names: string[]) => run(process.execPath, ['scripts/tour-steps.mjs', ...names]);

describe('npm run tour', () => {
  it.each([[[]], [['factors']], [['partners']]])(
    '%j gets the expected answer to each request',
    async (names) => {
      const { stdout } = await tour(...names);
      expect(stdout).not.toContain('  expected ');
      expect(stdout).not.toContain('✗');
      expect(stdout).toMatch(/Every answer was the expected one\.\n$/);
    },
  );

  it.each(['SIGINT', 'SIGTERM'] as const)('leaves no data behind where %s interrupts it', async (signal) => {
    const TMPDIR = temporaryFolder('tour');
    await chmod(TMPDIR, 0o755); // as root, the database would otherwise be in another folder
    const child = launch(['scripts/tour-steps.mjs'], { TMPDIR });
    child.stdout?.resume();
    child.stderr?.resume();
    await eventually('its service has a folder', async () => (await readdir(TMPDIR)).length > 0);
    child.kill(signal);
    await exitOf(child);
    expect(await readdir(TMPDIR)).toEqual([]);
  });

  it('names the journeys where it is asked for another one', async () => {
    await expect(tour('other')).rejects.toMatchObject({
      code: 2,
      stderr: 'Usage: npm run tour -- [journey | factors | partners]\n',
    });
  });
});
