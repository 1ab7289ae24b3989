import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const tour = (...names: string[]) => run(process.execPath, ['scripts/tour-steps.mjs', ...names]);

describe('npm run tour', () => {
  it.each([[[]], [['factors']]])('%j gets the expected answer to each request', async (names) => {
    const { stdout } = await tour(...names);
    expect(stdout).not.toContain('  expected ');
    expect(stdout).not.toContain('✗');
    expect(stdout).toMatch(/Every answer was the expected one\.\n$/);
  });

  it('names the journeys where it is asked for another one', async () => {
    await expect(tour('other')).rejects.toMatchObject({
      code: 2,
      stderr: 'Usage: npm run tour -- [journey | factors]\n',
    });
  });
});
