import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, readFile, rm, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { BuiltService, exitOf, freePort, launch, runBuilt } from '../../test/support/built-service.js';
import { Person } from '../../test/support/organization.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { eventually } from '../../test/support/test-app.js';
import { describeWhere } from '../../test/support/tools.js';
import { findNode } from './old-node.js';
import { satelliteExample } from './satellite-example.js';

const run = promisify(execFile);

const manifest = JSON.parse(readFileSync('client/package.json', 'utf8')) as {
  engines: { node: string };
  exports: Record<string, string>;
};

/** Oldest Node.js version that package.json allows. */
const OLDEST = `${manifest.engines.node.replace('>=', '')}.0.0`;
const oldestNode = findNode(OLDEST);

describe('The client package', () => {
  /** Lists the files that npm would publish from a folder. */
  const packed = async (cwd: string, ...options: string[]) => {
    const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--loglevel=error', ...options], {
      cwd,
    });
    const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
    return files.map(({ path }) => path).toSorted();
  };

  it('is built when it is packed, so that a fresh checkout publishes the same', async () => {
    const checkout = temporaryFolder('checkout');
    try {
      await cp('tsconfig.json', join(checkout, 'tsconfig.json'));
      await symlink(resolve('node_modules'), join(checkout, 'node_modules'));
      const filter = (path: string) => path !== 'client/dist';
      await cp('client', join(checkout, 'client'), { recursive: true, filter });
      expect(await packed(join(checkout, 'client'))).toEqual(await packed('client', '--ignore-scripts'));
    } finally {
      await rm(checkout, { recursive: true });
    }
  });

  it('contains its exports with types, and no sources or tests', async () => {
    const paths = await packed('client', '--ignore-scripts'); // other tests use what is built there
    for (const entry of Object.values(manifest.exports).map((path) => path.replace('./', '')))
      expect(paths).toEqual(expect.arrayContaining([entry, entry.replace(/js$/, 'd.ts')]));
    const outside = paths.filter((path) => !/^dist\/[\w/.-]+\.(js|d\.ts)$/.test(path));
    expect(outside.toSorted()).toEqual(['LICENSE', 'README.md', 'package.json', 'services.md']);
    expect(await readFile('client/LICENSE', 'utf8')).toBe(await readFile('LICENSE', 'utf8'));
  });
});

const examples = (node: string) => () => {
  describe('of a satellite', () => satelliteExample(node));

  let service: BuiltService;
  beforeAll(async () => {
    const PORT = String(await freePort());
    service = await BuiltService.start({ PORT, PUBLIC_URL: `http://127.0.0.1:${PORT}` });
  });
  afterAll(() => service.stop());

  it.each([
    ['take the first steps', 'first-steps.mjs', ['Hello Ada']],
    ['take the first steps in CommonJS', 'first-steps.cjs', ['Hello Ada']],
    [
      'found an organization and ask what may be done in it',
      'an-organization.mjs',
      ['true', 'The organization is not archived.', "[ 'owner' ]", 'Signed out: logout'],
    ],
    ['confirm a person', 'confirming.mjs', ['Erased']],
    ['go on without a second factor', 'second-factor.mjs', ['Signed in']],
    [
      'explain errors',
      'errors.mjs',
      [
        'Please sign in.',
        'The email address or the password is wrong.',
        expect.stringMatching(/^firstName: must be a text/),
      ],
    ],
  ])('%s', async (_what, example, said) => {
    const { email, password } = await service.register();
    const environment = { GATEHOUSE_URL: service.url, EMAIL: email, PASSWORD: password };
    const { code, stdout, stderr } = await runBuilt(`client/examples/${example}`, [], environment, node);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.trimEnd().split('\n')).toEqual(said);
  });

  it('verify tokens in any server', async () => {
    const PORT = String(await freePort());
    const url = `http://127.0.0.1:${PORT}`;
    const environment = { PORT, ISSUER: service.url, AUDIENCE: service.url };
    const server = launch(['client/examples/any-server.mjs'], environment, node);
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
};

describe('The examples of the package', examples(process.execPath));
describeWhere(
  oldestNode !== '',
  `has no Node ${OLDEST}, and npm cannot fetch it`,
  `The examples of the package, on Node ${OLDEST}`,
  examples(oldestNode),
);
