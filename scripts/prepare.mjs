// Prepares the checkout: dependencies, the pinned Node, the builds. Runs on the machine's own Node.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const node = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
const installed = join(root, 'node_modules', '.gatehouse-lock');
const FLOOR = [24, 15];

const say = (line) => process.stderr.write(`${line}\n`);

function step(command, args) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] }); // stdout is for the command's own result
  if (status !== 0) process.exit(status ?? 1);
}

function install() {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === lock) return;
  say('Installing dependencies (once, about a minute) ...');
  // Not `npm ci`: it refuses a lockfile that lacks an entry for any platform of a tool.
  // `npm install` verifies integrities as well (docs/adr/0008-install-without-npm-ci.md).
  step('npm', ['install', '--no-save', '--include=dev', '--include=optional', '--loglevel=error']);
  writeFileSync(installed, lock);
}

function requireNode() {
  const { stdout } = spawnSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' });
  const [major = 0, minor = 0] = (stdout ?? '').trim().split('.').map(Number);
  if (major > FLOOR[0] || (major === FLOOR[0] && minor >= FLOOR[1])) return;
  say(
    `Gatehouse needs Node ${FLOOR.join('.')} or later, and its own copy is missing: run "npm install --include=optional" and try again.`,
  );
  process.exit(1);
}

/** Returns the time of the last change, also of a file that was removed or moved. */
function newest(path) {
  const entry = statSync(path);
  const names = entry.isDirectory() ? readdirSync(path) : [];
  return Math.max(entry.mtimeMs, ...names.map((name) => newest(join(path, name))));
}

const BUNDLE = {
  folder: 'dist/bundle',
  sources: ['dist/src', 'dist/migrations', 'package-lock.json', 'scripts/bundle.mjs'],
  args: ['scripts/bundle.mjs'],
};

/**
 * Builds: folder, sources, and the program. The file `.built` in a folder marks the time; a build
 * from `dist` has its mark there, as it goes with it.
 */
const BUILDS = [
  {
    folder: 'dist',
    sources: [
      'src',
      'migrations',
      'package.json',
      'nest-cli.json',
      'tsconfig.json',
      'tsconfig.build.json',
      '.swcrc',
    ],
    args: ['node_modules/@nestjs/cli/bin/nest.js', 'build'],
  },
  {
    folder: 'client/src/generated',
    mark: 'dist/.described',
    sources: ['dist/.built', 'client/scripts', 'scripts/openapi.mjs'],
    args: ['scripts/openapi.mjs'],
  },
  BUNDLE,
  {
    folder: 'client/dist',
    sources: ['client/src', 'client/tsconfig.json', 'client/tsconfig.build.json'],
    args: ['node_modules/typescript/bin/tsc', '-p', 'client/tsconfig.build.json'],
  },
  {
    folder: 'react/dist',
    sources: ['react/src', 'react/tsconfig.json', 'react/tsconfig.build.json', 'client/src'],
    args: ['node_modules/typescript/bin/tsc', '-p', 'react/tsconfig.build.json'],
  },
  {
    folder: 'portal/dist',
    sources: [
      'portal/src',
      'portal/public',
      'portal/index.html',
      'portal/vite.config.ts',
      'client/src',
      'src/portal/page-paths.ts',
      'src/platform/messages/locales.ts',
      'package.json',
    ],
    args: ['node_modules/vite/bin/vite.js', 'build', 'portal', '--logLevel', 'warn'],
  },
];

function build({ folder, mark = join(folder, '.built'), sources, args: [program, ...args] }) {
  const built = join(root, mark);
  const changed = Math.max(...sources.map((name) => newest(join(root, name))));
  if (existsSync(built) && statSync(built).mtimeMs >= changed) return;
  say(`Building ${folder} ...`);
  step(node, [join(root, program), ...args]);
  writeFileSync(built, '');
}

/** Brings the bundle up to date with what `nest build`, or a change of it by hand, has written. */
export function bundle() {
  build(BUNDLE);
}

/** Ends with the parent process: npm sends SIGTERM to its shell, which does not forward it. */
function followParent(end) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, 300);
  timer.unref();
}

/**
 * Installs, checks and builds what is missing or out of date.
 * @param folders which of the builds; all by default
 */
export function prepare({ folders = BUILDS.map(({ folder }) => folder) } = {}) {
  install();
  requireNode();
  BUILDS.filter(({ folder }) => folders.includes(folder)).forEach(build);
}

/** Prepares the checkout, runs `args` under the pinned Node and ends with its exit code. */
export function run(args, options) {
  prepare(options);
  // Node reads these before any code runs. Threads: one for each core to hash on, and four for
  // other work. Two malloc arenas in place of one for each thread fragment less memory (Linux).
  // Blocks of 16 KiB or more go back to the system when they are freed.
  const env = {
    UV_THREADPOOL_SIZE: String(cpus().length + 4),
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '16384',
    ...process.env,
  };
  const child = spawn(node, args, { cwd: root, stdio: 'inherit', env });
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal));
  if (process.env.npm_lifecycle_event) followParent(() => child.kill('SIGTERM'));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 128)));
}
