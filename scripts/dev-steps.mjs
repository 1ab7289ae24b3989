// Local development, until Ctrl-C: the service on its embedded database, restarted after each
// change and open to a debugger; the portal with hot reload; and an OpenID provider stand-in.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createServer } from 'vite';
import { oidcCounter } from '../test/lab/counters/oidc-counter.ts';
import { counterPages, pathOf } from '../test/lab/site/counter-pages.ts';
import { PageServer } from '../test/lab/site/server.ts';
import { SERVICE } from './service.mjs';
import { UntilInterrupted } from './until-interrupted.mjs';

const port = (number) => ({ type: 'string', default: String(number) });
const { values: ports } = parseArgs({
  options: { api: port(3000), portal: port(5173), provider: port(5174), inspect: port(9229) },
});
const api = `http://127.0.0.1:${ports.api}`;
const portal = `http://localhost:${ports.portal}`;
/**
 * Separate from dist, so that a build or a test run does not restart the service, and the service
 * does not disturb them. Not in node_modules, where Node.js finds no package.json of this package.
 */
const BUILT = '.data/dev-build';
/** Paths that the portal's server forwards to the service: all routes of the API. */
const API_PATHS = ['/api', '/errors', '/.well-known', '/healthz', '/readyz', '/metrics'];

const dev = new UntilInterrupted();

await dev.run(async () => {
  const provider = dev.keep(await startProvider());
  await watchSources();
  startService(provider.settings);
  dev.keep(await startPortal());
  while (!dev.interrupted && !(await isReady())) await sleep(100);
  if (!dev.interrupted) explain();
});

/** Starts a program that ends with this one. */
function start(args, options) {
  const child = spawn(process.execPath, args, options);
  const ended = once(child, 'exit');
  dev.keep({
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  });
  return { child, ended };
}

/** Keeps its port between runs: an identity of another issuer would not be found again. */
async function startProvider() {
  const site = await new PageServer().listen();
  const counter = await oidcCounter(Number(ports.provider));
  site.add(counterPages([counter]));
  return {
    settings: counter.settings(site.url + pathOf(counter)),
    stop: () => Promise.all([counter.close(), site.stop()]),
  };
}

/** Compiles all sources once, then each changed one. */
async function watchSources() {
  const options = ['--out-dir', BUILT, '--delete-dir-on-start', '--copy-files', '--watch'];
  const { child, ended } = start(['node_modules/@swc/cli/bin/swc.js', 'src', 'migrations', ...options], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child.stderr.pipe(process.stderr);
  const compiled = new Promise((resolve) =>
    child.stderr.on('data', (chunk) => {
      if (String(chunk).includes('Successfully compiled')) resolve();
    }),
  );
  await Promise.race([compiled, ended, dev.told]);
}

function startService(settings) {
  const options = ['--watch', '--watch-preserve-output', `--inspect=${ports.inspect}`];
  start([...options, ...SERVICE.slice(0, -1), `${BUILT}/src/main.js`], {
    env: { ...settings, ...process.env, PORT: ports.api, PUBLIC_URL: portal, APP_URL: portal },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

/** Serves the portal from its sources, and the client library with it. */
async function startPortal() {
  const server = await createServer({
    configFile: 'portal/vite.config.ts',
    logLevel: 'warn',
    resolve: { alias: { '@gatehouse/client': `${process.cwd()}/client/src/index.ts` } },
    server: {
      host: 'localhost',
      port: Number(ports.portal),
      strictPort: true,
      proxy: Object.fromEntries(API_PATHS.map((path) => [path, api])),
    },
    plugins: [{ name: 'settings-of-the-service', transformIndexHtml: withSettings }],
  });
  await server.listen();
  return { stop: () => server.close() };
}

/** Writes the providers and the names of the cookies into the page, as the service does. */
async function withSettings(html) {
  while (!(await isReady())) await sleep(100); // it may be restarting
  const page = await fetch(api).then((response) => response.text());
  const [settings = ''] = /<meta name="gatehouse"[^>]*>/.exec(page) ?? [];
  return html.replace(/<meta name="gatehouse"[^>]*>/, () => settings);
}

function isReady() {
  return fetch(`${api}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

function explain() {
  process.stdout.write(`
  Portal         ${portal}
  Mails          ${portal}/mailbox
  API            ${portal}/api/docs (the service itself: ${api})
  Debugger       127.0.0.1:${ports.inspect}

  Fill it with organizations and people: npm run seed
  Ctrl-C ends everything. The data stays in DATA_DIR (.data).
`);
}
