import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { COMMANDS } from '../../../src/cli/commands/index.js';
import { CLI, runBuilt } from '../../support/built-service.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { createDatabase, NO_LIMITS, QUIET, TestApp } from '../../support/test-app.js';

/** Replaces 300,000 objects ten times, next to 500,000 that stay. Prints the peak in MB. */
const WORK = `
import { getHeapStatistics } from 'node:v8';
import { limitHeapGrowth } from './dist/src/release-memory.js';
const kept = Array.from({ length: 500_000 }, (_, n) => ({ n, text: 'kept ' + n }));
limitHeapGrowth();
const replaced = [];
let peak = 0;
for (let n = 0; n < 3_000_000; n += 1) {
  replaced[n % 300_000] = { n, text: ['line ' + n] };
  if (n % 1_000 === 0) peak = Math.max(peak, getHeapStatistics().used_heap_size);
}
console.log(kept.length > 0 && Math.round(peak / 1e6));
`;

describe('A command that works through many rows', () => {
  it('is an import of people, the export of everything, or a verification', () => {
    const names = COMMANDS.filter(({ hasManyRows }) => hasManyRows).map(({ name }) => name);
    expect(names).toEqual(['people:import', 'export', 'audit:verify']);
  });

  it('collects garbage before the heap is several times what is in use', async () => {
    // With one thread, the collections do not depend on what else the machine does.
    const node = ['--input-type=module', '-e', WORK];
    const { code, stdout, stderr } = await runBuilt('--single-threaded-gc', node, {});
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    // 200 MB; without the limit 420.
    expect(Number(stdout)).toBeGreaterThan(50);
    expect(Number(stdout)).toBeLessThan(300);
  }, 120_000);

  it('begins with what the start has left collected', async () => {
    const folder = temporaryFolder('limited-memory');
    const file = join(folder, 'people.ndjson');
    await writeFile(file, '');
    const settings = {
      ROOT_SECRET: randomBytes(32).toString('base64'),
      DATABASE_URL: await createDatabase(),
    };
    const app = await TestApp.start(settings);
    try {
      const environment = { ...QUIET, ...NO_LIMITS, ...settings, DATA_DIR: folder };
      const collections = async (...words: string[]) => {
        const { stdout } = await runBuilt('--trace-gc', [CLI, ...words], environment);
        // V8 gives this reason for those that were asked for.
        return stdout.match(/Mark-Compact.* testing;/g)?.length ?? 0;
      };
      expect(await collections('people:import', '--file', file)).toBe(2);
      expect(await collections('keys:list')).toBe(0);
    } finally {
      await app.stop();
    }
  }, 120_000);
});
