import { execFile } from 'node:child_process';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../support/temporary-folder.js';

const run = promisify(execFile);
const DOCUMENT = resolve('docs/openapi.json');

/** Returns the path of a package's command. */
function commandOf(name: string, command: string): string {
  const file = createRequire(resolve('package.json')).resolve(`${name}/package.json`);
  const { bin } = createRequire(file)(file) as { bin: string | Record<string, string> };
  return join(dirname(file), typeof bin === 'string' ? bin : (bin[command] ?? ''));
}

/** Generators that users of the API have, each with its defaults. */
const GENERATORS: Readonly<Record<string, (folder: string) => [string, ...string[]]>> = {
  'openapi-typescript': (folder) => [
    commandOf('openapi-typescript', 'openapi-typescript'),
    DOCUMENT,
    '--output',
    join(folder, 'client.ts'),
  ],
  '@hey-api/openapi-ts': (folder) => [
    commandOf('@hey-api/openapi-ts', 'openapi-ts'),
    '--input',
    DOCUMENT,
    '--output',
    join(folder, 'client'),
    '--no-log-file',
  ],
  orval: (folder) => [
    commandOf('orval', 'orval'),
    '--input',
    DOCUMENT,
    '--output',
    join(folder, 'client.ts'),
    '--client',
    'fetch',
  ],
};

describe('Clients generated from the API document', () => {
  let folder: string;
  beforeEach(async () => {
    folder = temporaryFolder('generated');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it.each(Object.entries(GENERATORS))('compile under strict: %s', async (_name, command) => {
    await run(process.execPath, command(folder), { cwd: folder });
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'es2023',
      lib: ['es2024', 'dom', 'dom.iterable'],
      module: 'esnext',
      moduleResolution: 'bundler',
      types: [],
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }));
    expect((await readdir(folder)).length).toBeGreaterThan(1);
    const compiler = commandOf('typescript', 'tsc');
    const { stdout } = await run(process.execPath, [compiler, '-p', folder]).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toBe('');
  });
});
