import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { ServiceClient } from '../../src/testing/service-client.js';
import { Organization } from '../../src/testing/organization.js';
import { answers, exitOf, freePort } from '../support/built-service.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { createDatabase, eventually, NO_LIMITS, QUIET } from '../support/test-app.js';

jest.setTimeout(600_000); // builds everything, and installs what the service needs

const run = promisify(execFile);
const EXAMPLE = 'examples/shipments';
const SOURCES = [
  'package.json',
  'nest-cli.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'tsconfig.package.json',
  '.swcrc',
  'README.md',
  'LICENSE',
  'src',
  'migrations',
  'scripts/bundle.mjs',
  'scripts/openapi.mjs',
  'client',
  'portal',
  // What must not be packed:
  'test',
  'examples',
];

const { exports, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  exports: Record<string, string>;
  peerDependencies: Record<string, string>;
};

/** What a team does that depends on the service as a package, outside this checkout. */
describe('A repository of another team', () => {
  let folder: string;
  let checkout: string;
  let team: string;
  let packed: string[];
  let manifest: { dependencies: Record<string, string> };
  const { PATH = '', HOME = '' } = process.env;
  const ofMachine = PATH.split(':').filter((path) => !path.includes('node_modules'));
  /** Runs npm as a person does, without the Node.js of this checkout. */
  const npm = async (cwd: string, ...args: string[]) =>
    (await run('npm', args, { cwd, env: { PATH: ofMachine.join(':'), HOME }, maxBuffer: 10_000_000 })).stdout;

  beforeAll(async () => {
    folder = temporaryFolder('team');
    checkout = join(folder, 'checkout');
    team = join(folder, 'shipments');
    for (const name of SOURCES)
      await cp(name, join(checkout, name), {
        recursive: true,
        filter: (path) => !/(?:^|\/)(?:node_modules|dist|\.data)$/.test(path),
      });
    await writeFile(join(checkout, '.env'), 'ROOT_SECRET=secret\n');
    await mkdir(join(checkout, '.data'));
    await writeFile(join(checkout, '.data', 'root-secret'), 'secret\n');
    await symlink(resolve('node_modules'), join(checkout, 'node_modules'));
    const output = await npm(checkout, 'pack', '--json', '--loglevel=error', '--pack-destination', folder);
    const [{ filename, files }] = JSON.parse(output.slice(output.indexOf('[\n'))) as [
      { filename: string; files: { path: string }[] },
    ];
    packed = files.map(({ path }) => path);
    await cp(EXAMPLE, team, { recursive: true });
    manifest = JSON.parse(await readFile(join(team, 'package.json'), 'utf8')) as typeof manifest;
    manifest.dependencies['gatehouse'] = `file:../${filename}`;
    await writeFile(join(team, 'package.json'), JSON.stringify(manifest, null, 2));
    await npm(team, 'install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('gets a package of what runs, with types, and of nothing else', async () => {
    const outside = packed.filter(
      (path) =>
        !/^dist\/(?:src|migrations)\/[\w/.-]+(?<!\.spec|\.test)\.(?:js|d\.ts)$/.test(path) &&
        !/^dist\/src\/locales\/\w+\.json$/.test(path) &&
        !/^portal\/dist\/(?:assets\/)?[\w.-]+\.(?:html|js|css|svg|webmanifest)(?:\.br|\.gz)?$/.test(path),
    );
    expect(outside.toSorted()).toEqual([
      'LICENSE',
      'README.md',
      'dist/src/iam/accounts/credentials/common-passwords.bin',
      'package.json',
      'portal/dist/first-page.json', // the sign-in page, which the server writes into its document
    ]);
    for (const path of Object.values(exports).map((path) => path.replace('./', '')))
      expect(packed).toEqual(expect.arrayContaining([path, path.replace(/\.js$/, '.d.ts')]));
    const sources = globSync(['src/**/*.ts', 'migrations/*.ts']).filter((path) => !path.endsWith('.d.ts'));
    const built = packed.filter((path) => path.startsWith('dist/') && path.endsWith('.js'));
    expect(built.toSorted()).toEqual(sources.map((path) => `dist/${path.replace(/ts$/, 'js')}`).toSorted());
    const installed = join(team, 'node_modules', 'gatehouse');
    for (const path of packed) {
      const text = await readFile(join(installed, path), 'utf8');
      expect([path, [folder, resolve('.')].filter((local) => text.includes(local))]).toEqual([path, []]);
    }
  });

  it('has one copy of each package that it shares with the service', () => {
    for (const name of Object.keys(peerDependencies))
      expect(globSync(`node_modules/**/node_modules/${name}/package.json`, { cwd: team })).toEqual([]);
  });

  it('cannot be installed with another version of one', async () => {
    const other = join(folder, 'other');
    const dependencies = { ...manifest.dependencies, '@nestjs/common': '12.5.0' };
    await mkdir(other);
    await writeFile(join(other, 'package.json'), JSON.stringify({ ...manifest, dependencies }));
    const installing = npm(other, 'install', '--dry-run', '--prefer-offline', '--no-audit');
    await expect(installing).rejects.toMatchObject({ stderr: expect.stringContaining('ERESOLVE') });
  });

  it('compiles, and its tests pass on the test kit', async () => {
    const output = await npm(team, 'test');
    expect(output).toMatch(/^ℹ pass 4$/m);
    expect(output).toMatch(/^ℹ fail 0$/m);
  });

  it('does not compile where it imports what is not exported, or an unknown text', async () => {
    const wrong = join(team, 'src', 'wrong.ts');
    await writeFile(
      wrong,
      `import { forbid } from 'gatehouse/ability';
       import 'gatehouse/live';
       import 'gatehouse/dist/src/platform/live/index.js';
       forbid('shipment.dispatched');
       forbid('shipment.unknown');`,
    );
    try {
      const { stdout } = await npm(team, 'exec', '--', 'tsc', '--noEmit').then(
        () => ({ stdout: '' }),
        (error: { stdout: string }) => error,
      );
      const found = [...stdout.matchAll(/^src\/wrong\.ts\((\d+),\d+\): error (TS\d+)/gm)];
      expect(found.map(([, line, code]) => `${line} ${code}`)).toEqual(['2 TS2882', '3 TS2882', '5 TS2345']);
      const running = npm(team, 'exec', '--', 'node', '--eval', "import('gatehouse/live')");
      await expect(running).rejects.toMatchObject({
        stderr: expect.stringContaining('ERR_PACKAGE_PATH_NOT_EXPORTED'),
      });
    } finally {
      await rm(wrong);
    }
  });

  describe('starts', () => {
    let service: ServiceClient;
    let child: ChildProcess;
    let environment: Record<string, string>;
    const node = () => join(team, 'node_modules', '.bin', 'node');
    const command = async (...words: string[]) =>
      (await run(node(), ['dist/src/main.js', ...words], { cwd: team, env: environment })).stdout;
    beforeAll(async () => {
      const port = String(await freePort());
      environment = {
        ...QUIET,
        ...NO_LIMITS,
        PATH: ofMachine.join(':'),
        PORT: port,
        DATA_DIR: join(folder, 'data'),
        DATABASE_URL: await createDatabase(),
        ROOT_SECRET: randomBytes(32).toString('base64'),
      };
      expect(await command('migrate')).toBe('{"migrated":true}\n');
      service = new ServiceClient(
        `http://127.0.0.1:${port}`,
        environment['DATABASE_URL'] ?? '',
        join(folder, 'data'),
      );
      expect(await service.sql('SELECT name FROM team_migrations')).toEqual([
        { name: 'CreateShipments1795300000000' },
        { name: 'CreateWarehouse1796110000001' },
      ]);
      child = spawn(node(), ['dist/src/main.js'], { cwd: team, env: environment, stdio: 'ignore' });
      await eventually('the service is ready', () => answers(`${service.url}/readyz`));
    });
    afterAll(async () => {
      child?.kill('SIGTERM');
      if (child) expect(await exitOf(child)).toBe(0);
    });

    it('with its routes, their documentation and the pages', async () => {
      const path = '/api/v1/logistics/shipments';
      expect(await service.get(path)).toMatchObject({
        status: 401,
        body: { type: '/errors/unauthenticated' },
      });
      const { body } = await service.get('/api/docs/openapi.json');
      expect(body).toMatchObject({ paths: { [path]: {}, [`${path}/{id}/dispatch`]: {} } });
      expect((await fetch(`${service.url}/api/docs/reference.css`)).status).toBe(200);
      expect(await (await fetch(service.url)).text()).toContain('<!doctype html>');
    });

    it('with its scopes, which roles take and the permission check judges', async () => {
      const organization = await Organization.found(service);
      const scope = 'logistics:shipment:dispatch';
      const role = { key: 'dispatcher', name: 'Dispatcher', scopes: [scope] };
      expect((await organization.call('POST', '/roles', role)).status).toBe(201);
      const { token } = await organization.join('dispatcher');
      const planned = await service.call(
        'POST',
        '/api/v1/logistics/shipments',
        { contents: 'Spare parts', speed: 'express', weight: 1 },
        { token: organization.owner.token },
      );
      const subject = `gatehouse:///logistics/shipments/${planned.body['id']}`;
      const scopes = [scope, 'logistics:shipment:deliver'];
      const probed = await service.call('POST', '/api/auth/can', { subject, scopes }, { token });
      expect(probed.body).toMatchObject({
        [scope]: { allowed: true },
        'logistics:shipment:deliver': { allowed: false, code: 'scope_not_held' },
      });
    });

    it('with the command line', async () => {
      expect(JSON.parse(await command('keys:rotate'))).toEqual({ kid: expect.any(String) });
      await expect(command('unknown')).rejects.toMatchObject({
        code: 2,
        stderr: expect.stringContaining("unknown command 'unknown'"),
      });
    });
  });
});
