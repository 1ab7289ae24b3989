import type { ChildProcess } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { globSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import {
  answers,
  BuiltService,
  exitOf,
  freePort,
  launch,
  runBuilt,
} from '../../test/support/built-service.js';
import { Browser, CHROMIUM } from '../../test/support/chromium.js';
import { Organization, Person } from '../../test/support/organization.js';
import { eventually } from '../../test/support/test-app.js';
import { describeWith } from '../../test/support/tools.js';
import { ExampleApp, packPackages, serveFolder } from './example-app.js';
import { findNode } from './old-node.js';

const MAX_LINES = 100;
/** The oldest Node 20 that the current npm runs on. */
const OLD_NPM_NODE = '20.19.0';

/** The examples of examples/clients, installed from packed packages outside of the checkout. */
describe('Examples of the clients', () => {
  let packages: string;
  let service: BuiltService;
  let origins: Record<'react' | 'vue' | 'next', string>;
  let ada: Person;
  let harbour: Organization;
  let app: ExampleApp;
  beforeAll(async () => {
    packages = await packPackages();
    const [PORT, ...ports] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
    const [react = '', vue = '', next = ''] = ports.map((port) => `http://127.0.0.1:${port}`);
    origins = { react, vue, next };
    service = await BuiltService.start({
      PORT: String(PORT),
      PUBLIC_URL: `http://127.0.0.1:${PORT}`,
      ALLOWED_ORIGINS: [react, vue, next].join(),
    });
    ada = await Person.signUp(service);
    harbour = await Organization.found(service, ada);
  });
  afterEach(() => app.remove());
  afterAll(async () => {
    await service.stop();
    await rm(packages, { recursive: true });
  });

  const environment = () => ({ GATEHOUSE_URL: service.url, EMAIL: ada.email, PASSWORD: ada.password });
  const signIn = async (page: Page, password = ada.password) => {
    await page.getByLabel('Email').fill(ada.email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  };

  it('run in plain Node, as modules and as CommonJS, installed without a warning by Node 20', async () => {
    app = await ExampleApp.install('node', packages);
    const node = findNode(OLD_NPM_NODE);
    const npm = process.env['npm_execpath'];
    if (node === '' || npm === undefined) throw new Error(`Node ${OLD_NPM_NODE} or npm is missing.`);
    const install = ['install', '--no-save', '--ignore-scripts', '--prefer-offline'];
    const { code, stdout, stderr } = await runBuilt(
      npm,
      [...install, join(app.folder, 'gatehouse-client-1.0.0.tgz'), '--prefix', app.folder],
      {},
      node,
    );
    expect([code, stdout + stderr]).toEqual([0, expect.not.stringMatching(/warn|EBADENGINE/i)]);
    for (const executable of [process.execPath, node]) {
      const report = (file: string) =>
        runBuilt(join(app.folder, file), [harbour.id], environment(), executable);
      expect(await report('report.mjs')).toEqual({
        code: 0,
        stdout: `Ada <${ada.email}> owner\n`,
        stderr: '',
      });
      expect(await report('report.cjs')).toEqual({
        code: 0,
        stdout: expect.stringMatching(/^You are in .+\.\n$/),
        stderr: '',
      });
    }
  });

  it('run on what React Native has: no device, but the storage as AsyncStorage mocks it', async () => {
    app = await ExampleApp.install('react-native', packages);
    const check = join(app.folder, 'session.test.mjs');
    const { stdout, stderr } = await runBuilt(check, [], { ...environment(), TENANT: harbour.id });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({
      before: false,
      after: { isSignedIn: true, tenantId: harbour.id, email: ada.email },
      broken: false,
      left: [],
    });
  });

  describeWith([CHROMIUM], 'in a browser', () => {
    let browser: Browser;
    beforeEach(async () => {
      browser = await Browser.open();
    });
    afterEach(() => browser.close());

    it.each(['react', 'vue'] as const)(
      'sign in with %s, and keep the organization over a reload',
      async (name) => {
        app = await ExampleApp.install(name, packages);
        await app.npm(['run', 'build'], { VITE_GATEHOUSE_URL: service.url });
        const server: Server = await serveFolder(
          join(app.folder, 'dist'),
          Number(new URL(origins[name]).port),
        );
        try {
          const { page } = browser;
          await page.goto(origins[name]);
          await signIn(page, 'a-wrong-harbour-9');
          await page.getByRole('alert').filter({ hasText: /./ }).waitFor();
          await signIn(page);
          const organization = page.locator('button[aria-pressed]');
          await organization.click();
          const invite = page.getByRole('button', { name: 'Invite people', disabled: false });
          await invite.waitFor();
          await page.reload();
          await invite.waitFor();
          expect(await organization.getAttribute('aria-pressed')).toBe('true');
          await page.getByRole('button', { name: 'Sign out' }).click();
          await page.getByRole('heading', { name: 'Sign in' }).waitFor();
        } finally {
          server.closeAllConnections();
          await new Promise((done) => server.close(done));
        }
      },
    );

    it('sign in with Next.js, whose route handler verifies the token', async () => {
      app = await ExampleApp.install('next', packages);
      const settings = {
        NEXT_PUBLIC_GATEHOUSE_URL: service.url,
        GATEHOUSE_URL: service.url,
        GATEHOUSE_AUDIENCE: service.url,
        NEXT_TELEMETRY_DISABLED: '1',
        NODE_ENV: 'production',
      };
      await app.npm(['run', 'build'], settings);
      const url = origins.next;
      const program = join(app.folder, 'node_modules/next/dist/bin/next');
      const words = [program, 'start', app.folder, '--port', new URL(url).port, '--hostname', '127.0.0.1'];
      const server: ChildProcess = launch(words, settings);
      try {
        await eventually('Next.js answers', () => answers(url), 20_000);
        const html = await (await fetch(url)).text();
        expect(html).toContain('One moment');
        expect(html).not.toContain('Sign in');
        const greet = (token: string) =>
          fetch(`${url}/api/greeting`, { headers: { authorization: `Bearer ${token}` } });
        expect((await greet('')).status).toBe(401);
        expect((await greet(`${ada.token}x`)).status).toBe(401);
        expect((await greet(ada.token)).status).toBe(200);
        const { page } = browser;
        await page.goto(url);
        await signIn(page);
        await page.getByRole('heading', { name: `Hello ${ada.id}, in no organization` }).waitFor();
        await page.reload();
        await page.getByRole('heading', { name: `Hello ${ada.id}` }).waitFor();
        await page.getByRole('button', { name: 'Sign out' }).click();
        await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      } finally {
        server.kill('SIGTERM');
        await exitOf(server);
      }
    });
  });
});

describe('Sources of the examples of the clients', () => {
  const names = globSync('examples/clients/*/package.json').map((path) => path.split('/')[2] ?? '');

  it.each(names)('%s has fewer than a hundred lines of its own', (name) => {
    const files = globSync(`examples/clients/${name}/**/*.{js,jsx,ts,tsx,cjs,mjs,vue}`, {
      exclude: (path) => /node_modules|dist|\.next/.test(path),
    });
    const lines = files.flatMap((file) => readFileSync(file, 'utf8').trimEnd().split('\n'));
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.length).toBeLessThan(MAX_LINES);
  });

  it.each(names)('%s has a lock file that names the packed packages and no registry', async (name) => {
    const text = await readFile(resolve('examples/clients', name, 'package-lock.json'), 'utf8');
    const { packages } = JSON.parse(text) as {
      packages: Record<string, { integrity?: string; resolved?: string }>;
    };
    for (const [path, entry] of Object.entries(packages)) {
      const isOwn = path.startsWith('node_modules/@gatehouse/');
      expect([path, entry.integrity === undefined]).toEqual([path, isOwn || path === '']);
      expect(entry.resolved?.startsWith('file:') ?? true).toBe(true);
    }
  });
});
