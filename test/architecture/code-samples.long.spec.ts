import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { OpenApi, type Json } from '../support/openapi.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { TestApp } from '../support/test-app.js';

const run = promisify(execFile);

describe('Code samples of the API reference', () => {
  let app: TestApp;
  let operations: OpenApi['operations'];
  let folder: string;
  beforeAll(async () => {
    folder = temporaryFolder('samples');
    app = await TestApp.start();
    operations = new OpenApi((await app.get('/api/docs/openapi.json')).body).operations;
  });
  afterAll(() => app.stop());

  const sampleOf = (operation: Json): string | undefined =>
    operation['x-codeSamples'].find((sample: Json) => sample.label === '@gatehouse/client')?.source;
  const write = (files: Readonly<Record<string, string>>) =>
    Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)));

  it('compile against the client', async () => {
    const sources = operations.flatMap(({ operation }) => {
      const source = sampleOf(operation);
      return source === undefined ? [] : [[`${operation.operationId}.ts`, source] as const];
    });
    const compilerOptions = {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      target: 'es2023',
      lib: ['es2024', 'dom', 'dom.iterable'],
      module: 'nodenext',
      moduleDetection: 'force',
      types: [],
      paths: { '@gatehouse/client': [resolve('client/src/index.ts')] },
    };
    await write({
      ...Object.fromEntries(sources),
      'package.json': '{ "type": "module" }',
      'tsconfig.json': JSON.stringify({ compilerOptions, include: ['*.ts'] }),
    });
    const compiler = resolve('node_modules/typescript/bin/tsc');
    const { stdout } = await run(process.execPath, [compiler, '-p', folder]).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toBe('');
  });
});
