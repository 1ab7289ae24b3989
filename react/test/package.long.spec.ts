import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { temporaryFolder } from '../../test/support/temporary-folder.js';

const MAX_BYTES = 4_500;

const run = promisify(execFile);

describe('The package @gatehouse/react', () => {
  it('is smaller than 4.5 kB, compressed', async () => {
    const folder = temporaryFolder('size');
    const options = ['--config', 'react/test/size.config.mjs', '--outDir', folder, '--logLevel', 'warn'];
    await run(process.execPath, [resolve('node_modules/vite/bin/vite.js'), 'build', ...options]);
    const bundle = await readFile(join(folder, 'bundle.js'));
    await rm(folder, { recursive: true });
    expect(bundle.includes('useSyncExternalStore')).toBe(true);
    expect(gzipSync(bundle).length).toBeLessThan(MAX_BYTES);
  });

  it('has its types, the licence and no other dependency than React and the client', async () => {
    const { stdout } = await run(
      'npm',
      ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error'],
      {
        cwd: 'react',
      },
    );
    const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
    const paths = files.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['dist/index.js', 'dist/index.d.ts']));
    const outside = paths.filter((path) => !/^dist\/[\w/.-]+\.(js|d\.ts)$/.test(path));
    expect(outside.toSorted()).toEqual(['LICENSE', 'README.md', 'package.json']);
    const manifest = JSON.parse(readFileSync('react/package.json', 'utf8')) as Record<string, object>;
    expect(manifest['dependencies']).toBeUndefined();
    expect(Object.keys(manifest['peerDependencies'] ?? {})).toEqual(['@gatehouse/client', 'react']);
  });
});
