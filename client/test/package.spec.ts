import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { BuiltService, exitOf, freePort, launch, runBuilt } from '../../test/support/built-service.js';
import { Person } from '../../test/support/organization.js';
import { eventually } from '../../test/support/test-app.js';

const run = promisify(execFile);

describe('The package', () => {
  it('has the types of docs/openapi.json; `npm run client:generate` writes them anew', async () => {
    const { stdout } = await run(process.execPath, ['client/scripts/generate.mjs', '--print'], {
      maxBuffer: 10_000_000,
    });
    expect(stdout === (await readFile('client/src/generated/openapi.ts', 'utf8'))).toBe(true);
  });

  it('ships what it exports, with types, and nothing of its workshop', async () => {
    const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--loglevel=error'], {
      cwd: 'client',
    });
    const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
    const paths = files.map(({ path }) => path);
    const { exports } = JSON.parse(await readFile('client/package.json', 'utf8')) as {
      exports: Record<string, string>;
    };
    for (const entry of Object.values(exports).map((path) => path.replace('./', '')))
      expect(paths).toEqual(expect.arrayContaining([entry, entry.replace(/js$/, 'd.ts')]));
    const outside = paths.filter((path) => !/^dist\/[\w/.-]+\.(js|d\.ts)$/.test(path));
    expect(outside.toSorted()).toEqual(['README.md', 'package.json']);
  });
});

describe('The examples of the package', () => {
  let service: BuiltService;
  beforeAll(async () => {
    const PORT = String(await freePort());
    service = await BuiltService.start({ PORT, PUBLIC_URL: `http://127.0.0.1:${PORT}` });
  });
  afterAll(() => service.stop());

  it('take the first steps', async () => {
    const { email, password } = await service.register();
    const environment = { GATEHOUSE_URL: service.url, EMAIL: email, PASSWORD: password };
    const { code, stdout, stderr } = await runBuilt('client/examples/first-steps.ts', [], environment);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.trimEnd().split('\n')).toEqual([
      'Hello Ada',
      'true',
      'The organization is not archived.',
      'Signed out: logout',
    ]);
  });

  it('verify tokens in any server', async () => {
    const PORT = String(await freePort());
    const url = `http://127.0.0.1:${PORT}`;
    const server = launch('client/examples/any-server.ts', [], {
      PORT,
      ISSUER: service.url,
      AUDIENCE: service.url,
    });
    try {
      const { id, token } = await Person.signUp(service);
      const headers = { authorization: `Bearer ${token}` };
      const greeting = () => fetch(url, { headers }).then((answer) => answer.text());
      await eventually('the server listens', () => greeting().then(Boolean, () => false));
      expect(await greeting()).toBe(`Hello ${id}, in no tenant`);
      expect((await fetch(url)).status).toBe(401);
      expect((await fetch(url, { headers, method: 'POST' })).status).toBe(200);
      await service.post('logout', undefined, { token });
      expect((await fetch(url, { headers, method: 'POST' })).status).toBe(401);
    } finally {
      server.kill('SIGTERM');
      await exitOf(server);
    }
  });
});
